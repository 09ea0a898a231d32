import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TypeName } from '#schema/index.ts';
import { resourceOf } from '#schema/index.ts';
import { flagsOf, seenRecords } from '../api/seen.ts';
import { LISTED } from '../api/query/sql.ts';
import type { Tx } from '../database/database.ts';
import { fieldVisibleSql } from '../database/scope.ts';
import { columnOf, tableOf } from '../database/tables.ts';
import type { Place } from './cursor.ts';
import { inFeedAt, inFeedSql, inWorkingSetSql, organizationsOf } from './reader.ts';
import type { Reader } from './reader.ts';
import { firstRowsSince, typesSince } from './rows.ts';
import { shown, shownNow } from './shown.ts';
import type { Telling } from './told.ts';
import { feedTypes, keyOf, parentsOf } from './types.ts';

/** When a reader's rights changed, and who they were before. */
export interface Turning {
  readonly n: number;
  readonly before: Reader;
}

/**
 * Tells what a change of rights took from a reader and what it gave them: first removals of what
 * is lost (what is below them goes without saying), then every record of the working set that, or
 * of which a field, became visible or hidden. What went since they could not see it is lost too.
 *
 * @param from where an earlier answer stopped
 * @returns where this one stopped because `telling` holds `most`; null when all is told
 */
export async function tellDifference(
  tx: Tx,
  telling: Telling,
  turning: Turning,
  now: Reader,
  from: Place | null,
  most: number,
): Promise<Place | null> {
  const { before } = turning;
  if (from?.list !== 'held') {
    const place = await tellLost(tx, telling, turning, now, from, most);
    if (place !== null) return place;
  }
  if (isSameReader(before, now)) return null;
  return tellGained(tx, telling, before, now, from?.list === 'held' ? from : null, most);
}

/** A place before everything. */
const FIRST: Place = {
  list: 'lost',
  type: feedTypes[0] ?? 'user',
  id: '00000000-0000-0000-0000-000000000000',
};

/** So many are looked at in one statement, whatever somebody has lost. */
const AT_ONCE = 1_000;

async function tellLost(
  tx: Tx,
  telling: Telling,
  turning: Turning,
  now: Reader,
  from: Place | null,
  most: number,
): Promise<Place | null> {
  let place = from ?? FIRST;
  const touched = await typesSince(tx, turning.n);
  const isSame = isSameReader(turning.before, now);
  for (const type of feedTypes.slice(feedTypes.indexOf(place.type))) {
    if (isSame && !touched.has(type)) continue;
    let after: string | null = place.type === type ? place.id : FIRST.id;
    while (after !== null) {
      const page: LostPage = await lostPage(tx, type, turning, now, {
        after,
        isTouched: touched.has(type),
      });
      for (const id of page.ids) {
        if (telling.size >= most) return place;
        telling.remove(type, id);
        place = { list: 'lost', type, id };
      }
      after = page.end;
    }
  }
  return null;
}

interface LostPage {
  readonly ids: readonly string[];
  /** As far as it reaches; null: to the end. */
  readonly end: string | null;
}

/** What of `type` was lost, beyond the id `after`: what still stands there, and what went since. */
async function lostPage(
  tx: Tx,
  type: TypeName,
  turning: Turning,
  now: Reader,
  { after, isTouched }: { readonly after: string; readonly isTouched: boolean },
): Promise<LostPage> {
  const { before, n } = turning;
  const standing = isSameReader(before, now) ? [] : await lostOfType(tx, type, before, now, after);
  const touched = isTouched ? await firstRowsSince(tx, n, { type, after, most: AT_ONCE }) : [];
  const ends = [standing, touched].flatMap((rows) => {
    const last = rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
    return last ?? [];
  });
  const end = ends.sort()[0] ?? null;
  const gone = await lostSince(tx, type, touched, before, now);
  const ids = [...standing.map(({ id }) => id), ...gone].filter((id) => end === null || id <= end);
  return { ids: [...new Set(ids)].sort(), end };
}

async function tellGained(
  tx: Tx,
  telling: Telling,
  before: Reader,
  now: Reader,
  from: Place | null,
  most: number,
): Promise<Place | null> {
  let place: Place = from ?? { ...FIRST, list: 'held' };
  for (const type of feedTypes.slice(feedTypes.indexOf(place.type))) {
    if (resourceOf(type).load !== 'first') continue;
    const after = place.type === type ? place.id : FIRST.id;
    const room = Math.max(most - telling.size, 0);
    const records = await seenRecords(tx, now.viewer, type, {
      where: [isAfter(after), inFeedSql(type, LISTED, now), ...changedSql(type, before, now)],
      limit: room + 1,
    });
    for (const record of records.slice(0, room)) {
      telling.show(type, shown(type, record));
      place = { list: 'held', type, id: record.id };
    }
    if (records.length > room) return place;
  }
  return null;
}

export function isAfter(id: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${LISTED}.id`)} > ${id}::uuid`;
}

/** In the working set, and not in the feed before, or with a field that is newly shown or hidden. */
function changedSql(type: TypeName, before: Reader, now: Reader): RawBuilder<boolean>[] {
  const was = inFeedSql(type, LISTED, before);
  const flags = flagsOf(type).map(
    ({ field }) =>
      sql`${fieldVisibleSql(type, field, LISTED, before.viewer)} is distinct from
        ${fieldVisibleSql(type, field, LISTED, now.viewer)}`,
  );
  return [
    inWorkingSetSql(type, LISTED),
    sql<boolean>`(${sql.join([sql`(${was}) is not true`, ...flags], sql` or `)})`,
  ];
}

/** Of `touched`, what the reader had before the turn and does not have in the feed now. */
async function lostSince(
  tx: Tx,
  type: TypeName,
  touched: Awaited<ReturnType<typeof firstRowsSince>>,
  before: Reader,
  now: Reader,
): Promise<string[]> {
  const had = touched.flatMap((row) =>
    row.before !== null && inFeedAt(type, row.before, before) ? [row.id] : [],
  );
  if (had.length === 0) return [];
  const there = await shownNow(tx, now, new Map([[type, new Set(had)]]));
  return had.filter((id) => !there.has(keyOf(type, id)));
}

/** What was in the feed and is there no more, without what is below something else of it. */
function lostOfType(
  tx: Tx,
  type: TypeName,
  before: Reader,
  now: Reader,
  after: string,
): Promise<{ readonly id: string }[]> {
  const isLost = (of: TypeName, alias: string) =>
    sql<boolean>`(${inFeedSql(of, alias, before)} and (${inFeedSql(of, alias, now)}) is not true)`;
  const isImplied = parentsOf(type)
    .filter(([, to]) => feedTypes.includes(to))
    .map(
      ([field, to]) => sql`exists (select 1 from ${sql.table(tableOf(to))} as parent
        where parent.id = ${sql.ref(`${LISTED}.${columnOf(type, field)}`)} and ${isLost(to, 'parent')})`,
    );
  const alone = isImplied.length === 0 ? sql`` : sql`and not (${sql.join(isImplied, sql` or `)})`;
  return tx.query(sql<{ readonly id: string }>`
    select ${sql.ref(`${LISTED}.id`)} as id from ${sql.table(tableOf(type))} as ${sql.id(LISTED)}
    where ${isAfter(after)} and ${isLost(type, LISTED)} ${alone}
    order by ${sql.ref(`${LISTED}.id`)} limit ${AT_ONCE}`);
}

/** Whether both see the same of everything; then nothing has to be read. */
function isSameReader(a: Reader, b: Reader): boolean {
  const textOf = (reader: Reader) => {
    const { isSuperAdmin, memberOf, adminOf, authorIn, groups } = reader.viewer;
    const sets = [organizationsOf(reader), memberOf, adminOf, authorIn, groups];
    return JSON.stringify([isSuperAdmin, ...sets.map((set) => [...set].sort())]);
  };
  return textOf(a) === textOf(b);
}
