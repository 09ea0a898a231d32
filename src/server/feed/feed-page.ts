import type { FeedDocument } from '#protocol/operations.ts';
import type { Tx } from '../db/database.ts';
import { hasCommits, headOf, markOf } from './write-feed.ts';
import type { Commit, FeedRow } from '../db/feed-row.ts';
import { tellDifference } from './compare.ts';
import { expired, feedCursor } from './cursor.ts';
import type { FeedPoint, Realm } from './cursor.ts';
import { Looks } from './looks.ts';
import { readerOf } from './reader.ts';
import type { Reader } from './reader.ts';
import { oldestOf, rowsAfter, turnsOf, viewerBefore } from './rows.ts';
import type { Turn } from './rows.ts';
import { takeRows, tellRows } from './tell.ts';
import { Telling } from './told.ts';

/** Rows that concern somebody else cost little, but one answer does not look at all there ever were. */
const MOST_LOOKED_AT = 20_000;

/**
 * What happened since `point`, as far as `limit` operations go: one answer of `GET /api/changes`
 * in phase `feed`. The same point and the same data give the same answer.
 *
 * @throws ProblemError 410 `cursor-expired`
 */
export async function feedPage(
  tx: Tx,
  realm: Realm,
  reader: Reader,
  point: FeedPoint,
  limit: number,
  looks = new Looks(MOST_LOOKED_AT),
): Promise<FeedDocument> {
  const head = await headOf(tx);
  await checkPoint(tx, point, head);

  const turns = await turnsOf(tx, reader.viewer.id, point.n);
  const telling = new Telling();
  const task = { reader, turns, telling, limit, looks, head: head.n };
  const end = { ...(await tellFrom(tx, task, point)), seen: head };
  return {
    jsonapi: { version: '1.1' },
    operations: telling
      .operations()
      .map((news) => (news.op === 'add' ? { ...news, op: 'update' } : news)),
    meta: { cursor: feedCursor(realm, end), more: end.n < head.n, phase: 'feed' },
  };
}

/**
 * @throws ProblemError 410 when the feed cannot be told from `point` on: it is forgotten there, or
 *   the database was restored and does not have what the cursor has seen (wire 9.3)
 */
export async function checkPoint(tx: Tx, point: FeedPoint, head: Commit): Promise<void> {
  const isWithin = point.k > 0 || point.place !== null;
  const { n, seen } = point;
  if (n > head.n || (seen?.n ?? n) > head.n || (isWithin && n === head.n)) throw expired('ahead');
  if (n < head.n) {
    const oldest = await oldestOf(tx);
    if (oldest === null || n < oldest - 1) throw expired('too-old');
  }
  // A cursor of before there were marks is answered once as it is.
  if (seen === null) return;
  const mark = seen.n === head.n ? head.mark : await markOf(tx, seen.n);
  if (mark !== seen.mark) throw expired('other-database');
}

/**
 * @throws ProblemError 410 when one of `commits`, which the reader was shown by answers, is not in
 *   this database (decision 33)
 */
export async function checkAnswered(tx: Tx, commits: readonly Commit[]): Promise<void> {
  if (commits.length === 0) return;
  if (!(await hasCommits(tx, commits))) throw expired('other-database');
}

interface Task {
  readonly reader: Reader;
  readonly turns: readonly Turn[];
  readonly telling: Telling;
  readonly limit: number;
  readonly looks: Looks;
  readonly head: number;
}

type Unseen = Omit<FeedPoint, 'seen'>;

/** Tells rows until the answer is full, enough were looked at, or there are no more. */
async function tellFrom(tx: Tx, task: Task, start: Unseen): Promise<Unseen> {
  const { reader, telling, limit, looks, head } = task;
  let point = start;
  while (telling.size < limit && !looks.areSpent) {
    const room = Math.min(limit - telling.size, 1_000);
    // One more, to see whether a commit ends.
    const rows = await rowsAfter(tx, point, room + 1);
    if (rows.length === 0) return { n: head, k: 0, place: null };
    looks.spend(rows.length);

    const turn = rows.findIndex((row) => isOwnTurn(row, reader));
    const plain = rows.slice(0, turn < 0 ? room : Math.min(turn, room));
    if (point.place === null && plain.length > 0) {
      tellRows(telling, await takeRows(tx, reader, plain, task.turns));
      point = pointAfter(rows, plain.length - 1, head);
      continue;
    }
    const [row] = rows;
    const place = await tellTurn(tx, task, row, point);
    if (place !== null && row !== undefined) return { n: row.n - 1, k: row.k - 1, place };
    point = pointAfter(rows, 0, head);
  }
  return point;
}

function isOwnTurn(row: FeedRow, { viewer }: Reader): boolean {
  return row.kind === 'viewer' && row.id === viewer.id;
}

/** Tells what the viewer row `row` means; returns the place at which it stopped before the end. */
function tellTurn(tx: Tx, task: Task, row: FeedRow | undefined, point: Unseen) {
  const { reader, turns, telling, limit, looks } = task;
  if (row === undefined || !isOwnTurn(row, reader)) return Promise.resolve(null);
  const before = readerOf(viewerBefore(turns, row.n, reader.viewer), reader.selected);
  const turning = { n: row.n, before };
  const { place: from } = point;
  return tellDifference(tx, telling, { turning, now: reader, from, most: limit, looks });
}

/** The point after `rows[at]`: whole commits are told by their number alone. */
function pointAfter(rows: readonly FeedRow[], at: number, head: number): Unseen {
  const [row, next] = [rows[at], rows[at + 1]];
  if (row === undefined) return { n: head, k: 0, place: null };
  if (next?.n === row.n) return { n: row.n - 1, k: row.k, place: null };
  // Without a next row this was the last of all: rows are read with one to spare.
  return { n: next === undefined ? head : row.n, k: 0, place: null };
}
