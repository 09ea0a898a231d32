import { sql } from 'kysely';
import type { FeedOperation, FeedDocument } from '#protocol/operations.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { countVisible, readVisible } from '../access/read-visible.ts';
import { LISTED } from '../access/query/query-sql.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import { headOf } from './write-feed.ts';
import { feedCursor, snapshotCursor } from './cursor.ts';
import type { ListPosition, CursorRealm, SnapshotPoint } from './cursor.ts';
import { checkPoint } from './feed-page.ts';
import { inFeedSql, inWorkingSetSql } from './reader.ts';
import type { FeedViewer } from './reader.ts';
import { visibleRecordOf } from './visible-record.ts';
import { feedTypes } from './types.ts';

const firstTypes = feedTypes.filter((type) => resourceOf(type).load === 'first');

/** Returns the point at which a snapshot begins: this moment, with the number of its records. */
export async function beginSnapshot(
  tx: DatabaseTransaction,
  reader: FeedViewer,
): Promise<SnapshotPoint> {
  let total = 0;
  for (const type of firstTypes)
    total += await countVisible(tx, reader.viewer, type, { where: workingSet(type, reader) });
  const head = await headOf(tx);
  return { start: head.n, place: null, done: 0, total, seen: head };
}

/**
 * Returns the next `limit` records of the working set, by type (parents first) and id. After the
 * last of them comes the feed, from the moment the snapshot began: what changed meanwhile is sent
 * again.
 */
export async function snapshotPage(
  tx: DatabaseTransaction,
  realm: CursorRealm,
  reader: FeedViewer,
  point: SnapshotPoint,
  limit: number,
): Promise<FeedDocument> {
  const { start } = point;
  const head = await headOf(tx);
  await checkPoint(tx, { n: start, k: 0, place: null, seen: point.seen }, head);
  const { operations, place, isWhole } = await readChunk(tx, reader, point.place, limit);
  const done = point.done + operations.length;
  const total = Math.max(point.total, done);
  const cursor = isWhole
    ? feedCursor(realm, { n: start, k: 0, place: null, seen: head })
    : snapshotCursor(realm, { start, place, done, total, seen: head });
  return {
    jsonapi: { version: '1.1' },
    operations,
    meta: { cursor, more: true, phase: 'snapshot', done, total: isWhole ? done : total },
  };
}

interface Chunk {
  readonly operations: readonly FeedOperation[];
  readonly place: ListPosition | null;
  readonly isWhole: boolean;
}

async function readChunk(
  tx: DatabaseTransaction,
  reader: FeedViewer,
  from: ListPosition | null,
  limit: number,
): Promise<Chunk> {
  const operations: FeedOperation[] = [];
  let place = from;
  for (const type of firstTypes.slice(
    from === null ? 0 : Math.max(firstTypes.indexOf(from.type), 0),
  )) {
    const room = limit - operations.length;
    const after = from?.type === type ? [isAfter(from.id)] : [];
    const records = await readVisible(tx, reader.viewer, type, {
      where: [...after, ...workingSet(type, reader)],
      limit: room + 1,
    });
    for (const record of records.slice(0, room)) {
      operations.push({ op: 'update', data: visibleRecordOf(type, record).data });
      place = { list: 'held', type, id: record.id };
    }
    if (records.length > room) return { operations, place, isWhole: false };
  }
  return { operations, place, isWhole: true };
}

function isAfter(id: string) {
  return sql<boolean>`${sql.ref(`${LISTED}.id`)} > ${id}::uuid`;
}

function workingSet(type: TypeName, reader: FeedViewer) {
  return [inFeedSql(type, LISTED, reader), sql<boolean>`(${inWorkingSetSql(type, LISTED)})`];
}
