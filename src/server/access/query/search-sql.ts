import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Viewer } from '#rules/viewer.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { tableOf } from '../../db/tables.ts';
import { isOneOf, visibleSql } from '../scope-sql.ts';
import { containsSql, keyRef, subtagOf, ref } from './key-ref.ts';
import { subtagsNamed } from './language-subtags.ts';

type Condition = RawBuilder<boolean>;

/** Whose names are texts of a project, and by which fold of them. */
const NAMED = [
  ['user', 'displayName'],
  ['organization', 'name'],
  ['group', 'name'],
  ['productDefinition', 'name'],
] as const;

/** In more projects than these a definition is looked for in each that may be found. */
const PROJECTS_MOST = 1_000;

interface Named {
  readonly type: (typeof NAMED)[number][0];
  readonly id: string;
  readonly key: string;
}

/**
 * Returns the condition that the project in the row `alias`, which `viewer` sees, has every
 * word of `all` in one of its texts (wire 5.2, `searchTextOf`).
 *
 * What they are names of is read first, as far as `viewer` sees it: the database then knows how many
 * projects each part of the condition leaves, and takes an index for every one of them.
 */
export async function searchSql(
  tx: DatabaseTransaction,
  all: readonly string[],
  alias: string,
  viewer: Viewer,
): Promise<Condition> {
  // What has a word has what is contained in it.
  const words = all.filter((word) => !all.some((other) => other !== word && other.includes(word)));
  if (words.length === 0) return sql<boolean>`true`;
  const named = await recordsNamed(tx, words, viewer);
  const definitions = new Map(words.map((word) => [word, idsOf('productDefinition', named, word)]));
  const made = await projectsMade(tx, definitions);
  const subtags = await subtagsNamed(tx, words);
  const each = words.map((word) => {
    const inSome = [
      containsSql(keyRef(alias, 'project', 'name'), word),
      containsSql(keyRef(alias, 'project', 'language'), word),
      ...linksToSome(alias, named, word),
      ...hasProductOfSome(alias, definitions.get(word) ?? [], made.get(word) ?? []),
      ...inLanguages(alias, subtags.get(word) ?? []),
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

function idsOf(type: Named['type'], named: readonly Named[], word: string): readonly string[] {
  return named.flatMap((one) => (one.type === type && one.key.includes(word) ? [one.id] : []));
}

/** Returns the conditions under which a project has one of `named` with `word` as a to-one. */
function linksToSome(alias: string, named: readonly Named[], word: string): readonly Condition[] {
  return (['owner', 'organization', 'group'] as const).flatMap((field) => {
    const ids = idsOf(field === 'owner' ? 'user' : field, named, word);
    return ids.length === 0 ? [] : [isOneOf(ref(alias, 'project', field), ids)];
  });
}

/**
 * Reads by word in which projects some of its definitions are products, the first of too many. That
 * takes no look at who sees them: it would be one at each project of others that has a common one.
 */
async function projectsMade(
  tx: DatabaseTransaction,
  definitions: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ofWord = [...definitions].flatMap(([word, ids]) => {
    if (ids.length === 0) return [];
    return sql`(select ${word}::text as word, ${ref('s', 'product', 'project')} as project
      from ${sql.table(tableOf('product'))} as s
      where ${isOneOf(ref('s', 'product', 'productDefinition'), ids)} limit ${PROJECTS_MOST + 1})`;
  });
  if (ofWord.length === 0) return new Map();
  const rows = await tx.query<{ readonly word: string; readonly project: string }>(
    sql`${sql.join(ofWord, sql` union all `)}`,
  );
  const made = new Map<string, string[]>();
  for (const { word } of rows) made.set(word, []);
  for (const { word, project } of rows) made.get(word)?.push(project);
  return made;
}

/**
 * Returns the condition that one of `definitions` is a product of a project, as those in `projects`
 * say unless they are too many. Whoever sees a project sees its products.
 */
function hasProductOfSome(
  alias: string,
  definitions: readonly string[],
  projects: readonly string[],
): readonly Condition[] {
  if (projects.length === 0) return [];
  if (projects.length <= PROJECTS_MOST) return [isOneOf(sql.ref(`${alias}.id`), projects)];
  return [
    sql<boolean>`exists (select from ${sql.table(tableOf('product'))} as s_product
      where ${ref('s_product', 'product', 'project')} = ${sql.ref(`${alias}.id`)}
      and ${isOneOf(ref('s_product', 'product', 'productDefinition'), definitions)})`,
  ];
}

function inLanguages(alias: string, subtags: readonly string[]): readonly Condition[] {
  if (subtags.length === 0) return [];
  return [sql<boolean>`${subtagOf(alias)} = any(${subtags}::text[])`];
}
