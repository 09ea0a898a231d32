import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TypeName } from '#schema/index.ts';
import { columnOf, keyColumnOf } from '../../db/tables.ts';

/** The column of a field of the row `alias`. */
export function ref(alias: string, type: TypeName, field: string): RawBuilder<unknown> {
  return sql.ref(`${alias}.${columnOf(type, field)}`);
}

/** The stored fold of a line (wire 5.3); `displayName` of a user is one too. */
export function keyRef(alias: string, type: TypeName, field: string): RawBuilder<string> {
  const key = keyColumnOf(type, field);
  if (key === null) throw new Error(`${type}.${field} is not compared by a key`);
  return sql<string>`${sql.ref(`${alias}.${key}`)}`;
}

/**
 * Returns the condition that the key in `column` contains `key`, in a form for which an index of
 * trigrams works.
 */
export function containsSql(column: RawBuilder<unknown>, key: string): RawBuilder<boolean> {
  return sql<boolean>`${column} like ${`%${key.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/**
 * The language of the project in the row `alias`, without region and the like, in the form that the
 * index `projects_by_language_word` has.
 */
export function subtagOf(alias: string): RawBuilder<string> {
  return sql<string>`split_part(${keyRef(alias, 'project', 'language')}, '-', 1)`;
}
