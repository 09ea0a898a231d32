import { MemorySource } from '@orbit/memory';
import type { RecordTransform, RecordTransformResult } from '@orbit/records';
import { resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { Find } from '#rules/find.ts';
import { flatten, isInWorkingSet, orbitSchema } from '../model/record.ts';
import type { StoreIdentity, StoreOperation, StoreRecord } from '../model/record.ts';
import { StoreCache } from './store-cache.ts';
import { ToOneIndex } from './to-one-index.ts';

/** One changed record: `before` and `after`, null where there was or is none. */
export interface Touch extends StoreIdentity {
  readonly before: StoreRecord | null;
  readonly after: StoreRecord | null;
}

/** The records to set, and those to remove. */
export interface RecordBatch {
  readonly set: readonly StoreRecord[];
  readonly remove: readonly StoreIdentity[];
}

/** The to-ones by which a record is below another: `author` by `project` and `user`. */
const belowFields = storedTypes.flatMap((type) =>
  toOnesOf(type)
    .filter(([field]) => resourceOf(type).below.includes(field))
    .map(([field, { to }]) => ({ type, field, to })),
);

/** A to-one, and the id of the record that it names. */
export interface ToOneLink {
  readonly field: string;
  readonly to: string;
}

/** The first to-one of `type` for which `filter` names a record; null: there is none. */
export function linkIn(type: TypeName, filter: object): ToOneLink | null {
  for (const [field, to] of Object.entries(filter) as [string, unknown][])
    if (typeof to === 'string' && toOnesOf(type).some(([name]) => name === field))
      return { field, to };
  return null;
}

/**
 * Tells whether `where` names a record that those of `type` are below. Who looks at one outside the
 * working set has all of them; other lists would show a part of theirs as the whole.
 */
export function isBelowOne(type: TypeName, where: object): boolean {
  return resourceOf(type).below.some(
    (field) => typeof (where as Readonly<Record<string, unknown>>)[field] === 'string',
  );
}

/** Types that have something below them. */
export const parentTypes: ReadonlySet<TypeName> = new Set(belowFields.map(({ to }) => to));

/**
 * The records that screens read: the server state with this user's pending changes on top. Every
 * write, of whatever size, is one batch through the cache's bulk calls: listeners see all of it or
 * nothing. To-manys are answered by an index of to-ones, so a child never costs a copy of its
 * parent.
 */
export class RecordStore extends MemorySource {
  /**
   * The records that point to an id, by type and to-one. Made at the first use, then kept up to
   * date.
   */
  readonly #indexes = new Map<TypeName, Map<string, ToOneIndex>>();
  readonly #listeners = new Set<(touched: readonly Touch[]) => void>();
  readonly #flat = new WeakMap<StoreRecord, AnyRecord>();

  constructor() {
    super({
      schema: orbitSchema(),
      name: 'store',
      autoActivate: false,
      autoValidate: false,
      cacheClass: StoreCache,
      // They would prepare transforms of the cache, of which there are none.
      cacheSettings: { processors: [] },
    });
    // The caller of a failed task knows of it; left at the head it would block the queue for ever.
    this.requestQueue.on('fail', () => this.requestQueue.skip());
  }

  record({ type, id }: StoreIdentity): StoreRecord | null {
    return (this.cache.getRecordSync({ type, id }) as StoreRecord | undefined) ?? null;
  }

  all(type: TypeName): readonly StoreRecord[] {
    return this.cache.getRecordsSync(type) as unknown as StoreRecord[];
  }

  /** The record flat, the same object while nothing of it changes. */
  flat<T extends TypeName>(record: StoreRecord): Of<T> {
    const flat = this.#flat.get(record) ?? flatten(record);
    this.#flat.set(record, flat);
    return flat as unknown as Of<T>;
  }

  /** Ids of the records of `type` whose to-one `field` is `id`. */
  children(type: TypeName, field: string, id: string): ReadonlySet<string> {
    const ofType = this.#indexes.get(type) ?? new Map<string, ToOneIndex>();
    this.#indexes.set(type, ofType);
    const index = ofType.get(field) ?? new ToOneIndex(field, this.all(type));
    ofType.set(field, index);
    return index.to(id);
  }

  /** Everything below `parent` (wire 16.1), at any depth, `parent` left out. */
  below(parent: StoreIdentity): StoreIdentity[] {
    const found: StoreIdentity[] = [];
    for (const { type, field, to } of belowFields) {
      if (to !== parent.type) continue;
      for (const id of this.children(type, field, parent.id))
        found.push({ type, id }, ...this.below({ type, id }));
    }
    return found;
  }

  /** Tells whether other records of its type are here that are below the same record. */
  hasSiblings({ type, relationships }: StoreRecord): boolean {
    return resourceOf(type).below.some((field) => {
      const above = relationships[field]?.data?.id;
      return above !== undefined && this.children(type, field, above).size > 0;
    });
  }

  /** Rules read the local copy through this. */
  readonly find: Find = {
    one: <T extends TypeName>(type: T, id: string): Of<T> | null => {
      const record = this.record({ type, id });
      return record === null ? null : this.flat<T>(record);
    },
    all: <T extends TypeName>(type: T, where: Partial<Of<T>>): readonly Of<T>[] => {
      const wanted = Object.entries(where);
      const isAnywhere = isBelowOne(type, where);
      return this.linked(type, linkIn(type, where))
        .filter((record) => isAnywhere || isInWorkingSet(record))
        .map((record) => this.flat<T>(record))
        .filter((flat) =>
          wanted.every(([field, value]) => (flat as Record<string, unknown>)[field] === value),
        );
    },
  };

  /** Records of `type`: all, or those that `link` to a record. */
  linked(type: TypeName, link: ToOneLink | null): readonly StoreRecord[] {
    if (link === null) return this.all(type);
    const { field, to } = link;
    return [...this.children(type, field, to)].flatMap((id) => this.record({ type, id }) ?? []);
  }

  /** Calls `listener` for every batch once it is applied. */
  onBatch(listener: (touched: readonly Touch[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The only way in. Records that stay the same object are not touched. */
  apply({ set, remove }: RecordBatch): void {
    const touched: Touch[] = [];
    const fresh: StoreRecord[] = [];
    for (const after of set) {
      const before = this.record(after);
      if (before === after) continue;
      fresh.push(after);
      touched.push({ type: after.type, id: after.id, before, after });
    }
    for (const { type, id } of remove) {
      const before = this.record({ type, id });
      if (before !== null) touched.push({ type, id, before, after: null });
    }
    if (touched.length === 0) return;
    // fault 39
    this.cache.setRecordsSync(fresh);
    // fault 39
    this.cache.removeRecordsSync([...remove]);
    this.#link(touched);
    this.#notify(touched);
  }

  #link(touched: readonly Touch[]): void {
    for (const { type, id, before, after } of touched)
      for (const index of this.#indexes.get(type)?.values() ?? []) index.take(id, before, after);
  }

  #notify(touched: readonly Touch[]): void {
    if (this.cache.listeners('patch').length > 0)
      for (const { type, id, after } of touched) {
        const operation =
          after === null
            ? { op: 'removeRecord', record: { type, id } }
            : { op: 'updateRecord', record: after };
        this.cache.emit('patch', operation, after);
      }
    for (const listener of this.#listeners) listener(touched);
  }

  /** Shows a person's change: the server's record with it and all that wait on top. */
  showChange: (operations: readonly StoreOperation[]) => void = () => undefined;

  /** Orbit calls it with a person's change once that is durable (`coordinators.ts`). */
  protected override _applyTransform(transform: RecordTransform): RecordTransformResult {
    const operations = [transform.operations].flat() as unknown as StoreOperation[];
    this.showChange(operations);
    return operations.map(({ record }) => this.record(record)) as unknown as RecordTransformResult;
  }
}
