import type { FeedDocument } from '#protocol/operations.ts';
import type { Tx } from '../database/database.ts';
import { expired, parseCursor } from './cursor.ts';
import type { Realm } from './cursor.ts';
import { feedPage } from './page.ts';
import type { Reader } from './reader.ts';
import { beginSnapshot, snapshotPage } from './snapshot.ts';

/**
 * One answer of the change feed (wire 9): without `since` the beginning of a snapshot, with the
 * cursor of an earlier answer what comes after it.
 *
 * @throws ProblemError 400 when `since` is no cursor, 410 when it cannot be continued
 */
export function readFeed(
  tx: Tx,
  identity: string,
  reader: Reader,
  since: string | null,
  limit: number,
): Promise<FeedDocument> {
  const realm: Realm = { identity, selected: reader.selected };
  if (since === null) return snapshotFrom(tx, realm, reader, limit);

  const cursor = parseCursor(since);
  if (cursor.identity !== identity) throw expired('other-database');
  if (cursor.selected !== reader.selected) throw expired('other-scope');
  return cursor.is === 'feed'
    ? feedPage(tx, realm, reader, cursor, limit)
    : snapshotPage(tx, realm, reader, cursor, limit);
}

async function snapshotFrom(tx: Tx, realm: Realm, reader: Reader, limit: number) {
  return snapshotPage(tx, realm, reader, await beginSnapshot(tx, reader), limit);
}
