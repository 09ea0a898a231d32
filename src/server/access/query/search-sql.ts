import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { columnOf, tableOf } from '../../db/tables.ts';
import { isOneOf, visibleSql } from '../scope-sql.ts';
import { containsSql, keyRef, subtagOf } from './key-ref.ts';
import { subtagsNamed } from './language-subtags.ts';

type Condition = RawBuilder<boolean>;

/** Whose names are texts of a project, and by which fold of them. */
const NAMED = [
  ['user', 'displayName'],
  ['organization', 'name'],
  ['group', 'name'],
  ['productDefinition', 'name'],
] as const;

interface Named {
  readonly type: (typeof NAMED)[number][0];
  readonly id: string;
  readonly key: string;
}

/**
 * Returns the condition that the project in the row `alias`, which `viewer` sees, has each of
 * `words` in one of its texts (wire 5.2, `searchTextOf`).
 *
 * What they are names of is read first, as far as `viewer` sees it: the database then knows how many
 * projects each part of the condition leaves, and takes an index for every one of them.
 */
export async function searchSql(
  tx: DatabaseTransaction,
  words: readonly string[],
  alias: string,
  viewer: Viewer,
): Promise<Condition> {
  if (words.length === 0) return sql<boolean>`true`;
  const named = await recordsNamed(tx, words, viewer);
  const subtags = await subtagsNamed(tx, words);
  const each = words.map((word) => {
    const found = named.filter(({ key }) => key.includes(word));
    const inSome = [
      containsSql(keyRef(alias, 'project', 'name'), word),
      containsSql(keyRef(alias, 'project', 'language'), word),
      ...behind(alias, found),
      ...spoken(alias, subtags.get(word) ?? []),
    ];
    return sql`(${sql.join(inSome, sql` or `)})`;
  });
  return sql<boolean>`(${sql.join(each, sql` and `)})`;
}

/** Reads the records with some of `words` in their name that `viewer` sees, and their folded names. */
function recordsNamed(
  tx: DatabaseTransaction,
  words: readonly string[],
  viewer: Viewer,
): Promise<readonly Named[]> {
  const ofType = NAMED.map(([type, field]) => {
    const key = keyRef('s', type, field);
    const some = sql.join(
      words.map((word) => containsSql(key, word)),
      sql` or `,
    );
    return sql`select ${type}::text as type, s.id, ${key} as key
      from ${sql.table(tableOf(type))} as s where (${some}) and ${visibleSql(type, 's', viewer)}`;
  });
  return tx.query<Named>(sql`${sql.join(ofType, sql` union all `)}`);
}

/** Returns the conditions under which a project points to one of `found`. */
function behind(alias: string, found: readonly Named[]): readonly Condition[] {
  return NAMED.flatMap(([type]) => {
    const ids = found.flatMap((one) => (one.type === type ? [one.id] : []));
    if (ids.length === 0) return [];
    if (type === 'productDefinition') return [hasProductOf(ids, alias)];
    return [isOneOf(ref(alias, 'project', type === 'user' ? 'owner' : type), ids)];
  });
}

/** Whoever sees a project sees its products. */
function hasProductOf(definitions: readonly string[], alias: string): Condition {
  return sql<boolean>`exists (select from ${sql.table(tableOf('product'))} as s_product
    where ${ref('s_product', 'product', 'project')} = ${sql.ref(`${alias}.id`)}
    and ${isOneOf(ref('s_product', 'product', 'productDefinition'), definitions)})`;
}

function spoken(alias: string, subtags: readonly string[]): readonly Condition[] {
  if (subtags.length === 0) return [];
  return [sql<boolean>`${subtagOf(alias)} = any(${subtags}::text[])`];
}

function ref(alias: string, type: TypeName, field: string): RawBuilder<unknown> {
  return sql.ref(`${alias}.${columnOf(type, field)}`);
}
