import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { FeedRow } from '../db/feed-row.ts';
import { inFeedAt, feedViewerOf } from './reader.ts';
import type { FeedViewer } from './reader.ts';
import { viewerBefore } from './rows.ts';
import type { PermissionChange } from './rows.ts';
import { readVisibleNow } from './visible-record.ts';
import type { VisibleRecord } from './visible-record.ts';
import type { FeedOperationCollector } from './feed-operation-collector.ts';
import { feedTypes, keyOf } from './types.ts';

/** What a row about a record, not about a viewer, may mean to a reader. */
interface RowVisibility {
  readonly row: FeedRow;
  /** It was in the reader's feed before the commit. */
  readonly was: boolean;
  /** As far as the row can tell, it was there after the commit. */
  readonly is: boolean;
}

/** The rows that concern one reader, and those of their records that the reader can see now. */
export interface ReaderRows {
  readonly meanings: readonly RowVisibility[];
  readonly now: ReadonlyMap<string, VisibleRecord>;
}

const feedTypeSet: ReadonlySet<TypeName> = new Set(feedTypes);

/** Reads the rows that concern the reader and, once, their records as they are now. */
export async function readRowsFor(
  tx: DatabaseTransaction,
  reader: FeedViewer,
  rows: readonly FeedRow[],
  permissionChanges: readonly PermissionChange[],
): Promise<ReaderRows> {
  const meanings = rows.flatMap((row) => rowVisibilityOf(row, reader, permissionChanges) ?? []);
  const wanted = new Map<TypeName, Set<string>>();
  for (const { row } of meanings)
    wanted.set(row.type, (wanted.get(row.type) ?? new Set()).add(row.id));
  return { meanings, now: await readVisibleNow(tx, reader, wanted) };
}

function rowVisibilityOf(
  row: FeedRow,
  reader: FeedViewer,
  permissionChanges: readonly PermissionChange[],
): RowVisibility | null {
  if (row.kind === 'viewer' || !feedTypeSet.has(row.type)) return null;
  const before = feedViewerOf(
    viewerBefore(permissionChanges, row.n, reader.viewer),
    reader.selected,
  );
  const was = row.before !== null && inFeedAt(row.type, row.before, before);
  const is = row.after !== null && inFeedAt(row.type, row.after, reader);
  return was || is ? { row, was, is } : null;
}

/** Collects what `readerRows` knows of `rows`; returns the rows that had something to collect. */
export function collectRows(
  collector: FeedOperationCollector,
  rows: ReaderRows,
  isWanted: (row: FeedRow) => boolean = () => true,
): FeedRow[] {
  return rows.meanings.flatMap(({ row, was, is }) => {
    if (!isWanted(row)) return [];
    const now = rows.now.get(keyOf(row.type, row.id));
    if (now === undefined) {
      if (!was) return [];
      collector.addRemoval(row.type, row.id);
    } else {
      if (row.kind === 'sight' && was && is && row.fields.length === 0) return [];
      collector.addRecord(row.type, now, row.op === 'add' ? 'add' : 'update');
    }
    return [row];
  });
}
