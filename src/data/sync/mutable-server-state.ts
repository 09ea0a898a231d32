import type { ServerUpdateItem, ServerUpdate, CopyMetadata } from '../model/server-update.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Backup, CopyWrite } from '../storage/backup.ts';
import { isUnderWay } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import type { Outbox } from '../outbox/outbox.ts';
import {
  DoesNotFit,
  identityFrom,
  isInWorkingSet,
  isSame,
  keyOf,
  operate,
  recordFrom,
} from '../model/record.ts';
import type { StoreIdentity, StoreOperation, StoreRecord } from '../model/record.ts';
import { noteServerValues, applyVerdicts } from '../outbox/apply-verdicts.ts';
import { parentTypes } from '../store/store.ts';
import type { RecordStore } from '../store/store.ts';

/** Called with an update, and with the part of it that was accepted, for the other tabs. */
type ServerUpdateListener = (update: ServerUpdate, accepted: ServerUpdate) => void;

/**
 * Turns operations from the server into items. Those that do not fit the schema are left out and
 * passed to `leftOut`: the good part of a message shows all the same.
 */
export function updateItemsFrom(
  operations: readonly unknown[],
  leftOut: (why: string) => void,
): ServerUpdateItem[] {
  const items: ServerUpdateItem[] = [];
  for (const operation of operations) {
    try {
      items.push(itemFrom(operation));
    } catch (error) {
      // fault 38
      if (!(error instanceof DoesNotFit)) throw error;
      leftOut(error.message);
    }
  }
  return items;
}

function itemFrom(operation: unknown): ServerUpdateItem {
  if (typeof operation !== 'object' || operation === null) throw new DoesNotFit('not an operation');
  const { op, data, ref } = operation as Partial<Record<string, unknown>>;
  switch (op) {
    case 'add':
    case 'update':
    case 'get':
      return { is: 'update', record: recordFrom(data) };
    case 'remove':
      return { is: 'remove', record: identityFrom(ref) };
    default:
      throw new DoesNotFit(`op is not a valid operation: ${String(op)}`);
  }
}

/**
 * The one way in: answers, hub messages and pages of the feed all enter the local copy here. It
 * knows the server state; the store shows that with the person's pending changes on top.
 */
export class MutableServerState {
  readonly #store: RecordStore;
  readonly #outbox: Outbox;
  readonly #backup: Backup;
  /** The server's records where the store shows something else; null: the server has none. */
  readonly #serverRecords = new Map<string, StoreRecord | null>();
  readonly #identities = new Map<string, StoreIdentity>();
  readonly #removed = new Map<string, number>();
  /** Keys of the records of updates that broke off: they enter the store anew. */
  readonly #interrupted = new Set<string>();
  readonly #listeners = new Set<ServerUpdateListener>();
  #now = 0;
  #resyncCount = 0;
  /** Keys of the records that were here when a resync began and have not come again. */
  #beforeResync = new Set<string>();

  constructor(store: RecordStore, outbox: Outbox, backup: Backup) {
    this.#store = store;
    this.#outbox = outbox;
    this.#backup = backup;
  }

  /** Grows with every update; a request notes it when it is made. */
  get now(): number {
    return this.#now;
  }

  /** Grows with every resync: requests made before may be answered by another database. */
  get resyncCount(): number {
    return this.#resyncCount;
  }

  /**
   * From now on the records here count as older than those that come, whatever their version says.
   */
  beginResync(): void {
    this.#resyncCount += 1;
    this.#beforeResync = new Set(this.allServerRecords().map(keyOf));
  }

  onApplied(listener: ServerUpdateListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The record as the server has it, as far as is known. */
  serverRecord(identity: StoreIdentity): StoreRecord | null {
    return this.#serverRecordOf(keyOf(identity), identity);
  }

  #serverRecordOf(key: string, identity: StoreIdentity): StoreRecord | null {
    const serverRecord = this.#serverRecords.get(key);
    return serverRecord === undefined ? this.#store.record(identity) : serverRecord;
  }

  /** The record as the device shows it: the server's with the pending changes on top. */
  visibleRecord(identity: StoreIdentity): StoreRecord | null {
    return resourceOf(identity.type).isStored ? this.#store.record(identity) : null;
  }

  /**
   * Tells whether the feed reports what becomes of `record`: it does not where the parent is
   * neither here nor among the items that come `along`.
   */
  isTrackedByFeed(record: StoreRecord | null, along: readonly ServerUpdateItem[] = []): boolean {
    return parentsOf(record).every((parent) => {
      const key = keyOf(parent);
      const coming = along.find((item) => item.is === 'update' && keyOf(item.record) === key);
      const above = coming?.is === 'update' ? coming.record : this.serverRecord(parent);
      return above !== null && this.isTrackedByFeed(above, along);
    });
  }

  /** Tells whether the record was here and was removed, in this session. */
  wasRemoved(identity: StoreIdentity): boolean {
    return this.#removed.has(keyOf(identity));
  }

  /** Every record that the server has, for compaction and for a resync. */
  allServerRecords(): StoreRecord[] {
    const shown = Object.keys(this.#store.schema.models).flatMap((type) =>
      this.#store.all(type as TypeName).filter((record) => !this.#serverRecords.has(keyOf(record))),
    );
    return [...shown, ...[...this.#serverRecords.values()].filter((record) => record !== null)];
  }

  /**
   * Takes in the server's records from the backup, before anything is newer. What the person
   * created or removed shows after `showPendingChanges`.
   */
  restore(records: readonly StoreRecord[]): void {
    const plain: StoreRecord[] = [];
    const changed: StoreRecord[] = [];
    const hasNoPendingChanges = this.#hasNoPendingChanges;
    for (const record of records) {
      const isChanged =
        !hasNoPendingChanges &&
        (this.#serverRecords.has(keyOf(record)) || this.#hasPendingChange(record));
      if (isChanged) this.#setServerRecord(record, record);
      (isChanged ? changed : plain).push(record);
    }
    this.rebaseRecords(changed, plain);
  }

  /** True while no change of the person concerns any record. */
  get #hasNoPendingChanges(): boolean {
    const { waiting, attention } = this.#outbox.rows.counts;
    return this.#serverRecords.size + waiting + attention === 0;
  }

  #hasPendingChange(identity: StoreIdentity): boolean {
    return this.#outbox.of(identity).some((row) => this.#outbox.isShown(row));
  }

  /** Puts every change that is to be shown on top, after a start or when another tab wrote. */
  showPendingChanges(): void {
    this.rebase([...this.#outbox.rows.all()].filter((row) => this.#outbox.isShown(row)));
  }

  /** Shows the records that `rows` touch or touched again. */
  rebase(rows: readonly Pick<Change, 'operations'>[]): void {
    this.rebaseRecords(this.#affectedBy(rows));
  }

  /**
   * Every record that may show differently because of `rows`: with a removal also what is below.
   */
  #affectedBy(rows: readonly Pick<Change, 'operations'>[]): StoreIdentity[] {
    const operations = rows
      .flatMap((row) => row.operations)
      .filter(({ record }) => resourceOf(record.type).isStored);
    this.#rememberServerRecords(operations);
    const affected = new Map(operations.map(({ record }) => [keyOf(record), identityOf(record)]));
    const removed = operations.flatMap(({ op, record }) => (op === 'removeRecord' ? record : []));
    for (const identity of this.#below(removed)) affected.set(keyOf(identity), identity);
    return [...affected.values()];
  }

  /** Everything below `parents`, also what a pending change hides. */
  #below(parents: readonly StoreIdentity[]): StoreIdentity[] {
    const above = parents.filter(({ type }) => parentTypes.has(type));
    if (above.length === 0) return [];
    const keys = new Set(above.map(keyOf));
    const found = new Map(
      above.flatMap((parent) => this.#store.below(parent)).map((below) => [keyOf(below), below]),
    );
    for (const [key, identity] of this.#identities)
      if (this.#isBelow(identity, keys)) found.set(key, identity);
    return [...found.values()];
  }

  #isBelow(identity: StoreIdentity, keys: ReadonlySet<string>): boolean {
    const record = this.serverRecord(identity);
    return parentsOf(record).some(
      (parent) => keys.has(keyOf(parent)) || this.#isBelow(parent, keys),
    );
  }

  /**
   * Remembers the server's records that changes are about to replace: with a removal also what is
   * below.
   */
  #rememberServerRecords(operations: readonly StoreOperation[]): void {
    for (const { op, record } of operations) {
      this.#rememberServerRecord(record);
      if (op === 'removeRecord')
        for (const below of this.#store.below(record)) this.#rememberServerRecord(below);
    }
  }

  #rememberServerRecord(identity: StoreIdentity): void {
    const key = keyOf(identity);
    if (this.#serverRecords.has(key)) return;
    this.#serverRecords.set(key, this.#store.record(identity));
    this.#identities.set(key, identityOf(identity));
  }

  /**
   * Shows the records as they are now: the server's with the pending changes on top. `plain` are
   * records that no change concerns; they are shown as they are.
   */
  rebaseRecords(targets: readonly StoreIdentity[], plain: readonly StoreRecord[] = []): void {
    const set = [...plain];
    const remove: StoreIdentity[] = [];
    for (const target of targets) {
      if (this.#hasPendingChange(target)) this.#rememberServerRecord(target);
      const shown = this.#rebasedRecord(target);
      if (shown === null) remove.push({ type: target.type, id: target.id });
      else set.push(shown);
    }
    this.#store.apply({ set, remove });
    for (const target of targets) this.#forgetServerRecord(target);
  }

  #rebasedRecord(target: StoreIdentity): StoreRecord | null {
    const serverRecord = this.serverRecord(target);
    let shown = serverRecord;
    for (const row of this.#outbox.of(target)) {
      // A change that needs the person shows only where the server has nothing at all.
      if (!this.#outbox.isShown(row) || (serverRecord !== null && !isUnderWay(row))) continue;
      for (const operation of row.operations)
        if (keyOf(operation.record) === keyOf(target)) shown = operate(shown, operation);
    }
    return shown !== null && this.#isRemovedWithParent(shown) ? null : shown;
  }

  /** Tells whether it lies below a record that a pending change removes. */
  #isRemovedWithParent(record: StoreRecord): boolean {
    return this.#outbox.rows.isRemoving && this.#isBelowRemoved(record);
  }

  #isBelowRemoved(record: StoreRecord): boolean {
    return parentsOf(record).some((parent) => {
      const isRemoved = this.#outbox
        .of(parent)
        .some((row) => isUnderWay(row) && row.operations.some((o) => removes(o, parent)));
      if (isRemoved) return true;
      const next = this.serverRecord(parent);
      return next !== null && this.#isBelowRemoved(next);
    });
  }

  /** Forgets the server's record where the store shows it as it is. */
  #forgetServerRecord(target: StoreIdentity): void {
    const key = keyOf(target);
    const serverRecord = this.#serverRecords.get(key);
    if (serverRecord === undefined || serverRecord !== this.#store.record(target)) return;
    if (this.#hasPendingChange(target)) return;
    this.#serverRecords.delete(key);
    this.#identities.delete(key);
  }

  /**
   * Applies one update: it is checked, merged, shown and written as a whole.
   *
   * @param requestedAt the value of `now` when it was requested: what was removed since does not
   *   come back; left out for updates that nobody requested
   */
  apply(update: ServerUpdate, requestedAt = Infinity): void {
    try {
      this.#applyWhole(update, requestedAt);
      if (this.#interrupted.size > 0)
        for (const { record } of update.items) this.#interrupted.delete(keyOf(record));
    } catch (error) {
      // Not all who listen to the store may have heard of these records.
      for (const { record } of update.items) this.#interrupted.add(keyOf(record));
      throw error;
    }
  }

  #applyWhole(update: ServerUpdate, requestedAt: number): void {
    this.#now += 1;
    const fresh = new Map<string, ServerUpdateItem>();
    const isFeed = isOfFeed(update);
    for (const item of update.items)
      if (update.answer === undefined || update.isRelayed === true || this.#mayBeGone(item))
        this.#acceptIfNewer(isFeed ? item : this.#withMark(item, fresh), requestedAt, fresh);
    const { changed: decided, out } = applyVerdicts(this.#outbox, update, fresh);
    const affected = this.#affectedBy([...decided, ...out]);
    const { plain, bound } = this.#splitByPendingChanges(fresh);
    const gone = this.#applyToServerState(bound, fresh);
    const noted = noteServerValues(this.#outbox, bound, [...decided, ...out]);
    const written = this.#outbox.applyResults([...decided, ...noted], out);
    const targets = new Map([...bound].map(([key, { record }]) => [key, record]));
    for (const identity of gone) {
      targets.set(keyOf(identity), identity);
      // A follower that read a newer backup lacks the parents by which it would find these.
      fresh.set(keyOf(identity), { is: 'remove', record: identity });
    }
    for (const identity of affected) targets.set(keyOf(identity), identity);
    this.rebaseRecords([...targets.values()], plain);
    if (update.isRelayed !== true) this.#write(fresh, written, update.facts);
    const accepted = { ...update, items: [...fresh.values()] };
    for (const listener of this.#listeners) listener(update, accepted);
  }

  /**
   * An item of an answer, which does not say whether the feed reports its record: what is known of
   * that stays, and a new record is like its parents.
   */
  #withMark(
    item: ServerUpdateItem,
    fresh: ReadonlyMap<string, ServerUpdateItem>,
  ): ServerUpdateItem {
    if (item.is === 'remove') return item;
    const { record } = item;
    const known = this.serverRecord(record);
    const like = known ?? this.#outsideParent(record, fresh);
    const isOutside = like === null ? !isInWorkingSet(record) : !isInWorkingSet(like);
    const fetchedAt = isOutside ? (record.meta.fetchedAt ?? like?.meta.fetchedAt) : undefined;
    if (fetchedAt === record.meta.fetchedAt) return item;
    const { version } = record.meta;
    const meta = fetchedAt === undefined ? { version } : { version, fetchedAt };
    return { is: 'update', record: { ...record, meta } };
  }

  /**
   * False for the removal of a record in the working set, of which the feed alone tells, and of one
   * that is not here: it may be a creation whose answer is on its way.
   */
  #mayBeGone({ is, record }: ServerUpdateItem): boolean {
    if (is !== 'remove') return true;
    const known = this.serverRecord(record);
    return known !== null && !isInWorkingSet(known);
  }

  /** A record above `record` that is outside the working set, here or among what just came. */
  #outsideParent(
    record: StoreRecord,
    fresh: ReadonlyMap<string, ServerUpdateItem>,
  ): StoreRecord | null {
    for (const parent of parentsOf(record)) {
      const coming = fresh.get(keyOf(parent));
      const above = coming?.is === 'update' ? coming.record : this.serverRecord(parent);
      if (above !== null && !isInWorkingSet(above)) return above;
    }
    return null;
  }

  /**
   * Forgets records outside the working set to free space; those that a change of the person
   * concerns stay. They were not removed, and may come again.
   */
  forget(identities: readonly StoreIdentity[]): void {
    const remove = identities.filter((identity) => {
      const record = this.serverRecord(identity);
      return (
        record !== null && !isInWorkingSet(record) && !this.#serverRecords.has(keyOf(identity))
      );
    });
    this.#store.apply({ set: [], remove });
    this.#backup.enqueue({ records: new Map(remove.map((identity) => [keyOf(identity), null])) });
  }

  /** When the record was removed, by itself or with its parent; -1: it was not. */
  #removedAt(record: StoreRecord, isKnownWhen: boolean): number {
    if (this.#removed.size === 0) return -1;
    const keys = [record, ...(isKnownWhen ? parentsOf(record) : [])].map(keyOf);
    return Math.max(...keys.map((key) => this.#removed.get(key) ?? -1));
  }

  /**
   * Drops an outdated item: one of a lower version, or a record that was removed since it was
   * requested, by itself or with its parent.
   */
  #acceptIfNewer(
    item: ServerUpdateItem,
    requestedAt: number,
    fresh: Map<string, ServerUpdateItem>,
  ): void {
    const key = keyOf(item.record);
    const earlier = fresh.get(key);
    if (item.is === 'update') {
      // Nobody knows when another tab requested it, and its parent may have been removed before.
      const removedAt = this.#removedAt(item.record, requestedAt > 0);
      // A tab may look at what went with another organization, or with a change of rights.
      const isLookedAt = requestedAt === 0 && !isInWorkingSet(item.record);
      if (removedAt > requestedAt && !isLookedAt) {
        // The records below it that this answer brings were removed with it.
        this.#removed.set(key, removedAt);
        return;
      }
      const known =
        earlier?.is === 'update' ? earlier.record : this.#serverRecordOf(key, item.record);
      const isOlder = this.#beforeResync.delete(key);
      if (!isOlder && (known?.meta.version ?? 0) > item.record.meta.version) return;
      // The answer and the hub bring the same: it stays the same object, which enters the store once.
      const isKnown =
        known?.meta.version === item.record.meta.version &&
        !this.#interrupted.has(key) &&
        isSame(known, item.record);
      if (isKnown) item = { is: 'update', record: known };
    }
    // The position of the last one counts.
    if (earlier !== undefined) fresh.delete(key);
    fresh.set(key, item);
  }

  /**
   * Most items concern no change of the person: `plain` is shown as it is. The rest is `bound` to
   * pending changes and handled one by one.
   */
  #splitByPendingChanges(fresh: ReadonlyMap<string, ServerUpdateItem>): {
    plain: StoreRecord[];
    bound: Map<string, ServerUpdateItem>;
  } {
    const plain: StoreRecord[] = [];
    const bound = new Map<string, ServerUpdateItem>();
    // A record below one that is being removed may come in at any time.
    const { isRemoving } = this.#outbox.rows;
    const hasNoPendingChanges = this.#hasNoPendingChanges;
    for (const [key, item] of fresh) {
      // fault 30
      const isBound =
        !hasNoPendingChanges &&
        (isRemoving || this.#serverRecords.has(key) || this.#outbox.of(item.record).length > 0);
      if (isBound || item.is === 'remove') bound.set(key, item);
      else {
        this.#removed.delete(key);
        plain.push(item.record);
      }
    }
    return { plain, bound };
  }

  /**
   * Makes `bound` the server state. Returns what was removed, also with a parent, unless `fresh`
   * says that it is there.
   */
  #applyToServerState(
    bound: ReadonlyMap<string, ServerUpdateItem>,
    fresh: ReadonlyMap<string, ServerUpdateItem>,
  ): StoreIdentity[] {
    const removed: StoreIdentity[] = [];
    for (const [key, item] of bound) {
      if (item.is === 'remove') removed.push(item.record);
      else {
        this.#removed.delete(key);
        this.#setServerRecord(item.record, item.record);
      }
    }
    const gone = this.#below(removed).filter((identity) => {
      const isOwn = this.serverRecord(identity) === null;
      return !isOwn && fresh.get(keyOf(identity))?.is !== 'update';
    });
    gone.push(...removed);
    for (const identity of gone) {
      this.#removed.set(keyOf(identity), this.#now);
      this.#setServerRecord(identity, null);
    }
    return gone;
  }

  #setServerRecord({ type, id }: StoreIdentity, serverRecord: StoreRecord | null): void {
    const key = keyOf({ type, id });
    this.#serverRecords.set(key, serverRecord);
    this.#identities.set(key, { type, id });
  }

  #write(
    fresh: ReadonlyMap<string, ServerUpdateItem>,
    written: CopyWrite,
    facts: Partial<CopyMetadata> | undefined,
  ): void {
    const records = new Map<string, StoreRecord | null>();
    for (const [key, { is, record }] of fresh) records.set(key, is === 'update' ? record : null);
    if (records.size === 0 && facts === undefined && written.changes === undefined) return;
    this.#backup.enqueue({ ...written, records, ...(facts === undefined ? {} : { facts }) });
  }
}

/** Tells whether an update says which records the feed reports: its own pages, the hub, the leader. */
function isOfFeed({ isAfresh, isRelayed, changes, facts }: ServerUpdate): boolean {
  return (
    isAfresh === true || isRelayed === true || changes !== undefined || facts?.cursor !== undefined
  );
}

const identityOf = ({ type, id }: StoreIdentity): StoreIdentity => ({ type, id });

/** The records that take `record` along when they go (wire 16.1). */
function parentsOf(record: StoreRecord | null): StoreIdentity[] {
  if (record === null) return [];
  return resourceOf(record.type).below.flatMap((field) => record.relationships[field]?.data ?? []);
}

function removes(operation: StoreOperation, target: StoreIdentity): boolean {
  return operation.op === 'removeRecord' && keyOf(operation.record) === keyOf(target);
}
