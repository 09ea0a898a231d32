import type { FeedDocument } from '#protocol/operations.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { hasCommits, headOf, markOf } from './write-feed.ts';
import type { FeedCommit, FeedRow } from '../db/feed-row.ts';
import { collectDifference } from './permission-difference.ts';
import { expired, feedCursor } from './cursor.ts';
import type { FeedPoint, CursorRealm } from './cursor.ts';
import { ReadBudget } from './read-budget.ts';
import { feedViewerOf } from './reader.ts';
import type { FeedViewer } from './reader.ts';
import { oldestOf, rowsAfter, permissionChangesOf, viewerBefore } from './rows.ts';
import type { PermissionChange } from './rows.ts';
import { readRowsFor, collectRows } from './reader-rows.ts';
import { FeedOperationCollector } from './feed-operation-collector.ts';

/**
 * Rows that concern somebody else cost little, but one answer does not read all that there ever
 * were.
 */
const MOST_ROWS_READ = 20_000;

/**
 * Returns what happened since `point`, up to `limit` operations: one answer of `GET /api/changes`
 * in phase `feed`. The same point and the same data give the same answer.
 *
 * @throws ProblemError 410 `cursor-expired`
 */
export async function feedPage(
  tx: DatabaseTransaction,
  realm: CursorRealm,
  reader: FeedViewer,
  point: FeedPoint,
  limit: number,
  budget = new ReadBudget(MOST_ROWS_READ),
): Promise<FeedDocument> {
  const head = await headOf(tx);
  await checkPoint(tx, point, head);

  const permissionChanges = await permissionChangesOf(tx, reader.viewer.id, point.n);
  const collector = new FeedOperationCollector();
  const task = { reader, permissionChanges, collector, limit, budget, head: head.n };
  const end = { ...(await collectFrom(tx, task, point)), seen: head };
  return {
    jsonapi: { version: '1.1' },
    operations: collector
      .operations()
      .map((operation) => (operation.op === 'add' ? { ...operation, op: 'update' } : operation)),
    meta: { cursor: feedCursor(realm, end), more: end.n < head.n, phase: 'feed' },
  };
}

/**
 * @throws ProblemError 410 when the feed cannot be read from `point` on: it is forgotten there, or
 * the database was restored and does not have what the cursor has seen (wire 9.3)
 */
export async function checkPoint(
  tx: DatabaseTransaction,
  point: FeedPoint,
  head: FeedCommit,
): Promise<void> {
  const isWithin = point.k > 0 || point.place !== null;
  const { n, seen } = point;
  if (n > head.n || (seen?.n ?? n) > head.n || (isWithin && n === head.n)) throw expired('ahead');
  if (n < head.n) {
    const oldest = await oldestOf(tx);
    if (oldest === null || n < oldest - 1) throw expired('too-old');
  }
  // A cursor from before there were marks is answered once as it is.
  if (seen === null) return;
  const mark = seen.n === head.n ? head.mark : await markOf(tx, seen.n);
  // fault 43
  if (mark !== seen.mark) throw expired('other-database');
}

/**
 * @throws ProblemError 410 when one of `commits`, which the reader was shown by answers, is not in
 *   this database (decision 33)
 */
export async function checkAnswered(
  tx: DatabaseTransaction,
  commits: readonly FeedCommit[],
): Promise<void> {
  if (commits.length === 0) return;
  if (!(await hasCommits(tx, commits))) throw expired('other-database');
}

interface FeedPageTask {
  readonly reader: FeedViewer;
  readonly permissionChanges: readonly PermissionChange[];
  readonly collector: FeedOperationCollector;
  readonly limit: number;
  readonly budget: ReadBudget;
  readonly head: number;
}

type FeedPosition = Omit<FeedPoint, 'seen'>;

/** Collects rows until the answer is full, enough rows were read, or there are no more. */
async function collectFrom(
  tx: DatabaseTransaction,
  task: FeedPageTask,
  start: FeedPosition,
): Promise<FeedPosition> {
  const { reader, collector, limit, budget, head } = task;
  let point = start;
  while (collector.size < limit && !budget.isSpent) {
    const room = Math.min(limit - collector.size, 1_000);
    // One row more is read, to see whether a commit ends.
    const rows = await rowsAfter(tx, point, room + 1);
    if (rows.length === 0) return { n: head, k: 0, place: null };
    budget.spend(rows.length);

    const permissionChangeAt = rows.findIndex((row) => isOwnPermissionChange(row, reader));
    const plain = rows.slice(0, permissionChangeAt < 0 ? room : Math.min(permissionChangeAt, room));
    if (point.place === null && plain.length > 0) {
      collectRows(collector, await readRowsFor(tx, reader, plain, task.permissionChanges));
      point = pointAfter(rows, plain.length - 1, head);
      continue;
    }
    const [row] = rows;
    const place = await collectPermissionChange(tx, task, row, point);
    if (place !== null && row !== undefined) return { n: row.n - 1, k: row.k - 1, place };
    point = pointAfter(rows, 0, head);
  }
  return point;
}

function isOwnPermissionChange(row: FeedRow, { viewer }: FeedViewer): boolean {
  return row.kind === 'viewer' && row.id === viewer.id;
}

/**
 * Collects what the viewer row `row` means; returns the position at which it stopped before the
 * end.
 */
function collectPermissionChange(
  tx: DatabaseTransaction,
  task: FeedPageTask,
  row: FeedRow | undefined,
  point: FeedPosition,
) {
  const { reader, permissionChanges, collector, limit, budget } = task;
  if (row === undefined || !isOwnPermissionChange(row, reader)) return Promise.resolve(null);
  const before = feedViewerOf(
    viewerBefore(permissionChanges, row.n, reader.viewer),
    reader.selected,
  );
  const turning = { n: row.n, before };
  const { place: from } = point;
  return collectDifference(tx, collector, {
    permissionChange: turning,
    now: reader,
    from,
    most: limit,
    budget,
  });
}

/** Returns the point after `rows[at]`: a whole commit is named by its number alone. */
function pointAfter(rows: readonly FeedRow[], at: number, head: number): FeedPosition {
  const [row, next] = [rows[at], rows[at + 1]];
  if (row === undefined) return { n: head, k: 0, place: null };
  if (next?.n === row.n) return { n: row.n - 1, k: row.k, place: null };
  // Without a next row this was the last of all: rows are read with one to spare.
  return { n: next === undefined ? head : row.n, k: 0, place: null };
}
