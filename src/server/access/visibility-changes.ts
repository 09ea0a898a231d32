import { sql } from 'kysely';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { union } from '../db/journal.ts';
import type { Journal, Touched } from '../db/journal.ts';
import { isPublic } from './stored-scopes.ts';
import { recordOf, tableOf } from '../db/tables.ts';

/**
 * Returns records that a transaction left alone, but that others than before may see: the person of
 * a membership that was added, removed or agreed to, the reviewers of a project whose team changed,
 * everything below a project that became public or stopped being so.
 */
export async function visibilityChangesOf(
  tx: DatabaseTransaction,
  journal: Journal,
): Promise<Touched[]> {
  const touched = journal.all();
  const moved = touched.filter(changesTeam);
  const authors = touched.filter((entry) => isComeOrGone(entry, 'author'));
  const teams = [...moved.map(({ id }) => id), ...authors.flatMap((one) => idsIn(one, 'project'))];
  const members = touched.filter(
    (entry) => isComeOrGone(entry, 'organizationMembership') || isAgreedTo(entry),
  );
  const people = members.flatMap((entry) => idsIn(entry, 'user'));
  const withPublicity = touched.filter(changesIsPublic);

  const changes = [...moved, ...authors, ...members, ...withPublicity].reduce<readonly string[]>(
    (all, entry) => union(all, entry.changes),
    [],
  );
  const hanging = withPublicity.map(({ id }) => id);
  const found = [
    ...(await read(tx, 'user', 'id', people)),
    ...(await read(tx, 'reviewer', 'project_id', teams)),
    ...(await recordsBelowProjects(tx, hanging)),
  ];
  return found.flatMap(({ type, record }) =>
    journal.of(type, record.id) === null ? [visibilityChangeOf(type, record, changes)] : [],
  );
}

function visibilityChangeOf(
  type: TypeName,
  record: AnyRecord,
  changes: readonly string[],
): Touched {
  return { type, id: record.id, before: record, after: record, last: record, changes };
}

interface ChangedViewer {
  readonly id: string;
  readonly changes: readonly string[];
}

/**
 * Returns the users whose rights a transaction changed: memberships, roles, groups, the lock, their
 * sign-ins.
 */
export function changedViewersOf(journal: Journal): ChangedViewer[] {
  const users = new Map(journal.viewers);
  for (const entry of journal.all())
    for (const id of viewersChangedBy(entry))
      users.set(id, union(users.get(id) ?? [], entry.changes));
  return [...users]
    .map(([id, changes]) => ({ id, changes }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function viewersChangedBy(entry: Touched): string[] {
  if (entry.type === 'user') return changed<'user'>(entry, ['isLocked']) ? [entry.id] : [];
  return RIGHTS.some((type) => isComeOrGone(entry, type)) ? idsIn(entry, 'user') : [];
}

const RIGHTS: readonly TypeName[] = ['organizationMembership', 'userRole', 'groupMembership'];

function isComeOrGone({ type, before, after }: Touched, wanted: TypeName): boolean {
  return type === wanted && (before === null) !== (after === null);
}

/** Whoever agrees to a membership shows more of themself to those they share the organization with. */
function isAgreedTo(entry: Touched): boolean {
  return (
    entry.type === 'organizationMembership' &&
    changed<'organizationMembership'>(entry, ['dateAccepted'])
  );
}

/** Returns the ids that the to-one `field` has, before and after. */
function idsIn({ before, after }: Touched, field: string): string[] {
  return [before?.[field], after?.[field]].filter((id) => typeof id === 'string');
}

function changed<T extends TypeName>(
  { before, after }: Touched,
  fields: readonly (keyof Of<T> & string)[],
) {
  return (
    before !== null && after !== null && fields.some((field) => before[field] !== after[field])
  );
}

function changesTeam(entry: Touched): boolean {
  return entry.type === 'project' && changed<'project'>(entry, ['owner', 'group']);
}

function changesIsPublic({ type, before, after }: Touched): boolean {
  if (type !== 'project' || before === null || after === null) return false;
  return isPublic(before as Of<'project'>) !== isPublic(after as Of<'project'>);
}

interface RecordOfType {
  readonly type: TypeName;
  readonly record: AnyRecord;
}

/** Returns the products, builds and artifacts of `projects`. */
async function recordsBelowProjects(
  tx: DatabaseTransaction,
  projects: readonly string[],
): Promise<RecordOfType[]> {
  const products = await read(tx, 'product', 'project_id', projects);
  const ids = products.map(({ record }) => record.id);
  const builds = await read(tx, 'productBuild', 'product_id', ids);
  const artifacts = await read(tx, 'productArtifact', 'product_id', ids);
  return [...products, ...builds, ...artifacts];
}

async function read(
  tx: DatabaseTransaction,
  type: TypeName,
  column: string,
  ids: readonly string[],
): Promise<RecordOfType[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query(
    sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
      where ${sql.id(column)} = any(${[...new Set(ids)]}::uuid[]) order by id`,
  );
  return rows.map((row) => ({ type, record: recordOf(type, row) }));
}
