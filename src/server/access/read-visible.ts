import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { everyone } from '#rules/scope.ts';
import { fieldScope } from '#rules/access.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { fieldVisibleSql, visibleSql } from './scope-sql.ts';
import { columnsOf, recordOf, tableOf } from '../db/tables.ts';
import { LISTED } from './query/query-sql.ts';

/** The rest of a statement on the table of a type; the table is called `a` in it. */
export interface SelectClauses {
  readonly joins?: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<boolean>[];
  readonly order?: RawBuilder<unknown>;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Reads records that `viewer` sees, each as they may see it: fields that are hidden from them are
 * null.
 */
export async function readVisible(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  selection: SelectClauses,
): Promise<AnyRecord[]> {
  const flags = flagsOf(type);
  const columns = flags.map(
    ({ field }, n) =>
      sql`, ${fieldVisibleSql(type, field, LISTED, viewer)} as ${sql.id(`seen_${String(n)}`)}`,
  );
  const { order, limit, offset } = selection;
  const rows = await tx.query<Record<string, unknown>>(sql`
    select ${sql.id(LISTED)}.* ${sql.join(columns, sql``)} ${fromSql(viewer, type, selection)}
    order by ${order ?? sql.ref(`${LISTED}.id`)}
    ${limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`}`);
  return rows.map((row) => hideFields(type, row));
}

/** Counts the records that `viewer` sees in `selection`, whatever its limit. */
export async function countVisible(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  selection: SelectClauses,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    sql`select count(*) as n ${fromSql(viewer, type, selection)}`,
  );
  return row?.n ?? 0;
}

/** Reads the records with `ids` that `viewer` sees, as they see them. */
export async function readVisibleByIds(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  ids: readonly string[],
): Promise<AnyRecord[]> {
  if (ids.length === 0) return [];
  return readVisible(tx, viewer, type, {
    where: [sql<boolean>`${sql.ref(`${LISTED}.id`)} = any(${ids})`],
  });
}

/** Reads the record with that id as `viewer` sees it; null when there is none for them. */
export async function readVisibleById(
  tx: DatabaseTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<AnyRecord | null> {
  return (await readVisibleByIds(tx, viewer, type, [id]))[0] ?? null;
}

function fromSql(
  viewer: Viewer,
  type: TypeName,
  { joins, where }: SelectClauses,
): RawBuilder<unknown> {
  const all = [...where, visibleSql(type, LISTED, viewer)];
  return sql`from ${sql.table(tableOf(type))} as ${sql.id(LISTED)} ${joins ?? sql``}
    where ${sql.join(all, sql` and `)}`;
}

interface Flag {
  /** One of the fields below, which all have the same readers. */
  readonly field: string;
  readonly fields: readonly string[];
}

const flagsByType = new Map<TypeName, readonly Flag[]>();

/** Returns the fields that are hidden from some who see the record, grouped by their readers. */
export function flagsOf(type: TypeName): readonly Flag[] {
  const known = flagsByType.get(type);
  if (known !== undefined) return known;
  const byScope = new Map<string, string[]>();
  for (const { field } of columnsOf(type)) {
    const scope = fieldScope(type, field);
    if (field === 'id' || field === 'version' || scope === everyone) continue;
    const key = JSON.stringify(scope);
    byScope.set(key, [...(byScope.get(key) ?? []), field]);
  }
  const flags = [...byScope.values()].map((fields) => ({ field: fields[0] ?? '', fields }));
  flagsByType.set(type, flags);
  return flags;
}

function hideFields(type: TypeName, row: Readonly<Record<string, unknown>>): AnyRecord {
  const record: Record<string, unknown> = { ...recordOf(type, row) };
  for (const [n, { fields }] of flagsOf(type).entries()) {
    if (row[`seen_${String(n)}`] === true) continue;
    for (const field of fields) record[field] = null;
  }
  return record as AnyRecord;
}
