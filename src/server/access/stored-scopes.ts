import { sql } from 'kysely';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { ScopeFacts, Team } from '../db/feed-row.ts';
import type { Journal, Side, Touched } from '../db/journal.ts';
import { columnOf, recordOf, tableOf } from '../db/tables.ts';

/** The lists that scopes read, each by one to-one. */
type List = 'organizationMembership/user' | 'author/project';

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

  one<T extends TypeName>(side: Side, type: T, id: string | null): Of<T> | null {
    if (id === null) return null;
    const touched = this.#journal.of(type, id);
    if (touched !== null) return touched[side] as Of<T> | null;
    const known = this.#records.get(`${type}/${id}`);
    if (known === undefined) note(this.#wanted, type, id);
    return (known ?? null) as Of<T> | null;
  }

  memberships(side: Side, user: string): readonly Of<'organizationMembership'>[] {
    return this.#list(side, 'organizationMembership/user', user) as never;
  }

  authors(side: Side, project: string): readonly Of<'author'>[] {
    return this.#list(side, 'author/project', project) as never;
  }

  #list(side: Side, list: List, id: string): readonly AnyRecord[] {
    const now = this.#lists.get(`${list}/${id}`);
    if (now === undefined) {
      note(this.#wantedLists, list, id);
      return [];
    }
    if (side === 'after') return now;
    const [type, field] = partsOf(list);
    const untouched = now.filter((record) => this.#journal.of(type, record.id) === null);
    const were = this.#journal.ofType(type).flatMap((touched) => touched[side] ?? []);
    return [...untouched, ...were.filter((record) => record[field] === id)];
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
      const [type, field] = partsOf(list);
      const found = await this.#read(type, field, ids);
      for (const id of ids)
        this.#lists.set(
          `${list}/${id}`,
          found.filter((one) => one[field] === id),
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

function partsOf(list: List): [TypeName, string] {
  return list === 'author/project' ? ['author', 'project'] : ['organizationMembership', 'user'];
}

function note<K>(wanted: Map<K, Set<string>>, key: K, id: string): void {
  wanted.set(key, (wanted.get(key) ?? new Set()).add(id));
}

function drained<K>(wanted: Map<K, Set<string>>): [K, string[]][] {
  const all = [...wanted].map(([key, ids]): [K, string[]] => [key, [...ids]]);
  wanted.clear();
  return all;
}

/** Returns the scope facts of `touched` on one side; null when it does not exist on that side. */
export function scopeFactsOf(
  related: RelatedRecords,
  side: Side,
  touched: Touched,
): ScopeFacts | null {
  const record = touched[side];
  if (record === null) return null;
  const { type } = touched;
  const project = projectOf(related, side, type, record);
  return {
    organizations: organizationsOf(related, side, type, record),
    project: project?.id ?? null,
    user: ownerOf(type, record),
    isPublic: project !== null && IN_PUBLIC.has(type) && isPublic(project),
    team: project === null ? null : teamOf(related, side, project),
  };
}

/**
 * Returns the scope facts of a removed record: before the transaction, or, if that made it, when it
 * went.
 */
export async function scopeFactsOfRemoved(
  tx: DatabaseTransaction,
  journal: Journal,
  touched: Touched,
): Promise<ScopeFacts> {
  const related = new RelatedRecords(tx, journal);
  const side = touched.before === null ? 'last' : 'before';
  for (;;) {
    const scope = scopeFactsOf(related, side, touched);
    if (await related.load()) continue;
    if (scope === null) throw new Error(`${touched.type} ${touched.id} was never there`);
    return scope;
  }
}

/** The types that outsiders see of a public project (domain 2.3). */
const IN_PUBLIC: ReadonlySet<TypeName> = new Set([
  'project',
  'product',
  'productBuild',
  'productArtifact',
]);

export function isPublic(project: Of<'project'>): boolean {
  return project.isPublic && project.dateArchived === null;
}

function organizationsOf(
  related: RelatedRecords,
  side: Side,
  type: TypeName,
  record: AnyRecord,
): string[] {
  if (type === 'user')
    return related
      .memberships(side, record.id)
      .map(({ organization }) => organization)
      .sort();
  const path = resourceOf(type).belongsTo;
  if (path === null) return [];
  if (path === '') return [record.id];
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const holder = follow(related, side, type, record, steps);
  const id = holder?.[last];
  return typeof id === 'string' ? [id] : [];
}

/** Returns the record at the end of the to-ones named by `steps`; null where one leads nowhere. */
function follow(
  related: RelatedRecords,
  side: Side,
  type: TypeName,
  record: AnyRecord,
  steps: readonly string[],
): AnyRecord | null {
  let [at, atType]: [AnyRecord | null, TypeName] = [record, type];
  for (const step of steps) {
    const field = resourceOf(atType).fields[step];
    if (at === null || field?.is !== 'one') return null;
    atType = field.to as TypeName;
    at = related.one(side, atType, at[step] as string | null);
  }
  return at;
}

function projectOf(
  related: RelatedRecords,
  side: Side,
  type: TypeName,
  record: AnyRecord,
): Of<'project'> | null {
  if (type === 'project') return record as Of<'project'>;
  const steps = resourceOf(type).belongsTo?.split('.') ?? [];
  const at = steps.indexOf('project');
  if (at < 0) return null;
  return follow(related, side, type, record, steps.slice(0, at + 1)) as Of<'project'> | null;
}

/** Returns the owner of an import; the owner of a project or an organization is something else. */
function ownerOf(type: TypeName, record: AnyRecord): string | null {
  if (type === 'user') return record.id;
  const owner = type === 'projectImport' ? record.owner : record.user;
  return typeof owner === 'string' ? owner : null;
}

function teamOf(related: RelatedRecords, side: Side, project: Of<'project'>): Team {
  const authors = related.authors(side, project.id).map(({ user }) => user);
  return { owner: project.owner, group: project.group, authors: authors.sort() };
}
