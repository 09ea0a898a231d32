import type { FeedDocument } from '#protocol/operations.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { FeedCommit } from '../db/feed-row.ts';
import { expired, parseCursor } from './cursor.ts';
import type { CursorRealm } from './cursor.ts';
import type { ReadBudget } from './read-budget.ts';
import { checkAnswered, feedPage } from './feed-page.ts';
import type { FeedViewer } from './reader.ts';
import { beginSnapshot, snapshotPage } from './snapshot.ts';

/** A reader's request to the feed. */
export interface FeedQuestion {
  /** The cursor of an earlier answer; null: a snapshot. */
  readonly since: string | null;
  /** Commits that answers showed to the reader and the feed did not yet. */
  readonly answered: readonly FeedCommit[];
  readonly limit: number;
  /** The budget of one answer, if it is not the usual one. */
  readonly budget?: ReadBudget | undefined;
}

/**
 * Returns one answer of the change feed (wire 9): without `since` the beginning of a snapshot, with
 * the cursor of an earlier answer what comes after it.
 *
 * @throws ProblemError 400 when `since` is no cursor, 410 when it cannot be continued, or this
 *   database does not have what the reader was answered
 */
export async function readFeed(
  tx: DatabaseTransaction,
  identity: string,
  reader: FeedViewer,
  { since, answered, limit, budget }: FeedQuestion,
): Promise<FeedDocument> {
  const realm: CursorRealm = { identity, selected: reader.selected };
  if (since === null) return snapshotFrom(tx, realm, reader, limit);

  const cursor = parseCursor(since);
  if (cursor.identity !== identity) throw expired('other-database');
  if (cursor.selected !== reader.selected) throw expired('other-scope');
  await checkAnswered(tx, answered);
  return cursor.is === 'feed'
    ? feedPage(tx, realm, reader, cursor, limit, budget)
    : snapshotPage(tx, realm, reader, cursor, limit);
}

async function snapshotFrom(
  tx: DatabaseTransaction,
  realm: CursorRealm,
  reader: FeedViewer,
  limit: number,
) {
  return snapshotPage(tx, realm, reader, await beginSnapshot(tx, reader), limit);
}
