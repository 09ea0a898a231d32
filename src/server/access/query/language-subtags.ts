import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { languageNamesIn } from '#rules/record/display.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { tableOf } from '../../db/tables.ts';
import { subtagOf } from './key-ref.ts';

const FILE = new URL('../../../../public/assets/language/search-names.json', import.meta.url);

let read: readonly (readonly [subtag: string, names: string])[] | null = null;

/** Reads the names at the first search: they are some 8,000. */
function allNames(): readonly (readonly [subtag: string, names: string])[] {
  read ??= [...languageNamesIn(JSON.parse(readFileSync(FILE, 'utf8')))];
  return read;
}

/** A word of one or two letters is in the names of thousands of languages. */
const MANY = 200;

/**
 * Returns the subtags of the languages that have each of `words`, folded, in one of their names
 * (wire 5.2). Where these are many, those are left out that no project has.
 */
export async function subtagsNamed(
  tx: DatabaseTransaction,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = words.map((word) => {
    const all = allNames()
      .filter(([, names]) => names.includes(word))
      .map(([subtag]) => subtag);
    return [word, all] as const;
  });
  const many = new Set(named.flatMap(([, all]) => (all.length > MANY ? all : [])));
  if (many.size === 0) return new Map(named);
  // One look at the index for each: how many projects there are makes no difference.
  const used = await tx.query<{ readonly subtag: string }>(sql`
    select subtag from unnest(${[...many]}::text[]) as subtag
    where exists (select from ${sql.table(tableOf('project'))} as s where ${subtagOf('s')} = subtag)`);
  const present = new Set(used.map(({ subtag }) => subtag));
  const few = (all: readonly string[]) =>
    all.length > MANY ? all.filter((subtag) => present.has(subtag)) : all;
  return new Map(named.map(([word, all]) => [word, few(all)]));
}
