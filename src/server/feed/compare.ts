import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { resourceOf } from '#schema/index.ts';
import { flagsOf, seenRecords } from '../api/seen.ts';
import { LISTED } from '../api/query/sql.ts';
import type { Tx } from '../database/database.ts';
import { fieldVisibleSql } from '../database/scope.ts';
import { columnOf, tableOf } from '../database/tables.ts';
import type { Place } from './cursor.ts';
import { inFeedAt, inFeedSql, inWorkingSetSql, organizationsOf } from './reader.ts';
import type { Reader } from './reader.ts';
import { firstRowsSince } from './rows.ts';
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
  let place = from;
  if (place?.list !== 'held') {
    const known = await lostRecords(tx, before, now);
    const lost = [...known, ...(await lostSince(tx, turning, now))].sort(inOrder);
    for (const { type, id } of lost) {
      if (place !== null && !isBeyond({ type, id }, place)) continue;
      if (telling.size >= most) return place ?? FIRST;
      telling.remove(type, id);
      place = { list: 'lost', type, id };
    }
    place = null;
  }
  return isSameReader(before, now) ? null : tellGained(tx, telling, before, now, place, most);
}

/** A place before everything. */
const FIRST: Place = {
  list: 'lost',
  type: feedTypes[0] ?? 'user',
  id: '00000000-0000-0000-0000-000000000000',
};

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

interface Lost {
  readonly type: TypeName;
  readonly id: string;
}

/** What was in the feed and is there no more, without what is below something else of it. */
async function lostRecords(tx: Tx, before: Reader, now: Reader): Promise<Lost[]> {
  if (isSameReader(before, now)) return [];
  const lost = new Set<string>();
  const named: Lost[] = [];
  for (const type of feedTypes) {
    for (const record of await lostOfType(tx, type, before, now)) {
      lost.add(keyOf(type, record.id));
      const isImplied = parentsOf(type).some(([field, to]) =>
        lost.has(keyOf(to, String(record[field]))),
      );
      if (!isImplied) named.push({ type, id: record.id });
    }
  }
  return named;
}

/** What the reader had before the turn, that was written since and is not in the feed now. */
async function lostSince(tx: Tx, { n, before }: Turning, now: Reader): Promise<Lost[]> {
  const had = (await firstRowsSince(tx, n)).filter(
    (row) =>
      feedTypes.includes(row.type) && row.before !== null && inFeedAt(row.type, row.before, before),
  );
  const wanted = new Map<TypeName, Set<string>>();
  for (const { type, id } of had) wanted.set(type, (wanted.get(type) ?? new Set()).add(id));
  const there = await shownNow(tx, now, wanted);
  return had.filter(({ type, id }) => !there.has(keyOf(type, id)));
}

function inOrder(a: Lost, b: Lost): number {
  const byType = feedTypes.indexOf(a.type) - feedTypes.indexOf(b.type);
  return byType === 0 ? (a.id < b.id ? -1 : 1) : byType;
}

function isBeyond(one: Lost, place: Place): boolean {
  return one.id !== place.id && inOrder(one, place) > 0;
}

function lostOfType(tx: Tx, type: TypeName, before: Reader, now: Reader): Promise<AnyRecord[]> {
  const parents = parentsOf(type).map(
    ([field]) => sql`, ${sql.ref(`${LISTED}.${columnOf(type, field)}`)} as ${sql.id(field)}`,
  );
  return tx.query(sql<AnyRecord>`
    select ${sql.ref(`${LISTED}.id`)} as id ${sql.join(parents, sql``)}
    from ${sql.table(tableOf(type))} as ${sql.id(LISTED)}
    where ${inFeedSql(type, LISTED, before)} and (${inFeedSql(type, LISTED, now)}) is not true
    order by ${sql.ref(`${LISTED}.id`)}`);
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
