import type { FeedDocument } from '#protocol/operations.ts';
import type { Tx } from '../db/database.ts';
import type { Commit } from '../db/feed-row.ts';
import { expired, parseCursor } from './cursor.ts';
import type { Realm } from './cursor.ts';
import type { Looks } from './looks.ts';
import { checkAnswered, feedPage } from './feed-page.ts';
import type { Reader } from './reader.ts';
import { beginSnapshot, snapshotPage } from './snapshot.ts';

/** What a reader asks of the feed. */
export interface FeedQuestion {
  /** The cursor of an earlier answer; null: a snapshot. */
  readonly since: string | null;
  /** Commits that answers showed to the reader before the feed did. */
  readonly answered: readonly Commit[];
  readonly limit: number;
  /** How much one answer may look at, if not as much as usual. */
  readonly looks?: Looks | undefined;
}

/**
 * One answer of the change feed (wire 9): without `since` the beginning of a snapshot, with the
 * cursor of an earlier answer what comes after it.
 *
 * @throws ProblemError 400 when `since` is no cursor, 410 when it cannot be continued, or this
 *   database does not have what the reader was answered
 */
export async function readFeed(
  tx: Tx,
  identity: string,
  reader: Reader,
  { since, answered, limit, looks }: FeedQuestion,
): Promise<FeedDocument> {
  const realm: Realm = { identity, selected: reader.selected };
  if (since === null) return snapshotFrom(tx, realm, reader, limit);

  const cursor = parseCursor(since);
  if (cursor.identity !== identity) throw expired('other-database');
  if (cursor.selected !== reader.selected) throw expired('other-scope');
  await checkAnswered(tx, answered);
  return cursor.is === 'feed'
    ? feedPage(tx, realm, reader, cursor, limit, looks)
    : snapshotPage(tx, realm, reader, cursor, limit);
}

async function snapshotFrom(tx: Tx, realm: Realm, reader: Reader, limit: number) {
  return snapshotPage(tx, realm, reader, await beginSnapshot(tx, reader), limit);
}
