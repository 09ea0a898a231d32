import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { isOneOf } from '../scope-sql.ts';
import { columnOf, tableOf } from '../../db/tables.ts';

/**
 * Returns the condition that a record belongs to one of the caller's organizations, as lists
 * require (wire 16.1).
 */
export function ownSql(type: TypeName, alias: string, viewer: Viewer): RawBuilder<boolean> {
  if (viewer.isSuperAdmin || !resourceOf(type).isSeenFromOutside) return sql<boolean>`true`;
  const isWithin = withinSql(type, alias, [...viewer.memberOf]);
  // People without any organization still find themselves.
  return type === 'user'
    ? sql<boolean>`(${sql.ref(`${alias}.id`)} = ${viewer.id} or ${isWithin})`
    : isWithin;
}

/**
 * Returns the condition that a record belongs to one of `organizations`; a person belongs by
 * membership.
 */
export function withinSql(
  type: TypeName,
  alias: string,
  organizations: readonly string[],
): RawBuilder<boolean> {
  const { belongsTo } = resourceOf(type);
  if (belongsTo === null) return sql<boolean>`true`;
  const steps = belongsTo === '' ? [] : belongsTo.split('.');
  return belongsSql(type, alias, steps, organizations);
}

/**
 * The condition goes from the organizations down, so that their records are looked up, and not
 * everybody's tested.
 */
function belongsSql(
  type: TypeName,
  alias: string,
  steps: readonly string[],
  organizations: readonly string[],
): RawBuilder<boolean> {
  const [step, ...rest] = steps;
  if (step === undefined) return isOneOf(sql.ref(`${alias}.id`), organizations);
  const field = resourceOf(type).fields[step];
  const next = `${alias}_${step.toLowerCase()}`;
  if (field?.is === 'many') {
    const of = field.of as TypeName;
    const link = sql.ref(`${next}.${columnOf(of, field.inverse)}`);
    return sql<boolean>`exists (select 1 from ${sql.table(tableOf(of))} as ${sql.id(next)}
      where ${link} = ${sql.ref(`${alias}.id`)} and ${belongsSql(of, next, rest, organizations)})`;
  }
  const column = sql.ref(`${alias}.${columnOf(type, step)}`);
  if (rest.length === 0 || field?.is !== 'one') return isOneOf(column, organizations);
  const to = field.to as TypeName;
  return sql<boolean>`${column} in (select ${sql.ref(`${next}.id`)} from ${sql.table(tableOf(to))}
    as ${sql.id(next)} where ${belongsSql(to, next, rest, organizations)})`;
}
