import type { NewsItem, News, Facts } from '../model/server-update.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Backup, Commit } from '../storage/backup.ts';
import { isUnderWay } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { DoesNotFit, identityFrom, keyOf, operate, recordFrom } from '../model/record.ts';
import type { StoreIdentity, StoreOperation, StoreRecord } from '../model/record.ts';
import { noteTheirs, settle } from '../outbox/settling.ts';
import { parentTypes } from '../store/store.ts';
import type { Store } from '../store/store.ts';

/** Hears what came in, and what of that counted, which other tabs are to take. */
type Listener = (news: News, told: News) => void;

/**
 * What came in as items. What does not fit the schema is left out and told to `leftOut`: the good
 * part of a message shows all the same.
 */
export function itemsFrom(
  operations: readonly unknown[],
  leftOut: (why: string) => void,
): NewsItem[] {
  const items: NewsItem[] = [];
  for (const operation of operations) {
    try {
      items.push(itemFrom(operation));
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
      leftOut(error.message);
    }
  }
  return items;
}

function itemFrom(operation: unknown): NewsItem {
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
export class Merge {
  readonly #store: Store;
  readonly #outbox: Outbox;
  readonly #backup: Backup;
  /** The server's state of records that the store shows otherwise; null: the server has none. */
  readonly #shadow = new Map<string, StoreRecord | null>();
  readonly #identities = new Map<string, StoreIdentity>();
  readonly #removed = new Map<string, number>();
  readonly #listeners = new Set<Listener>();
  #now = 0;
  #turn = 0;
  /** Keys of what was here when all was asked for afresh, and has not come again. */
  #older = new Set<string>();

  constructor(store: Store, outbox: Outbox, backup: Backup) {
    this.#store = store;
    this.#outbox = outbox;
    this.#backup = backup;
  }

  /** Grows with every message; a request notes it when it is made. */
  get now(): number {
    return this.#now;
  }

  /** Grows when all is asked for afresh: who asked before may be answered by another database. */
  get turn(): number {
    return this.#turn;
  }

  /** From now on what is here counts as older than what comes, whatever its version says. */
  startAfresh(): void {
    this.#turn += 1;
    this.#older = new Set(this.allTruth().map(keyOf));
  }

  onMerged(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the server has, as far as is known. */
  truth(identity: StoreIdentity): StoreRecord | null {
    return this.#truthOf(keyOf(identity), identity);
  }

  #truthOf(key: string, identity: StoreIdentity): StoreRecord | null {
    const shadow = this.#shadow.get(key);
    return shadow === undefined ? this.#store.record(identity) : shadow;
  }

  /** What the device shows: the server's record with the changes under way on top. */
  shown(identity: StoreIdentity): StoreRecord | null {
    return resourceOf(identity.type).isStored ? this.#store.record(identity) : null;
  }

  /**
   * Whether the feed tells what becomes of `record`: not where what it is below is neither here nor
   * among what comes along.
   */
  isKeptUp(record: StoreRecord | null, along: readonly NewsItem[] = []): boolean {
    return parentsOf(record).every((parent) => {
      const key = keyOf(parent);
      const coming = along.find((item) => item.is === 'update' && keyOf(item.record) === key);
      const above = coming?.is === 'update' ? coming.record : this.truth(parent);
      return above !== null && this.isKeptUp(above, along);
    });
  }

  /** Whether the record was here and is gone, in this session. */
  wasRemoved(identity: StoreIdentity): boolean {
    return this.#removed.has(keyOf(identity));
  }

  /** Every record that the server has, for the backup's fold and for a fresh start. */
  allTruth(): StoreRecord[] {
    const shown = Object.keys(this.#store.schema.models).flatMap((type) =>
      this.#store.all(type as TypeName).filter((record) => !this.#shadow.has(keyOf(record))),
    );
    return [...shown, ...[...this.#shadow.values()].filter((record) => record !== null)];
  }

  /**
   * Records from the backup: the server's, before anything is newer. What the person made or removed
   * shows with `resume`.
   */
  restore(records: readonly StoreRecord[]): void {
    const plain: StoreRecord[] = [];
    const changed: StoreRecord[] = [];
    const isUntouched = this.#isUntouched;
    for (const record of records) {
      const isCovered =
        !isUntouched && (this.#shadow.has(keyOf(record)) || this.#isChanged(record));
      if (isCovered) this.#cast(record, record);
      (isCovered ? changed : plain).push(record);
    }
    this.show(changed, plain);
  }

  /** Whether no change of the person's concerns any record. */
  get #isUntouched(): boolean {
    const { waiting, attention } = this.#outbox.rows.counts;
    return this.#shadow.size + waiting + attention === 0;
  }

  #isChanged(identity: StoreIdentity): boolean {
    return this.#outbox.of(identity).some((row) => this.#outbox.shows(row));
  }

  /** Shows every change that shows, after a start or when another tab wrote. */
  resume(): void {
    this.reshow([...this.#outbox.rows.all()].filter((row) => this.#outbox.shows(row)));
  }

  /** Shows anew what `rows` touch or touched. */
  reshow(rows: readonly Change[]): void {
    this.show(this.#affectedBy(rows));
  }

  /** Every record of which `rows` may change how it shows: of a removal also what is below. */
  #affectedBy(rows: readonly Change[]): StoreIdentity[] {
    const operations = rows
      .flatMap((row) => row.operations)
      .filter(({ record }) => resourceOf(record.type).isStored);
    this.cover(operations);
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
    const record = this.truth(identity);
    return parentsOf(record).some(
      (parent) => keys.has(keyOf(parent)) || this.#isBelow(parent, keys),
    );
  }

  /** Notes the server's state of what changes are about to cover: a removal also what is below. */
  cover(operations: readonly StoreOperation[]): void {
    for (const { op, record } of operations) {
      this.#cover(record);
      if (op === 'removeRecord') for (const below of this.#store.below(record)) this.#cover(below);
    }
  }

  #cover(identity: StoreIdentity): void {
    const key = keyOf(identity);
    if (this.#shadow.has(key)) return;
    this.#shadow.set(key, this.#store.record(identity));
    this.#identities.set(key, identityOf(identity));
  }

  /**
   * Shows the records as they are now: the server's state and the changes under way; with them, as
   * they are, records that no change concerns.
   */
  show(targets: readonly StoreIdentity[], plain: readonly StoreRecord[] = []): void {
    const set = [...plain];
    const remove: StoreIdentity[] = [];
    for (const target of targets) {
      if (this.#isChanged(target)) this.#cover(target);
      const shown = this.#shownOf(target);
      if (shown === null) remove.push({ type: target.type, id: target.id });
      else set.push(shown);
    }
    this.#store.apply({ set, remove });
    for (const target of targets) this.#uncover(target);
  }

  #shownOf(target: StoreIdentity): StoreRecord | null {
    const truth = this.truth(target);
    let shown = truth;
    for (const row of this.#outbox.of(target)) {
      // What needs the person shows only where the server has nothing at all.
      if (!this.#outbox.shows(row) || (truth !== null && !isUnderWay(row))) continue;
      for (const operation of row.operations)
        if (keyOf(operation.record) === keyOf(target)) shown = operate(shown, operation);
    }
    return shown !== null && this.#isTakenAlong(shown) ? null : shown;
  }

  /** Whether it lies below a record that a change under way removes. */
  #isTakenAlong(record: StoreRecord): boolean {
    return this.#outbox.rows.isRemoving && this.#isBelowRemoved(record);
  }

  #isBelowRemoved(record: StoreRecord): boolean {
    return parentsOf(record).some((parent) => {
      const isRemoved = this.#outbox
        .of(parent)
        .some((row) => isUnderWay(row) && row.operations.some((o) => removes(o, parent)));
      if (isRemoved) return true;
      const next = this.truth(parent);
      return next !== null && this.#isBelowRemoved(next);
    });
  }

  /** Forgets the truth of a record that the store shows as it is. */
  #uncover(target: StoreIdentity): void {
    const key = keyOf(target);
    const truth = this.#shadow.get(key);
    if (truth === undefined || truth !== this.#store.record(target)) return;
    if (this.#isChanged(target)) return;
    this.#shadow.delete(key);
    this.#identities.delete(key);
  }

  /**
   * Takes in one message: checked, merged, shown and written as a whole. `asked` is what `now` was
   * when it was asked for: what was removed since does not come back. Nobody asked for what is told.
   */
  merge(news: News, asked = Infinity): void {
    this.#now += 1;
    const fresh = new Map<string, NewsItem>();
    for (const item of news.items) this.#admit(item, asked, fresh);
    const { changed: settled, out } = settle(this.#outbox, news, fresh);
    const affected = this.#affectedBy([...settled, ...out]);
    const { plain, bound } = this.#part(fresh);
    const gone = this.#enter(bound, fresh);
    const noted = noteTheirs(this.#outbox, bound, [...settled, ...out]);
    const written = this.#outbox.settle([...settled, ...noted], out);
    const targets = new Map([...bound].map(([key, { record }]) => [key, record]));
    for (const identity of gone) targets.set(keyOf(identity), identity);
    for (const identity of affected) targets.set(keyOf(identity), identity);
    this.show([...targets.values()], plain);
    if (news.isRelayed !== true) this.#write(fresh, gone, written, news.facts);
    const told = { ...news, items: [...fresh.values()] };
    for (const listener of this.#listeners) listener(news, told);
  }

  /** When the record went, by itself or with what it is below; -1: it did not. */
  #wentAt(record: StoreRecord, isKnownWhen: boolean): number {
    if (this.#removed.size === 0) return -1;
    const keys = [record, ...(isKnownWhen ? parentsOf(record) : [])].map(keyOf);
    return Math.max(...keys.map((key) => this.#removed.get(key) ?? -1));
  }

  /**
   * Old news is dropped: a lower version, or a record removed since it was asked for, by itself or
   * with what it is below.
   */
  #admit(item: NewsItem, asked: number, fresh: Map<string, NewsItem>): void {
    const key = keyOf(item.record);
    const twin = fresh.get(key);
    if (item.is === 'update') {
      // Of what another tab asked for nobody knows when, and what it is below may have gone before.
      const wentAt = this.#wentAt(item.record, asked > 0);
      if (wentAt > asked) {
        // What this answer brings of below it went with it.
        this.#removed.set(key, wentAt);
        return;
      }
      const known = twin?.is === 'update' ? twin.record : this.#truthOf(key, item.record);
      const isOlder = this.#older.delete(key);
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
  #part(fresh: ReadonlyMap<string, NewsItem>): {
    plain: StoreRecord[];
    bound: Map<string, NewsItem>;
  } {
    const plain: StoreRecord[] = [];
    const bound = new Map<string, NewsItem>();
    // What is below a record that is being removed may come in at any time.
    const { isRemoving } = this.#outbox.rows;
    const isUntouched = this.#isUntouched;
    for (const [key, item] of fresh) {
      const isBound =
        !isUntouched &&
        (isRemoving || this.#shadow.has(key) || this.#outbox.of(item.record).length > 0);
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
  #enter(
    bound: ReadonlyMap<string, NewsItem>,
    fresh: ReadonlyMap<string, NewsItem>,
  ): StoreIdentity[] {
    const removed: StoreIdentity[] = [];
    for (const [key, item] of bound) {
      if (item.is === 'remove') removed.push(item.record);
      else {
        this.#removed.delete(key);
        this.#cast(item.record, item.record);
      }
    }
    const gone = this.#below(removed).filter((identity) => {
      const isOwn = this.truth(identity) === null;
      return !isOwn && fresh.get(keyOf(identity))?.is !== 'update';
    });
    gone.push(...removed);
    for (const identity of gone) {
      this.#removed.set(keyOf(identity), this.#now);
      this.#cast(identity, null);
    }
    return gone;
  }

  #cast({ type, id }: StoreIdentity, truth: StoreRecord | null): void {
    const key = keyOf({ type, id });
    this.#shadow.set(key, truth);
    this.#identities.set(key, { type, id });
  }

  #write(
    fresh: ReadonlyMap<string, NewsItem>,
    gone: readonly StoreIdentity[],
    written: Commit,
    facts: Partial<Facts> | undefined,
  ): void {
    const records = new Map<string, StoreRecord | null>();
    for (const [key, item] of fresh) if (item.is === 'update') records.set(key, item.record);
    for (const identity of gone) records.set(keyOf(identity), null);
    if (records.size === 0 && facts === undefined && written.changes === undefined) return;
    this.#backup.later({ ...written, records, ...(facts === undefined ? {} : { facts }) });
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
