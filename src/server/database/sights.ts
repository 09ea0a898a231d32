import { sql } from 'kysely';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { Tx } from './database.ts';
import type { Journal, Touched } from './journal.ts';
import { isPublic } from './scopes.ts';
import { recordOf, tableOf } from './tables.ts';

/**
 * Records that a transaction left alone, but that others than before may see: the person of a
 * membership that came or went, the reviewers of a project whose team changed, what hangs on a
 * project that became public or stopped being so.
 */
export async function sightsOf(tx: Tx, journal: Journal): Promise<Touched[]> {
  const touched = journal.all();
  const teams = touched.flatMap((entry) => (changesTeam(entry) ? [entry.id] : []));
  for (const entry of touched)
    if (isComeOrGone(entry, 'author')) teams.push(...idsIn(entry, 'project'));
  const people = touched.flatMap((entry) =>
    isComeOrGone(entry, 'organizationMembership') ? idsIn(entry, 'user') : [],
  );
  const turned = touched.flatMap((entry) => (changesPublicity(entry) ? [entry.id] : []));

  const found = [
    ...(await read(tx, 'user', 'id', people)),
    ...(await read(tx, 'reviewer', 'project_id', teams)),
    ...(await hanging(tx, turned)),
  ];
  return found.filter(({ type, id }) => journal.of(type, id) === null);
}

/** Users whose rights a transaction changed: memberships, roles, groups, the lock. */
export function viewersOf(journal: Journal): string[] {
  const users = journal.all().flatMap((entry) => {
    if (entry.type === 'user') return changed<'user'>(entry, ['isLocked']) ? [entry.id] : [];
    return RIGHTS.some((type) => isComeOrGone(entry, type)) ? idsIn(entry, 'user') : [];
  });
  return [...new Set(users)].sort();
}

const RIGHTS: readonly TypeName[] = ['organizationMembership', 'userRole', 'groupMembership'];

function isComeOrGone({ type, before, after }: Touched, wanted: TypeName): boolean {
  return type === wanted && (before === null) !== (after === null);
}

/** What the to-one `field` names, before and after. */
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

function changesPublicity({ type, before, after }: Touched): boolean {
  if (type !== 'project' || before === null || after === null) return false;
  return isPublic(before as Of<'project'>) !== isPublic(after as Of<'project'>);
}

/** Products, builds and artifacts of `projects`. */
async function hanging(tx: Tx, projects: readonly string[]): Promise<Touched[]> {
  const products = await read(tx, 'product', 'project_id', projects);
  const ids = products.map(({ id }) => id);
  const builds = await read(tx, 'productBuild', 'product_id', ids);
  const artifacts = await read(tx, 'productArtifact', 'product_id', ids);
  return [...products, ...builds, ...artifacts];
}

async function read(
  tx: Tx,
  type: TypeName,
  column: string,
  ids: readonly string[],
): Promise<Touched[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query(
    sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
      where ${sql.id(column)} = any(${[...new Set(ids)]}::uuid[]) order by id`,
  );
  return rows.map((row) => {
    const record = recordOf(type, row) as AnyRecord;
    return { type, id: record.id, before: record, after: record };
  });
}
