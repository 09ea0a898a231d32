import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { access, fieldScope } from '#rules/access.ts';
import { rightsIn, targetOf } from '#rules/scope.ts';
import type { Scope, ViewerSet } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { columnOf, columnsOf, tableOf } from '../db/tables.ts';

/** A condition, or its answer where the viewer alone decides. */
type Condition = RawBuilder<boolean> | boolean;

/**
 * Returns the condition that the row `alias` of the table of `type` is in `scope` for `viewer`; the
 * same as `inScope`. It is never null, so that it can be turned round.
 */
export function scopeSql(
  scope: Scope,
  type: TypeName,
  alias: string,
  viewer: Viewer,
): RawBuilder<boolean> {
  return asSql(compile(scope, { type, alias, depth: 0, viewer }));
}

/**
 * Returns the condition that `viewer` sees the row `alias` of the table of `type`; the same as
 * `mayRead`.
 */
export function visibleSql(type: TypeName, alias: string, viewer: Viewer): RawBuilder<boolean> {
  return scopeSql(access[type].read, type, alias, viewer);
}

/**
 * Returns the condition that `viewer`, who sees the row `alias`, sees its `field`; the same as
 * `mayReadField`.
 */
export function fieldVisibleSql(
  type: TypeName,
  field: string,
  alias: string,
  viewer: Viewer,
): RawBuilder<boolean> {
  return scopeSql(fieldScope(type, field), type, alias, viewer);
}

/**
 * Returns the condition that the to-one `field` of the row `alias`, which `viewer` sees, leads to
 * one of `ids`, as far as they see that. Every read of a to-many goes by it, because the members
 * show what their to-one hides.
 */
export function linkedSql(
  type: TypeName,
  field: string,
  alias: string,
  ids: readonly string[],
  viewer: Viewer,
): RawBuilder<boolean> {
  const link = isOneOf(sql.ref(`${alias}.${columnOf(type, field)}`), ids);
  return sql<boolean>`(${link} and ${fieldVisibleSql(type, field, alias, viewer)})`;
}

/**
 * Returns conditions of which the row `alias` meets one if it, or with `withFields` a field of it,
 * is seen with some rights and not with others of the same person. `rights` has those that are not
 * in both. Many rows that meet one are seen with both alike. Null: it may be any row.
 */
export function mayDifferSql(
  type: TypeName,
  alias: string,
  rights: Viewer,
  withFields: boolean,
): RawBuilder<boolean>[] | null {
  const fields = withFields ? columnsOf(type).map(({ field }) => fieldScope(type, field)) : [];
  const scopes = [access[type].read, ...fields].flatMap(rightsIn);
  const unique = new Map(scopes.map((scope) => [JSON.stringify(scope), scope]));
  const conditions = [...unique.values()]
    .map((scope) => compile(scope, { type, alias, depth: 0, viewer: rights }))
    .filter((condition) => condition !== false);
  const open = conditions.filter((condition) => condition !== true);
  return open.length < conditions.length ? null : open;
}

function asSql(condition: Condition): RawBuilder<boolean> {
  return typeof condition === 'boolean' ? (condition ? sql`true` : sql`false`) : condition;
}

/** The row that a scope is about. */
interface Row {
  readonly type: TypeName;
  readonly alias: string;
  /** The number of subqueries around it, by which inner aliases differ from outer ones. */
  readonly depth: number;
  readonly viewer: Viewer;
}

function compile(scope: Scope, row: Row): Condition {
  switch (scope.is) {
    case 'everyone':
      return true;
    case 'nobody':
      return false;
    case 'superAdmin':
      return row.viewer.isSuperAdmin;
    case 'within':
      return within(scope.set, scope.field, row);
    case 'equals':
      return equals(scope.field, scope.value, row);
    case 'notNull':
      return sql<boolean>`${columnAt(row, scope.field)} is not null`;
    case 'at': {
      const other = inner(row, targetOf(row.type, scope.field));
      return exists(other, sql.ref(`${other.alias}.id`), columnAt(row, scope.field), scope.scope);
    }
    case 'some': {
      const other = inner(row, scope.type);
      return exists(other, columnAt(other, scope.field), sql.ref(`${row.alias}.id`), scope.scope);
    }
    case 'anyOf':
      return join(
        scope.scopes.map((each) => compile(each, row)),
        true,
        sql` or `,
      );
    case 'allOf':
      return join(
        scope.scopes.map((each) => compile(each, row)),
        false,
        sql` and `,
      );
  }
}

function within(set: ViewerSet, field: string, row: Row): Condition {
  const column = columnAt(row, field);
  if (set === 'self') return known(row, field, sql`${column} = ${row.viewer.id}::uuid`);

  const ids = [...row.viewer[set]];
  return ids.length === 0 ? false : known(row, field, isOneOf(column, ids));
}

/**
 * Returns the condition that `column` is one of `ids`. A single id is compared by `=`, because
 * PostgreSQL reads no index in its order for a set.
 */
export function isOneOf(column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<boolean> {
  const [only, ...others] = ids;
  if (only === undefined) return sql<boolean>`false`;
  return others.length === 0
    ? sql<boolean>`${column} = ${only}::uuid`
    : sql<boolean>`${column} = any(${ids}::uuid[])`;
}

function equals(field: string, value: unknown, row: Row): Condition {
  const column = columnAt(row, field);
  if (value === null) return sql<boolean>`${column} is null`;
  return known(row, field, sql`${column} = ${value}`);
}

/** Returns a condition that is never null, so that its opposite holds for what is not visible. */
function known(row: Row, field: string, condition: RawBuilder<boolean>): RawBuilder<boolean> {
  const isNullable = columnsOf(row.type).some((one) => one.field === field && one.nullable);
  return isNullable ? sql`(${columnAt(row, field)} is not null and ${condition})` : condition;
}

function exists(
  other: Row,
  left: RawBuilder<unknown>,
  right: RawBuilder<unknown>,
  scope: Scope,
): Condition {
  const condition = compile(scope, other);
  if (condition === false) return false;
  const table = sql`${sql.table(tableOf(other.type))} as ${sql.ref(other.alias)}`;
  return sql<boolean>`exists (select 1 from ${table} where ${left} = ${right} and ${asSql(condition)})`;
}

/**
 * Joins conditions; `stop` is the answer that decides the whole, and one with the opposite answer
 * is left out.
 */
function join(
  conditions: readonly Condition[],
  stop: boolean,
  word: RawBuilder<unknown>,
): Condition {
  if (conditions.includes(stop)) return stop;
  const open = conditions.filter((condition) => typeof condition !== 'boolean');
  return open.length === 0 ? !stop : sql<boolean>`(${sql.join(open, word)})`;
}

const inner = (row: Row, type: TypeName): Row => ({
  ...row,
  type,
  depth: row.depth + 1,
  alias: `scope_${row.depth + 1}`,
});

const columnAt = (row: Row, field: string) => sql.ref(`${row.alias}.${columnOf(row.type, field)}`);
