import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from './database.ts';
import { pointersTo } from './shape.ts';
import { columnOf, recordOf, tableOf } from './tables.ts';

/** Records that go together, by type and id. */
export type Removal = Map<TypeName, Map<string, AnyRecord>>;

/** Returns the record and all that its removal takes along; null when it does not exist. */
export async function removalOf(
  tx: DatabaseTransaction,
  type: TypeName,
  id: string,
): Promise<Removal | null> {
  const first = (await tx.one(type, id)) as AnyRecord | null;
  if (first === null) return null;
  const going: Removal = new Map();
  let fresh: [TypeName, AnyRecord][] = [[type, first]];
  while (fresh.length > 0) {
    const added = fresh.filter(([of, record]) => add(going, of, record));
    fresh = [];
    for (const [of, records] of byType(added)) {
      fresh.push(...(await below(tx, of, records)));
      for (const record of records) fresh.push(...(await alsoGoing(tx, of, record)));
    }
  }
  return going;
}

function add(going: Removal, type: TypeName, record: AnyRecord): boolean {
  const known = going.get(type) ?? new Map<string, AnyRecord>();
  if (known.has(record.id)) return false;
  going.set(type, known.set(record.id, record));
  return true;
}

function byType(list: readonly [TypeName, AnyRecord][]): Map<TypeName, AnyRecord[]> {
  const map = new Map<TypeName, AnyRecord[]>();
  for (const [type, record] of list) map.set(type, [...(map.get(type) ?? []), record]);
  return map;
}

async function below(
  tx: DatabaseTransaction,
  parent: TypeName,
  records: readonly AnyRecord[],
): Promise<[TypeName, AnyRecord][]> {
  const found: [TypeName, AnyRecord][] = [];
  for (const { type, field, isBelow } of pointersTo(parent)) {
    if (!isBelow) continue;
    const rows = await tx.query(
      pointing(
        type,
        field,
        records.map(({ id }) => id),
      ),
    );
    for (const row of rows) found.push([type, recordOf(type, row)]);
  }
  return found;
}

function pointing(type: TypeName, field: string, ids: readonly string[]) {
  return sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
    where ${sql.id(columnOf(type, field))} = any(${ids}::uuid[]) order by id`;
}

/** Returns what goes too although it is not below (domain 2.7, last column). */
async function alsoGoing(
  tx: DatabaseTransaction,
  type: TypeName,
  record: AnyRecord,
): Promise<[TypeName, AnyRecord][]> {
  if (type === 'organizationMembership')
    return goneWithMembership(tx, record as Of<'organizationMembership'>);
  if (type === 'groupMembership')
    return goneWithGroupMembership(tx, record as Of<'groupMembership'>);
  if (type === 'author') return goneWithAuthor(tx, record as Of<'author'>);
  return [];
}

/** Returns their roles, group memberships, authorships, tasks and own views in that organization. */
async function goneWithMembership(
  tx: DatabaseTransaction,
  { user, organization }: Of<'organizationMembership'>,
): Promise<[TypeName, AnyRecord][]> {
  return [
    ...(await named(tx, 'userRole', sql`user_id = ${user} and organization_id = ${organization}`)),
    ...(await named(
      tx,
      'groupMembership',
      sql`user_id = ${user} and group_id in (select id from groups where owner_id = ${organization})`,
    )),
    ...(await named(
      tx,
      'author',
      sql`user_id = ${user}
        and project_id in (select id from projects where organization_id = ${organization})`,
    )),
    ...(await named(
      tx,
      'userTask',
      sql`user_id = ${user} and product_id in (select products.id from products
        join projects on projects.id = products.project_id where organization_id = ${organization})`,
    )),
    ...(await named(
      tx,
      'savedView',
      sql`owner_id = ${user} and organization_id = ${organization} and not is_shared`,
    )),
  ];
}

/** Returns their authorships in that group's projects. */
function goneWithGroupMembership(tx: DatabaseTransaction, { user, group }: Of<'groupMembership'>) {
  return named(
    tx,
    'author',
    sql`user_id = ${user} and project_id in (select id from projects where group_id = ${group})`,
  );
}

/** Returns the tasks that they have as an author, and not as the project's owner too. */
function goneWithAuthor(tx: DatabaseTransaction, { user, project }: Of<'author'>) {
  return named(
    tx,
    'userTask',
    sql`user_id = ${user} and product_id in (select products.id from products
      join projects on projects.id = products.project_id
      where projects.id = ${project} and projects.owner_id is distinct from ${user})`,
  );
}

async function named(
  tx: DatabaseTransaction,
  type: TypeName,
  where: ReturnType<typeof sql>,
): Promise<[TypeName, AnyRecord][]> {
  const rows = await tx.query(
    sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))} where ${where} order by id`,
  );
  return rows.map((row) => [type, recordOf(type, row) as AnyRecord]);
}

/** @throws the Problem `in-use` when a record that stays names one that goes */
export async function refuseInUse(tx: DatabaseTransaction, going: Removal): Promise<void> {
  // Projects are archived, never removed: an organization that has one stays (domain 2.7).
  const by = new Map([['projects', going.get('project')?.size ?? 0]]);
  for (const [target, records] of going) {
    for (const { type, field, isBelow } of pointersTo(target)) {
      if (isBelow) continue;
      const leaving = [...(going.get(type)?.keys() ?? [])];
      const n = await staying(tx, type, field, [...records.keys()], leaving);
      by.set(wireTypeOf(type), (by.get(wireTypeOf(type)) ?? 0) + n);
    }
  }
  const uses = [...by].filter(([, n]) => n > 0);
  if (uses.length > 0)
    throw new ProblemError({ code: 'in-use', meta: { by: Object.fromEntries(uses) } });
}

/** Counts the records of `type`, without those in `leaving`, that name one of `ids` in `field`. */
async function staying(
  tx: DatabaseTransaction,
  type: TypeName,
  field: string,
  ids: readonly string[],
  leaving: readonly string[],
): Promise<number> {
  const [row] = await tx.query(
    sql<{ readonly n: number }>`select count(*) as n from ${sql.id(tableOf(type))}
      where ${sql.id(columnOf(type, field))} = any(${ids}::uuid[]) and id <> all(${leaving}::uuid[])`,
  );
  return row?.n ?? 0;
}
