import { sql } from 'kysely';
import { access, fieldScope } from '#rules/access.ts';
import type { Find } from '#rules/find.ts';
import { audienceOf } from '#rules/scope.ts';
import type { Audience, Scope } from '#rules/scope.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { ScopeFacts } from '../db/feed-row.ts';
import type { Journal, Side, Touched } from '../db/journal.ts';
import { columnOf, columnsOf, recordOf, tableOf } from '../db/tables.ts';
import { belongingScope, feedScope, ownFieldOf } from './feed-scope.ts';

/** A list that scopes read: records of a type, by one to-one. */
type List = `${TypeName}/${string}`;

/**
 * The records related to what a transaction touched, as they were before it and as they are now.
 * Untouched ones are the same on both sides and are read once, many at a time: a lookup of one that
 * is not read yet returns nothing and notes it, and is repeated after `load`.
 */
export class RelatedRecords {
  readonly #tx: DatabaseTransaction;
  readonly #journal: Journal;
  readonly #records = new Map<string, AnyRecord | null>();
  readonly #lists = new Map<string, readonly AnyRecord[]>();
  readonly #wanted = new Map<TypeName, Set<string>>();
  readonly #wantedLists = new Map<List, Set<string>>();

  constructor(tx: DatabaseTransaction, journal: Journal) {
    this.#tx = tx;
    this.#journal = journal;
  }

  /** Returns the records as they are on `side`, for rules and scopes. */
  find(side: Side): Find {
    return {
      one: (type, id) => this.#one(side, type, id) as never,
      all: (type, where) => this.#all(side, type, where) as never,
    };
  }

  #one(side: Side, type: TypeName, id: string): AnyRecord | null {
    const touched = this.#journal.of(type, id);
    if (touched !== null) return touched[side];
    const known = this.#records.get(`${type}/${id}`);
    if (known === undefined) note(this.#wanted, type, id);
    return known ?? null;
  }

  /** Returns the records that name the one id in `where`. */
  #all(side: Side, type: TypeName, where: object): readonly AnyRecord[] {
    const [[field, id] = []] = Object.entries(where) as [string, string][];
    if (field === undefined || id === undefined) throw new Error(`A list of all ${type}`);
    const list: List = `${type}/${field}`;
    const untouched = this.#lists.get(`${list}/${id}`);
    if (untouched === undefined) {
      note(this.#wantedLists, list, id);
      return [];
    }
    const touched = this.#journal.ofType(type).flatMap((one) => one[side] ?? []);
    return [...untouched, ...touched.filter((record) => record[field] === id)];
  }

  /** Reads the records that were looked up in vain; returns false when there were none. */
  async load(): Promise<boolean> {
    const isLacking = this.#wanted.size + this.#wantedLists.size > 0;
    for (const [type, ids] of drained(this.#wanted)) {
      const found = await this.#read(type, 'id', ids);
      for (const id of ids)
        this.#records.set(`${type}/${id}`, found.find((one) => one.id === id) ?? null);
    }
    for (const [list, ids] of drained(this.#wantedLists)) {
      const [type, field] = list.split('/') as [TypeName, string];
      const found = await this.#read(type, field, ids);
      const untouched = found.filter((one) => this.#journal.of(type, one.id) === null);
      for (const id of ids)
        this.#lists.set(
          `${list}/${id}`,
          untouched.filter((one) => one[field] === id),
        );
    }
    return isLacking;
  }

  async #read(type: TypeName, field: string, ids: readonly string[]): Promise<AnyRecord[]> {
    const rows = await this.#tx.query(
      sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
        where ${sql.id(columnOf(type, field))} = any(${ids}::uuid[]) order by id`,
    );
    return rows.map((row) => recordOf(type, row) as AnyRecord);
  }
}

function note<K>(wanted: Map<K, Set<string>>, key: K, id: string): void {
  wanted.set(key, (wanted.get(key) ?? new Set()).add(id));
}

function drained<K>(wanted: Map<K, Set<string>>): [K, string[]][] {
  const all = [...wanted].map(([key, ids]): [K, string[]] => [key, [...ids]]);
  wanted.clear();
  return all;
}

function audienceAt(
  scope: Scope,
  related: RelatedRecords,
  side: Side,
  { type, [side]: record }: Touched,
): Audience | null {
  return record === null ? null : audienceOf(scope, type, record, related.find(side));
}

/** Returns the organizations to which `touched` belongs on one side. */
export function organizationsOf(
  related: RelatedRecords,
  side: Side,
  touched: Touched,
): readonly string[] {
  const members = audienceAt(belongingScope(touched.type), related, side, touched) ?? false;
  const each = typeof members === 'object' && 'is' in members ? members.of : [members];
  return each.flatMap((one) => (typeof one === 'object' && 'id' in one ? [one.id] : []));
}

/** Returns the scope facts of `touched` on one side; null when it does not exist on that side. */
export function scopeFactsOf(
  related: RelatedRecords,
  side: Side,
  touched: Touched,
): ScopeFacts | null {
  const audience = audienceAt(feedScope(touched.type), related, side, touched);
  if (audience === null) return null;
  const own = ownFieldOf(touched.type);
  const user = own === null ? null : (touched[side]?.[own] as string | null);
  return { organizations: organizationsOf(related, side, touched), user, audience };
}

/** Returns the fields of a record that others see after the transaction than before it. */
export function fieldsSeenByOthers(related: RelatedRecords, touched: Touched): string[] {
  return columnsOf(touched.type).flatMap(({ field }) => {
    const scope = fieldScope(touched.type, field);
    const [before, after] = (['before', 'after'] as const).map((side) =>
      JSON.stringify(audienceAt(scope, related, side, touched)),
    );
    return before === after ? [] : [field];
  });
}

/**
 * Returns who could see a removed record: before the transaction, or, if that made it, when it
 * went.
 */
export function audienceOfRemoved(related: RelatedRecords, touched: Touched): Audience {
  const side = touched.before === null ? 'last' : 'before';
  const audience = audienceAt(access[touched.type].read, related, side, touched);
  if (audience === null) throw new Error(`${touched.type} ${touched.id} was never there`);
  return audience;
}

/** What a tombstone keeps of a removed record, for the timeline of its project. */
export interface RemovalFacts {
  readonly project: string | null;
  readonly product: string | null;
  /** Of a product, that of its definition; never of a person. */
  readonly name: string | null;
}

const NO_FACTS: RemovalFacts = { project: null, product: null, name: null };

/**
 * Returns what the timeline of a project tells of a removed record: nothing of one that went with
 * its product, or that the transaction itself had made.
 */
export function removalFactsOf(related: RelatedRecords, { type, before }: Touched): RemovalFacts {
  if (before === null) return NO_FACTS;
  if (type === 'product') {
    const { project, productDefinition } = before as unknown as Of<'product'>;
    const definition = related.find('before').one('productDefinition', productDefinition);
    return { ...NO_FACTS, project, name: definition?.name ?? null };
  }
  if (type === 'reviewer')
    return { ...NO_FACTS, project: (before as unknown as Of<'reviewer'>).project };
  if (type !== 'productComment') return NO_FACTS;
  const { product } = before as unknown as Of<'productComment'>;
  const of = related.find('after').one('product', product);
  return of === null ? NO_FACTS : { ...NO_FACTS, project: of.project, product };
}

/** Repeats `work` until all that it looks up in `related` is read; returns what it then returns. */
export async function loading<T>(related: RelatedRecords, work: () => T): Promise<T> {
  for (;;) {
    const result = work();
    if (!(await related.load())) return result;
  }
}
