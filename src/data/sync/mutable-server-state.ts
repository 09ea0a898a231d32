import type { ServerUpdateItem, ServerUpdate, CopyMetadata } from '../model/server-update.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Backup, CopyWrite } from '../storage/backup.ts';
import { isUnderWay } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { DoesNotFit, identityFrom, keyOf, operate, recordFrom } from '../model/record.ts';
import type { StoreIdentity, StoreOperation, StoreRecord } from '../model/record.ts';
import { noteServerValues, applyVerdicts } from '../outbox/apply-verdicts.ts';
import { parentTypes } from '../store/store.ts';
import type { RecordStore } from '../store/store.ts';

/** Hears what came in, and what of that counted, which other tabs are to take. */
type ServerUpdateListener = (news: ServerUpdate, told: ServerUpdate) => void;

/**
 * What came in as items. What does not fit the schema is left out and told to `leftOut`: the good
 * part of a message shows all the same.
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
 * The one way in: answers, hub messages and catch-up all enter the local copy here. It knows the
 * server's state (`truth`), of which the store shows the person's waiting changes on top.
 */
export class MutableServerState {
  readonly #store: RecordStore;
  readonly #outbox: Outbox;
  readonly #backup: Backup;
  /** The server's state of records that the store shows otherwise; null: the server has none. */
  readonly #serverRecords = new Map<string, StoreRecord | null>();
  readonly #identities = new Map<string, StoreIdentity>();
  readonly #removed = new Map<string, number>();
  readonly #listeners = new Set<ServerUpdateListener>();
  #now = 0;
  #resyncCount = 0;
  /** Keys of what was here when all was asked for afresh, and has not come again. */
  #beforeResync = new Set<string>();

  constructor(store: RecordStore, outbox: Outbox, backup: Backup) {
    this.#store = store;
    this.#outbox = outbox;
    this.#backup = backup;
  }

  /** Grows with every message; a request notes it when it is made. */
  get now(): number {
    return this.#now;
  }

  /** Grows when all is asked for afresh: who asked before may be answered by another database. */
  get resyncCount(): number {
    return this.#resyncCount;
  }

  /** From now on what is here counts as older than what comes, whatever its version says. */
  beginResync(): void {
    this.#resyncCount += 1;
    this.#beforeResync = new Set(this.allServerRecords().map(keyOf));
  }

  onApplied(listener: ServerUpdateListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the server has, as far as is known. */
  serverRecord(identity: StoreIdentity): StoreRecord | null {
    return this.#serverRecordOf(keyOf(identity), identity);
  }

  #serverRecordOf(key: string, identity: StoreIdentity): StoreRecord | null {
    const shadow = this.#serverRecords.get(key);
    return shadow === undefined ? this.#store.record(identity) : shadow;
  }

  /** What the device shows: the server's record with the changes under way on top. */
  visibleRecord(identity: StoreIdentity): StoreRecord | null {
    return resourceOf(identity.type).isStored ? this.#store.record(identity) : null;
  }

  /**
   * Whether the feed tells what becomes of `record`: not where what it is below is neither here nor
   * among what comes along.
   */
  isTrackedByFeed(record: StoreRecord | null, along: readonly ServerUpdateItem[] = []): boolean {
    return parentsOf(record).every((parent) => {
      const key = keyOf(parent);
      const coming = along.find((item) => item.is === 'update' && keyOf(item.record) === key);
      const above = coming?.is === 'update' ? coming.record : this.serverRecord(parent);
      return above !== null && this.isTrackedByFeed(above, along);
    });
  }

  /** Whether the record was here and is gone, in this session. */
  wasRemoved(identity: StoreIdentity): boolean {
    return this.#removed.has(keyOf(identity));
  }

  /** Every record that the server has, for the backup's fold and for a fresh start. */
  allServerRecords(): StoreRecord[] {
    const shown = Object.keys(this.#store.schema.models).flatMap((type) =>
      this.#store.all(type as TypeName).filter((record) => !this.#serverRecords.has(keyOf(record))),
    );
    return [...shown, ...[...this.#serverRecords.values()].filter((record) => record !== null)];
  }

  /**
   * Records from the backup: the server's, before anything is newer. What the person made or removed
   * shows with `resume`.
   */
  restore(records: readonly StoreRecord[]): void {
    const plain: StoreRecord[] = [];
    const changed: StoreRecord[] = [];
    const isUntouched = this.#hasNoPendingChanges;
    for (const record of records) {
      const isCovered =
        !isUntouched && (this.#serverRecords.has(keyOf(record)) || this.#hasPendingChange(record));
      if (isCovered) this.#setServerRecord(record, record);
      (isCovered ? changed : plain).push(record);
    }
    this.rebaseRecords(changed, plain);
  }

  /** Whether no change of the person's concerns any record. */
  get #hasNoPendingChanges(): boolean {
    const { waiting, attention } = this.#outbox.rows.counts;
    return this.#serverRecords.size + waiting + attention === 0;
  }

  #hasPendingChange(identity: StoreIdentity): boolean {
    return this.#outbox.of(identity).some((row) => this.#outbox.isShown(row));
  }

  /** Shows every change that shows, after a start or when another tab wrote. */
  showPendingChanges(): void {
    this.rebase([...this.#outbox.rows.all()].filter((row) => this.#outbox.isShown(row)));
  }

  /** Shows anew what `rows` touch or touched. */
  rebase(rows: readonly Change[]): void {
    this.rebaseRecords(this.#affectedBy(rows));
  }

  /** Every record of which `rows` may change how it shows: of a removal also what is below. */
  #affectedBy(rows: readonly Change[]): StoreIdentity[] {
    const operations = rows
      .flatMap((row) => row.operations)
      .filter(({ record }) => resourceOf(record.type).isStored);
    this.rememberServerRecords(operations);
    const affected = new Map(operations.map(({ record }) => [keyOf(record), identityOf(record)]));
    const removed = operations.flatMap(({ op, record }) => (op === 'removeRecord' ? record : []));
    for (const identity of this.#below(removed)) affected.set(keyOf(identity), identity);
    return [...affected.values()];
  }

  /** Everything below `parents`, also what a change of the person's hides. */
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

  /** Notes the server's state of what changes are about to cover: a removal also what is below. */
  rememberServerRecords(operations: readonly StoreOperation[]): void {
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
   * Shows the records as they are now: the server's state and the changes under way; with them, as
   * they are, records that no change concerns.
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
    const truth = this.serverRecord(target);
    let shown = truth;
    for (const row of this.#outbox.of(target)) {
      // What needs the person shows only where the server has nothing at all.
      if (!this.#outbox.isShown(row) || (truth !== null && !isUnderWay(row))) continue;
      for (const operation of row.operations)
        if (keyOf(operation.record) === keyOf(target)) shown = operate(shown, operation);
    }
    return shown !== null && this.#isRemovedWithParent(shown) ? null : shown;
  }

  /** Whether it lies below a record that a change under way removes. */
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

  /** Forgets the truth of a record that the store shows as it is. */
  #forgetServerRecord(target: StoreIdentity): void {
    const key = keyOf(target);
    const truth = this.#serverRecords.get(key);
    if (truth === undefined || truth !== this.#store.record(target)) return;
    if (this.#hasPendingChange(target)) return;
    this.#serverRecords.delete(key);
    this.#identities.delete(key);
  }

  /**
   * Takes in one message: checked, merged, shown and written as a whole. `asked` is what `now` was
   * when it was asked for: what was removed since does not come back. Nobody asked for what is told.
   */
  apply(news: ServerUpdate, asked = Infinity): void {
    this.#now += 1;
    const fresh = new Map<string, ServerUpdateItem>();
    for (const item of news.items) this.#acceptIfNewer(item, asked, fresh);
    const { changed: settled, out } = applyVerdicts(this.#outbox, news, fresh);
    const affected = this.#affectedBy([...settled, ...out]);
    const { plain, bound } = this.#splitByPendingChanges(fresh);
    const gone = this.#applyToServerState(bound, fresh);
    const noted = noteServerValues(this.#outbox, bound, [...settled, ...out]);
    const written = this.#outbox.applyResults([...settled, ...noted], out);
    const targets = new Map([...bound].map(([key, { record }]) => [key, record]));
    for (const identity of gone) targets.set(keyOf(identity), identity);
    for (const identity of affected) targets.set(keyOf(identity), identity);
    this.rebaseRecords([...targets.values()], plain);
    if (news.isRelayed !== true) this.#write(fresh, gone, written, news.facts);
    const told = { ...news, items: [...fresh.values()] };
    for (const listener of this.#listeners) listener(news, told);
  }

  /** When the record went, by itself or with what it is below; -1: it did not. */
  #removedAt(record: StoreRecord, isKnownWhen: boolean): number {
    if (this.#removed.size === 0) return -1;
    const keys = [record, ...(isKnownWhen ? parentsOf(record) : [])].map(keyOf);
    return Math.max(...keys.map((key) => this.#removed.get(key) ?? -1));
  }

  /**
   * Old news is dropped: a lower version, or a record removed since it was asked for, by itself or
   * with what it is below.
   */
  #acceptIfNewer(
    item: ServerUpdateItem,
    asked: number,
    fresh: Map<string, ServerUpdateItem>,
  ): void {
    const key = keyOf(item.record);
    const twin = fresh.get(key);
    if (item.is === 'update') {
      // Of what another tab asked for nobody knows when, and what it is below may have gone before.
      const wentAt = this.#removedAt(item.record, asked > 0);
      if (wentAt > asked) {
        // What this answer brings of below it went with it.
        this.#removed.set(key, wentAt);
        return;
      }
      const known = twin?.is === 'update' ? twin.record : this.#serverRecordOf(key, item.record);
      const isOlder = this.#beforeResync.delete(key);
      if (!isOlder && (known?.meta.version ?? 0) > item.record.meta.version) return;
    }
    // The last one says when it comes.
    if (twin !== undefined) fresh.delete(key);
    fresh.set(key, item);
  }

  /**
   * Most of what comes in concerns no change of the person's: `plain` is shown as it is. The rest is
   * `bound` to what the person did, and looked at one by one.
   */
  #splitByPendingChanges(fresh: ReadonlyMap<string, ServerUpdateItem>): {
    plain: StoreRecord[];
    bound: Map<string, ServerUpdateItem>;
  } {
    const plain: StoreRecord[] = [];
    const bound = new Map<string, ServerUpdateItem>();
    // What is below a record that is being removed may come in at any time.
    const { isRemoving } = this.#outbox.rows;
    const isUntouched = this.#hasNoPendingChanges;
    for (const [key, item] of fresh) {
      // fault 30
      const isBound =
        !isUntouched &&
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
   * Makes `bound` the truth; gives what went because it was below something that went, unless
   * `fresh` says that it is there.
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

  #setServerRecord({ type, id }: StoreIdentity, truth: StoreRecord | null): void {
    const key = keyOf({ type, id });
    this.#serverRecords.set(key, truth);
    this.#identities.set(key, { type, id });
  }

  #write(
    fresh: ReadonlyMap<string, ServerUpdateItem>,
    gone: readonly StoreIdentity[],
    written: CopyWrite,
    facts: Partial<CopyMetadata> | undefined,
  ): void {
    const records = new Map<string, StoreRecord | null>();
    for (const [key, item] of fresh) if (item.is === 'update') records.set(key, item.record);
    for (const identity of gone) records.set(keyOf(identity), null);
    if (records.size === 0 && facts === undefined && written.changes === undefined) return;
    this.#backup.enqueue({ ...written, records, ...(facts === undefined ? {} : { facts }) });
  }
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
