import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TypeName } from '#schema/index.ts';
import { resourceOf } from '#schema/index.ts';
import { flagsOf, readVisible } from '../access/read-visible.ts';
import { LISTED } from '../access/query/query-sql.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { fieldVisibleSql, isOneOf } from '../access/scope-sql.ts';
import { columnOf, tableOf } from '../db/tables.ts';
import type { ListPosition } from './cursor.ts';
import { isCandidate, countCandidates, CANDIDATE } from './candidates.ts';
import type { Candidates } from './candidates.ts';
import type { ReadBudget } from './read-budget.ts';
import {
  inFeedAt,
  inFeedSql,
  inWorkingSetSql,
  mayDifferInFeedSql,
  organizationsOf,
} from './reader.ts';
import type { FeedViewer, RightsChange } from './reader.ts';
import { rowsSince, typesSince } from './rows.ts';
import { visibleRecordOf, readVisibleNow } from './visible-record.ts';
import type { FeedOperationCollector } from './feed-operation-collector.ts';
import { feedTypes, isBelow, keyOf, parentsOf } from './types.ts';

/** When a reader's rights changed, and who they were before. */
interface ReaderPermissionChange {
  readonly n: number;
  readonly before: FeedViewer;
}

/** What is to be told of a change of rights, and how much of it at once. */
export interface Difference {
  readonly permissionChange: ReaderPermissionChange;
  readonly now: FeedViewer;
  /** Where an earlier answer stopped. */
  readonly from: ListPosition | null;
  /** It stops when so many operations are told. */
  readonly most: number;
  /** It stops when they are spent, whatever it has told. */
  readonly budget: ReadBudget;
}

/**
 * Tells what a change of rights took from a reader and what it gave them: first removals of what
 * is lost (what is below them goes without saying), then every record of the working set that, or
 * of which a field, became visible or hidden. What went since they could not see it is lost too.
 *
 * @returns where this one stopped; null when all is told
 */
export async function collectDifference(
  tx: DatabaseTransaction,
  telling: FeedOperationCollector,
  difference: Difference,
): Promise<ListPosition | null> {
  const { permissionChange, now, from, budget } = difference;
  const change = { before: permissionChange.before, now };
  const organizations = await lostOrganizations(tx, change, budget);
  const task = { ...difference, change, lostOrganizations: organizations };
  if (from?.list !== 'held') {
    const place = await collectLost(tx, telling, task);
    if (place !== null) return place;
  }
  return collectGained(tx, telling, task);
}

interface ComparisonTask extends Difference {
  readonly change: RightsChange;
  /** Organizations that are lost: their removal stands for that of everything below them. */
  readonly lostOrganizations: ReadonlySet<string>;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_TYPE: TypeName = feedTypes[0] ?? 'user';

/** What it costs to see which types were written since. */
const ROWS_PER_PERMISSION_CHANGE = 200;

/** So many are read by one statement, whatever somebody has lost. */
const AT_ONCE = 1_000;

async function lostOrganizations(
  tx: DatabaseTransaction,
  change: RightsChange,
  looks: ReadBudget,
): Promise<ReadonlySet<string>> {
  const { before, now } = change;
  const have = organizationsOf(now);
  const some = organizationsOf(before).filter((id) => !have.includes(id));
  if (some.length === 0) return new Set();
  const rows = await tx.query(sql<{ readonly id: string }>`
    select ${sql.ref(`${LISTED}.id`)} as id
    from ${sql.table(tableOf('organization'))} as ${sql.id(LISTED)}
    where ${isOneOf(sql.ref(`${LISTED}.id`), some)} and ${isLostSql('organization', LISTED, change)}`);
  looks.spend(some.length);
  return new Set(rows.map(({ id }) => id));
}

async function collectLost(
  tx: DatabaseTransaction,
  telling: FeedOperationCollector,
  task: ComparisonTask,
): Promise<ListPosition | null> {
  const { permissionChange: turning, from, budget: looks } = task;
  const start: ListPosition = from ?? firstPlace('lost');
  const touched = await typesSince(tx, turning.n);
  looks.spend(ROWS_PER_PERMISSION_CHANGE);
  for (const type of feedTypes.slice(feedTypes.indexOf(start.type))) {
    const conditions = conditionsOf(type, task, 'lost');
    const isTouched = touched.has(type);
    if (conditions.length === 0 && !isTouched) continue;
    const after = start.type === type ? start.id : NO_ID;
    const place = await collectLostOf(tx, telling, task, { type, conditions, after, isTouched });
    if (place !== null) return place;
  }
  return null;
}

async function collectLostOf(
  tx: DatabaseTransaction,
  telling: FeedOperationCollector,
  task: ComparisonTask,
  question: LostQuestion,
): Promise<ListPosition | null> {
  const { type } = question;
  let place: ListPosition = { list: 'lost', type, id: question.after };
  for (;;) {
    const { ids, end } = await lostPage(tx, task, { ...question, after: place.id });
    for (const id of ids) {
      if (telling.size >= task.most) return place;
      telling.addRemoval(type, id);
      place = { list: 'lost', type, id };
    }
    if (end === null) return task.budget.isSpent ? placeAfter(place) : null;
    place = { list: 'lost', type, id: end };
    if (task.budget.isSpent) return place;
  }
}

const firstPlace = (list: ListPosition['list']): ListPosition => ({
  list,
  type: FIRST_TYPE,
  id: NO_ID,
});

/** The place before everything that comes after the records of a type; null when nothing does. */
function placeAfter({ list, type }: ListPosition): ListPosition | null {
  const next = feedTypes[feedTypes.indexOf(type) + 1];
  if (next !== undefined) return { list, type: next, id: NO_ID };
  return list === 'lost' ? firstPlace('held') : null;
}

/** Where the two may differ; what is below an organization that is lost is not looked at. */
function conditionsOf(
  type: TypeName,
  { change, lostOrganizations: without }: ComparisonTask,
  how: 'lost' | 'changed',
): RawBuilder<boolean>[] {
  const left = isBelow(type, 'organization') ? without : NONE;
  return mayDifferInFeedSql(type, CANDIDATE, change, { how, excludedOrganizations: left });
}

const NONE: ReadonlySet<string> = new Set();

interface LostQuestion extends Pick<Candidates, 'type' | 'conditions' | 'after'> {
  readonly isTouched: boolean;
}

interface LostPage {
  readonly ids: readonly string[];
  /** As far as it reaches; null: to the end. */
  readonly end: string | null;
}

/** What of a type was lost, beyond the id `after`: what still stands there, and what went since. */
async function lostPage(
  tx: DatabaseTransaction,
  task: ComparisonTask,
  question: LostQuestion,
): Promise<LostPage> {
  const { budget: looks, permissionChange: turning, change } = task;
  const { type, after, isTouched } = question;
  const rows = isTouched ? await rowsSince(tx, turning.n, { type, after, most: AT_ONCE }) : [];
  if (isTouched) looks.spend(rows.length);
  const upTo = rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null);
  const standing = await lostAmongPresent(tx, task, { ...question, upTo });
  const { end } = standing;
  const gone = await lostSince(
    tx,
    type,
    rows.filter(({ id }) => end === null || id <= end),
    change,
  );
  return { ids: [...new Set([...standing.ids, ...gone])].sort(), end };
}

/** Of `rows`, the first of each record: what the reader had before and has not in the feed now. */
async function lostSince(
  tx: DatabaseTransaction,
  type: TypeName,
  rows: Awaited<ReturnType<typeof rowsSince>>,
  { before, now }: RightsChange,
): Promise<string[]> {
  const firsts = rows.filter(({ id }, n) => rows[n - 1]?.id !== id);
  const had = firsts.flatMap((row) =>
    row.before !== null && inFeedAt(type, row.before, before) ? [row.id] : [],
  );
  if (had.length === 0) return [];
  const there = await readVisibleNow(tx, now, new Map([[type, new Set(had)]]));
  return had.filter((id) => !there.has(keyOf(type, id)));
}

/** What was in the feed and is there no more, without what is below something else of it. */
async function lostAmongPresent(
  tx: DatabaseTransaction,
  { change, budget: looks }: ComparisonTask,
  question: Omit<Candidates, 'most'>,
): Promise<LostPage> {
  const candidates = { ...question, most: looks.left };
  const { type } = candidates;
  const { count, end } = await countCandidates(tx, candidates, looks);
  if (count === 0) return { ids: [], end };
  const isImplied = parentsOf(type)
    .filter(([, to]) => feedTypes.includes(to))
    .map(
      ([field, to]) => sql`exists (select 1 from ${sql.table(tableOf(to))} as parent
        where parent.id = ${sql.ref(`${LISTED}.${columnOf(type, field)}`)}
        and ${isLostSql(to, 'parent', change)})`,
    );
  const alone = isImplied.length === 0 ? sql`` : sql`and not (${sql.join(isImplied, sql` or `)})`;
  const lost = await tx.query(sql<{ readonly id: string }>`
    select ${sql.ref(`${LISTED}.id`)} as id from ${sql.table(tableOf(type))} as ${sql.id(LISTED)}
    where ${isCandidate(candidates)} and ${isLostSql(type, LISTED, change)} ${alone}
    order by ${sql.ref(`${LISTED}.id`)} limit ${AT_ONCE}`);
  const ids = lost.map(({ id }) => id);
  return { ids, end: ids.length < AT_ONCE ? end : (ids.at(-1) ?? end) };
}

function isLostSql(type: TypeName, alias: string, { before, now }: RightsChange) {
  const [was, is] = [inFeedSql(type, alias, before), inFeedSql(type, alias, now)];
  return sql<boolean>`(${was} and (${is}) is not true)`;
}

async function collectGained(
  tx: DatabaseTransaction,
  telling: FeedOperationCollector,
  task: ComparisonTask,
): Promise<ListPosition | null> {
  const start: ListPosition = task.from?.list === 'held' ? task.from : firstPlace('held');
  for (const type of feedTypes.slice(feedTypes.indexOf(start.type))) {
    const conditions = resourceOf(type).load === 'first' ? conditionsOf(type, task, 'changed') : [];
    if (conditions.length === 0) continue;
    const after = start.type === type ? start.id : NO_ID;
    const place = await collectGainedOf(tx, telling, task, { type, conditions, after, upTo: null });
    if (place !== null) return place;
  }
  return null;
}

async function collectGainedOf(
  tx: DatabaseTransaction,
  telling: FeedOperationCollector,
  { change, most, budget: looks }: ComparisonTask,
  question: Omit<Candidates, 'most'>,
): Promise<ListPosition | null> {
  const { type } = question;
  let place: ListPosition = { list: 'held', type, id: question.after };
  for (;;) {
    const candidates = { ...question, after: place.id, most: looks.left };
    const { count: looked, end } = await countCandidates(tx, candidates, looks);
    const room = Math.max(most - telling.size, 0);
    const records = looked === 0 ? [] : await gainedAmong(tx, candidates, change, room + 1);
    for (const record of records.slice(0, room)) {
      telling.addRecord(type, visibleRecordOf(type, record));
      place = { list: 'held', type, id: record.id };
    }
    if (records.length > room) return place;
    if (end === null) return looks.isSpent ? placeAfter(place) : null;
    place = { list: 'held', type, id: end };
    if (looks.isSpent) return place;
  }
}

function gainedAmong(
  tx: DatabaseTransaction,
  candidates: Candidates,
  change: RightsChange,
  limit: number,
) {
  const { type } = candidates;
  const { viewer } = change.now;
  const isNow = inFeedSql(type, LISTED, change.now);
  const where = [isCandidate(candidates), isNow, ...changedSql(type, change)];
  return readVisible(tx, viewer, type, { where, limit });
}

/** In the working set, and not in the feed before, or with a field that is newly shown or hidden. */
function changedSql(type: TypeName, { before, now }: RightsChange): RawBuilder<boolean>[] {
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
