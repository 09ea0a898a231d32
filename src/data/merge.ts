import type { ErrorObject } from '#protocol/problem.ts';
import { resourceOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Backup, Commit, Facts } from './backup.ts';
import { isUnderWay } from './change.ts';
import type { Change, ChangeState, FieldValues } from './change.ts';
import { keysOf } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import { DoesNotFit, identityFrom, isSame, keyOf, operate, recordFrom, valueOf } from './record.ts';
import type { StoreIdentity, StoreRecord } from './record.ts';
import type { Store } from './store.ts';

/** One thing that the server says: a record as this viewer may see it now, or that it is gone. */
export type NewsItem =
  | { readonly is: 'update'; readonly record: StoreRecord }
  | { readonly is: 'remove'; readonly record: StoreIdentity };

/** What became of one change. */
export interface Settled {
  readonly id: string;
  readonly state: ChangeState;
  readonly problem: ErrorObject | null;
}

/** One answer, hub message or page of the feed: shown and written as a whole. */
export interface News {
  readonly items: readonly NewsItem[];
  /** Ids of changes that these items are the effect of: acknowledged by them. */
  readonly changes?: readonly string[];
  readonly verdicts?: readonly Settled[];
  /** `Merge.now` when the request was made; what was removed since does not come back. */
  readonly asked?: number;
  readonly facts?: Partial<Facts>;
  /** Told by the leading tab, which writes it to the backup itself. */
  readonly isRelayed?: boolean;
}

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
  readonly #listeners = new Set<(news: News) => void>();
  #now = 0;

  constructor(store: Store, outbox: Outbox, backup: Backup) {
    this.#store = store;
    this.#outbox = outbox;
    this.#backup = backup;
  }

  /** Grows with every message; a request notes it when it is made. */
  get now(): number {
    return this.#now;
  }

  onMerged(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the server has, as far as is known. */
  truth(identity: StoreIdentity): StoreRecord | null {
    const shadow = this.#shadow.get(keyOf(identity));
    return shadow === undefined ? this.#store.record(identity) : shadow;
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

  /** Records from the backup: the server's, before anything is newer. */
  restore(records: readonly StoreRecord[]): void {
    const set: StoreRecord[] = [];
    for (const record of records) {
      const isCovered = this.#shadow.has(keyOf(record)) || this.#isChanged(record);
      if (isCovered) this.#cast(record, record);
      else set.push(record);
    }
    this.#store.apply({ set, remove: [] });
    this.resume();
  }

  #isChanged(identity: StoreIdentity): boolean {
    return this.#outbox.of(identity).some((row) => this.#outbox.shows(row));
  }

  /** Shows every change that shows, after a start or when another tab wrote. */
  resume(): void {
    const rows = this.#outbox.rows.filter((row) => this.#outbox.shows(row));
    this.cover(rows.flatMap((row) => row.operations.map(({ record }) => record)));
    this.show(this.covered());
  }

  /** Notes the server's state of what a change is about to cover. */
  cover(targets: readonly StoreIdentity[]): void {
    for (const target of targets) {
      for (const identity of [target, ...this.#store.below(target)]) {
        const key = keyOf(identity);
        if (this.#shadow.has(key)) continue;
        this.#shadow.set(key, this.#store.record(identity));
        this.#identities.set(key, { type: identity.type, id: identity.id });
      }
    }
  }

  /** Shows the records as they are now: the server's state and the changes under way. */
  show(targets: readonly StoreIdentity[]): void {
    const set: StoreRecord[] = [];
    const remove: StoreIdentity[] = [];
    for (const target of targets) {
      const shown = this.#shownOf(target);
      if (shown === null) remove.push({ type: target.type, id: target.id });
      else set.push(shown);
    }
    this.#store.apply({ set, remove });
    for (const target of targets) this.#uncover(target);
  }

  /** Every record that is covered, and so may show otherwise once a change is settled. */
  covered(): StoreIdentity[] {
    return [...this.#identities.values()];
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
    const { below } = resourceOf(record.type);
    return toOnesOf(record.type).some(([field]) => {
      const parent = below.includes(field) ? (record.relationships[field]?.data ?? null) : null;
      if (parent === null) return false;
      const isRemoved = this.#outbox
        .of(parent)
        .some((row) => isUnderWay(row) && row.operations.some((o) => removes(o, parent)));
      if (isRemoved) return true;
      const next = this.truth(parent);
      return next !== null && this.#isTakenAlong(next);
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

  /** Takes in one message: checked, merged, shown and written as a whole. */
  merge(news: News): void {
    this.#now += 1;
    const fresh = new Map<string, NewsItem>();
    for (const item of news.items) this.#admit(item, news.asked ?? this.#now, fresh);
    const settled = this.#settle(news, fresh);
    this.cover(settled.flatMap((row) => row.operations.map(({ record }) => record)));
    const gone = this.#enter(fresh);
    const written = this.#outbox.settle([...settled, ...this.#noteTheirs(fresh, settled)]);
    const targets = new Map([...fresh].map(([key, { record }]) => [key, record]));
    for (const identity of gone) targets.set(keyOf(identity), identity);
    if (settled.length > 0)
      for (const identity of this.covered()) targets.set(keyOf(identity), identity);
    this.show([...targets.values()]);
    if (news.isRelayed !== true) this.#write(fresh, gone, written, news.facts);
    for (const listener of this.#listeners) listener(news);
  }

  /** Old news is dropped: a lower version, or a record removed since it was asked for. */
  #admit(item: NewsItem, asked: number, fresh: Map<string, NewsItem>): void {
    const key = keyOf(item.record);
    if (item.is === 'update') {
      if ((this.#removed.get(key) ?? -1) > asked) return;
      const twin = fresh.get(key);
      const known = twin?.is === 'update' ? twin.record : this.truth(item.record);
      if ((known?.meta.version ?? 0) > item.record.meta.version) return;
    }
    fresh.delete(key);
    fresh.set(key, item);
  }

  /** Makes `fresh` the truth; gives what went because it was below something that went. */
  #enter(fresh: ReadonlyMap<string, NewsItem>): StoreIdentity[] {
    const gone: StoreIdentity[] = [];
    for (const [key, item] of fresh) {
      if (item.is === 'update') {
        this.#removed.delete(key);
        this.#cast(item.record, item.record);
        continue;
      }
      for (const identity of this.#store.below(item.record)) {
        const isOwn = this.truth(identity) === null;
        const isStated = fresh.get(keyOf(identity))?.is === 'update';
        if (!isOwn && !isStated) gone.push(identity);
      }
      gone.push(item.record);
    }
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

  /** The rows that this message settles, as they are then, dependants of refused ones too. */
  #settle({ changes = [], verdicts = [] }: News, fresh: ReadonlyMap<string, NewsItem>): Change[] {
    const settled = new Map<number, Change>();
    const acknowledged = changes.map((id) => ({ id, state: 'done' as const, problem: null }));
    for (const { id, state, problem } of [...acknowledged, ...verdicts]) {
      const row = this.#outbox.find(id);
      if (row === null || !isUnderWay(row)) continue;
      settled.set(row.seq, { ...row, state, problem });
      if (state === 'done') this.#advanceBases(row, fresh, settled);
      else if (state !== 'waiting')
        for (const dependant of this.#outbox.dependants(row))
          if (isUnderWay(dependant) && !settled.has(dependant.seq))
            settled.set(dependant.seq, { ...dependant, state: 'held' });
    }
    return [...settled.values()];
  }

  /** Where the server made another value of what was sent, later own changes start from that. */
  #advanceBases(
    row: Change,
    fresh: ReadonlyMap<string, NewsItem>,
    settled: Map<number, Change>,
  ): void {
    for (const later of this.#outbox.dependants(row)) {
      if (!later.dependsOn.includes(row.seq)) continue;
      const current = settled.get(later.seq) ?? later;
      const base = current.base.map((seen, i) => {
        const target = current.operations[i]?.record;
        const item = target === undefined ? undefined : fresh.get(keyOf(target));
        if (item?.is !== 'update') return seen;
        return Object.fromEntries(
          Object.entries(seen).map(([field, value]) => {
            const isOurs = keysOf(row).includes(keyOf(item.record)) && stated(row, item, field);
            return [field, isOurs ? valueOf(item.record, field) : value];
          }),
        );
      });
      if (!isSame(base, current.base)) settled.set(later.seq, { ...current, base });
    }
  }

  /** Notes, on rows that are not settled now, what the server says of the fields they replace. */
  #noteTheirs(fresh: ReadonlyMap<string, NewsItem>, settled: readonly Change[]): readonly Change[] {
    const changed: Change[] = [];
    for (const item of fresh.values()) {
      if (item.is !== 'update') continue;
      for (const row of this.#outbox.of(item.record)) {
        if (settled.some((other) => other.seq === row.seq)) continue;
        const theirs = row.operations.map((operation, i) =>
          keyOf(operation.record) === keyOf(item.record)
            ? { ...row.theirs[i], ...differing(row.base[i] ?? {}, item.record) }
            : (row.theirs[i] ?? {}),
        );
        if (!isSame(theirs, row.theirs)) changed.push({ ...row, theirs });
      }
    }
    return changed;
  }

  #write(
    fresh: ReadonlyMap<string, NewsItem>,
    gone: readonly StoreIdentity[],
    written: Commit,
    facts: Partial<Facts> | undefined,
  ): void {
    const set = [...fresh.values()].flatMap((item) => (item.is === 'update' ? item.record : []));
    if (set.length + gone.length === 0 && facts === undefined && written.changes === undefined)
      return;
    this.#backup.later({ ...written, set, gone, ...(facts === undefined ? {} : { facts }) });
  }
}

function removes(operation: Change['operations'][number], target: StoreIdentity): boolean {
  return operation.op === 'removeRecord' && keyOf(operation.record) === keyOf(target);
}

function stated(row: Change, { record }: { record: StoreRecord }, field: string): boolean {
  return row.operations.some(
    (operation) =>
      keyOf(operation.record) === keyOf(record) &&
      operation.op !== 'removeRecord' &&
      valueOf(operation.record, field) !== undefined,
  );
}

/** The fields of `base` of which the server has another value. */
function differing(base: FieldValues, record: StoreRecord): FieldValues {
  return Object.fromEntries(
    Object.entries(base).flatMap(([field, seen]) => {
      const value = valueOf(record, field);
      return isSame(seen, value) ? [] : [[field, value]];
    }),
  );
}
