import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fold, wordsOf } from '#base/unicode.ts';
import { never } from '#base/never.ts';
import type { Viewer } from '#rules/viewer.ts';
import { fieldScope } from '#rules/access.ts';
import { everyone } from '#rules/scope.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { fieldVisibleSql, visibleSql } from '../scope-sql.ts';
import { columnOf, columnsOf, tableOf } from '../../db/tables.ts';
import { containsSql, keyRef } from './key-ref.ts';
import type { QueryFilter, Path, Query, Sort, Value } from './query.ts';
import { searchSql } from './search-sql.ts';
import { specialSql } from './special-sql.ts';

/** The alias of the listed table in every query. */
export const LISTED = 'a';

type Condition = RawBuilder<boolean>;

export interface QueryClauses {
  /** The tables behind to-ones that filters and sorts use. */
  readonly joins: RawBuilder<unknown>;
  readonly where: readonly Condition[];
  readonly order: RawBuilder<unknown>;
}

/** `query` on the table of `type`, as parts of a statement with bound values only. */
export async function queryClausesOf(
  tx: DatabaseTransaction,
  type: TypeName,
  query: Query,
  viewer: Viewer,
): Promise<QueryClauses> {
  const paths = [
    ...query.filters.flatMap((filter) => (filter.is === 'field' ? [filter.path] : [])),
    ...query.sort.map(({ path }) => path),
  ];
  const behind = new Map(paths.flatMap((path) => (path.via === null ? [] : [[path.via, path]])));
  const joins = [...behind.values()].map((path) => joinOf(type, path));
  const order = [
    ...query.sort.map((sort) => orderOf(type, sort, viewer)),
    sql`${sql.ref(`${LISTED}.id`)}`,
  ];
  const terms = query.filters.flatMap((filter) =>
    filter.is === 'search-term' ? filter.words : [],
  );
  const where = query.filters.flatMap((filter) => filterSql(type, filter, viewer) ?? []);
  if (terms.length > 0) where.push(await searchSql(tx, wordsOf(terms.join(' ')), LISTED, viewer));
  return {
    joins: sql.join(joins, sql` `),
    where,
    order: sql.join(order),
  };
}

const aliasOf = ({ via }: Path): string => (via === null ? LISTED : `via_${via.toLowerCase()}`);

function joinOf(type: TypeName, path: Path): RawBuilder<unknown> {
  const alias = aliasOf(path);
  const column = sql.ref(`${LISTED}.${columnOf(type, path.via ?? '')}`);
  return sql`left join ${sql.table(tableOf(path.type))} as ${sql.id(alias)}
    on ${sql.ref(`${alias}.id`)} = ${column}`;
}

/**
 * Returns the condition that the caller may read what `path` leads to: nothing hidden is found or
 * ordered by.
 */
function readableSql(type: TypeName, path: Path, viewer: Viewer): Condition {
  const alias = aliasOf(path);
  const own = fieldVisibleSql(path.type, path.field, alias, viewer);
  if (path.via === null) return own;
  const link = sql.ref(`${LISTED}.${columnOf(type, path.via)}`);
  return sql<boolean>`(${fieldVisibleSql(type, path.via, LISTED, viewer)} and
    (${link} is null or (${visibleSql(path.type, alias, viewer)} and ${own})))`;
}

interface Compared {
  readonly column: RawBuilder<unknown>;
  readonly isFolded: boolean;
}

/** The column to compare with: lines by their folded key, people by their display name. */
function comparedOf(path: Path): Compared {
  const alias = aliasOf(path);
  if (path.type === 'user' && path.field === 'name') {
    return { column: keyRef(alias, 'user', 'displayName'), isFolded: true };
  }
  const isFolded = path.kind === 'line' || path.kind === 'email' || path.kind === 'url';
  if (isFolded) return { column: keyRef(alias, path.type, path.field), isFolded };
  const column = sql.ref(`${alias}.${columnOf(path.type, path.field)}`);
  const isWord = path.kind === 'choice' && typeof path.choices?.[0] === 'string';
  return { column: isWord ? sql`${column} collate "C"` : column, isFolded };
}

function orderOf(type: TypeName, { path, descends }: Sort, viewer: Viewer): RawBuilder<unknown> {
  const { column } = comparedOf(path);
  // An index is read in its order only where the order is that of the column itself.
  const isOpen = path.via === null && fieldScope(path.type, path.field) === everyone;
  const value = isOpen
    ? column
    : sql`case when ${readableSql(type, path, viewer)} then ${column} end`;
  const isSet = isOpen && columnsOf(type).some((one) => one.field === path.field && !one.nullable);
  return sql`${value} ${descends ? sql`desc` : sql`asc`} ${isSet ? sql`` : sql`nulls last`}`;
}

/** Null: it is a `search-term`; the words of all of them are searched together. */
function filterSql(type: TypeName, filter: QueryFilter, viewer: Viewer): Condition | null {
  if (filter.is === 'search-term') return null;
  if (filter.is !== 'field') return specialSql(filter, LISTED, viewer);
  const condition = comparisonSql(filter);
  return sql<boolean>`(${readableSql(type, filter.path, viewer)} and ${condition})`;
}

function comparisonSql({ path, operator, values }: QueryFilter & { is: 'field' }): Condition {
  const { column, isFolded } = comparedOf(path);
  const all = values.map((value) => (isFolded ? fold(String(value)) : value));
  const first: Value = all[0] ?? '';
  switch (operator) {
    case 'eq':
      return sql`${column} = ${first}`;
    case 'ne':
      return sql`${column} is distinct from ${first}`;
    case 'lt':
      return sql`${column} < ${first}`;
    case 'le':
      return sql`${column} <= ${first}`;
    case 'gt':
      return sql`${column} > ${first}`;
    case 'ge':
      return sql`${column} >= ${first}`;
    case 'like':
      return containsSql(column, String(first));
    case 'in':
      return sql`${column} = any(${all})`;
    case 'nin':
      return sql`(${column} is null or not ${column} = any(${all}))`;
    case 'isnull':
      return sql`${column} is null`;
    case 'isnotnull':
      return sql`${column} is not null`;
    default:
      return never(operator);
  }
}
