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

/** A change of a reader's rights: its commit, and the rights before it. */
interface ReaderPermissionChange {
  readonly n: number;
  readonly before: FeedViewer;
}

/** A change of rights to collect, and how much of it at once. */
export interface Difference {
  readonly permissionChange: ReaderPermissionChange;
  readonly now: FeedViewer;
  /** The position at which an earlier answer stopped. */
  readonly from: ListPosition | null;
  /** Collecting stops at this many operations. */
  readonly most: number;
  /** Collecting stops when the budget is spent, however little it has collected. */
  readonly budget: ReadBudget;
}

/**
 * Collects what a permission change took from a reader and what it gave them: first the removals of
 * what is lost (what is below them is implied), then every record of the working set that became
 * visible or hidden, or that has such a field. A record that was removed while they could not see
 * it is lost too.
 *
 * @returns the position at which it stopped; null when everything is collected
 */
export async function collectDifference(
  tx: DatabaseTransaction,
  collector: FeedOperationCollector,
  difference: Difference,
): Promise<ListPosition | null> {
  const { permissionChange, now, from, budget } = difference;
  const change = { before: permissionChange.before, now };
  const organizations = await lostOrganizations(tx, change, budget);
  const task = { ...difference, change, lostOrganizations: organizations };
  if (from?.list !== 'held') {
    const place = await collectLost(tx, collector, task);
    if (place !== null) return place;
  }
  return collectGained(tx, collector, task);
}

interface ComparisonTask extends Difference {
  readonly change: RightsChange;
  /** Lost organizations: their removal stands for that of everything below them. */
  readonly lostOrganizations: ReadonlySet<string>;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_TYPE: TypeName = feedTypes[0] ?? 'user';

/** The cost of finding out which types were written since. */
const ROWS_PER_PERMISSION_CHANGE = 200;

/** One statement reads this many, whatever somebody has lost. */
const AT_ONCE = 1_000;

async function lostOrganizations(
  tx: DatabaseTransaction,
  change: RightsChange,
  budget: ReadBudget,
): Promise<ReadonlySet<string>> {
  const { before, now } = change;
  const have = organizationsOf(now);
  const some = organizationsOf(before).filter((id) => !have.includes(id));
  if (some.length === 0) return new Set();
  const rows = await tx.query(sql<{ readonly id: string }>`
    select ${sql.ref(`${LISTED}.id`)} as id
    from ${sql.table(tableOf('organization'))} as ${sql.id(LISTED)}
    where ${isOneOf(sql.ref(`${LISTED}.id`), some)} and ${isLostSql('organization', LISTED, change)}`);
  budget.spend(some.length);
  return new Set(rows.map(({ id }) => id));
}

async function collectLost(
  tx: DatabaseTransaction,
  collector: FeedOperationCollector,
  task: ComparisonTask,
): Promise<ListPosition | null> {
  const { permissionChange, from, budget } = task;
  const start: ListPosition = from ?? firstPlace('lost');
  const touched = await typesSince(tx, permissionChange.n);
  budget.spend(ROWS_PER_PERMISSION_CHANGE);
  for (const type of feedTypes.slice(feedTypes.indexOf(start.type))) {
    const conditions = conditionsOf(type, task, 'lost');
    const isTouched = touched.has(type);
    if (conditions.length === 0 && !isTouched) continue;
    const after = start.type === type ? start.id : NO_ID;
    const place = await collectLostOf(tx, collector, task, { type, conditions, after, isTouched });
    if (place !== null) return place;
  }
  return null;
}

async function collectLostOf(
  tx: DatabaseTransaction,
  collector: FeedOperationCollector,
  task: ComparisonTask,
  question: LostQuestion,
): Promise<ListPosition | null> {
  const { type } = question;
  let place: ListPosition = { list: 'lost', type, id: question.after };
  for (;;) {
    const { ids, end } = await lostPage(tx, task, { ...question, after: place.id });
    for (const id of ids) {
      if (collector.size >= task.most) return place;
      collector.addRemoval(type, id);
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

/**
 * Returns the position before everything that comes after the records of a type; null when nothing
 * does.
 */
function placeAfter({ list, type }: ListPosition): ListPosition | null {
  const next = feedTypes[feedTypes.indexOf(type) + 1];
  if (next !== undefined) return { list, type: next, id: NO_ID };
  return list === 'lost' ? firstPlace('held') : null;
}

/**
 * Returns conditions for the records in which the two may differ; records below a lost organization
 * are left out.
 */
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
  /** The last id that the page reaches; null: it reaches the end. */
  readonly end: string | null;
}

/**
 * Returns what was lost of a type, beyond the id `after`: what still exists, and what was removed
 * since.
 */
async function lostPage(
  tx: DatabaseTransaction,
  task: ComparisonTask,
  question: LostQuestion,
): Promise<LostPage> {
  const { budget, permissionChange, change } = task;
  const { type, after, isTouched } = question;
  const rows = isTouched
    ? await rowsSince(tx, permissionChange.n, { type, after, most: AT_ONCE })
    : [];
  if (isTouched) budget.spend(rows.length);
  const upTo = rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null);
  const lost = await lostAmongPresent(tx, task, { ...question, upTo });
  const { end } = lost;
  const gone = await lostSince(
    tx,
    type,
    rows.filter(({ id }) => end === null || id <= end),
    change,
  );
  return { ids: [...new Set([...lost.ids, ...gone])].sort(), end };
}

/**
 * Returns the first of `rows` for each record that the reader had before and has not in the feed
 * now.
 */
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

/** Returns what was in the feed and is there no more, without what is below another such record. */
async function lostAmongPresent(
  tx: DatabaseTransaction,
  { change, budget }: ComparisonTask,
  question: Omit<Candidates, 'most'>,
): Promise<LostPage> {
  const candidates = { ...question, most: budget.left };
  const { type } = candidates;
  const { count, end } = await countCandidates(tx, candidates, budget);
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
  collector: FeedOperationCollector,
  task: ComparisonTask,
): Promise<ListPosition | null> {
  const start: ListPosition = task.from?.list === 'held' ? task.from : firstPlace('held');
  for (const type of feedTypes.slice(feedTypes.indexOf(start.type))) {
    const conditions = resourceOf(type).load === 'first' ? conditionsOf(type, task, 'changed') : [];
    if (conditions.length === 0) continue;
    const after = start.type === type ? start.id : NO_ID;
    const place = await collectGainedOf(tx, collector, task, {
      type,
      conditions,
      after,
      upTo: null,
    });
    if (place !== null) return place;
  }
  return null;
}

async function collectGainedOf(
  tx: DatabaseTransaction,
  collector: FeedOperationCollector,
  { change, most, budget }: ComparisonTask,
  question: Omit<Candidates, 'most'>,
): Promise<ListPosition | null> {
  const { type } = question;
  let place: ListPosition = { list: 'held', type, id: question.after };
  for (;;) {
    const candidates = { ...question, after: place.id, most: budget.left };
    const { count: looked, end } = await countCandidates(tx, candidates, budget);
    const room = Math.max(most - collector.size, 0);
    const records = looked === 0 ? [] : await gainedAmong(tx, candidates, change, room + 1);
    for (const record of records.slice(0, room)) {
      collector.addRecord(type, visibleRecordOf(type, record));
      place = { list: 'held', type, id: record.id };
    }
    if (records.length > room) return place;
    if (end === null) return budget.isSpent ? placeAfter(place) : null;
    place = { list: 'held', type, id: end };
    if (budget.isSpent) return place;
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

/**
 * Returns the condition for records of the working set that were not in the feed before, or that
 * have a field that is newly shown or hidden.
 */
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
