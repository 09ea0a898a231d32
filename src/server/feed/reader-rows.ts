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

/** What a row about a record (not a viewer) may mean to a reader. */
interface RowVisibility {
  readonly row: FeedRow;
  /** It was in the reader's feed before the commit. */
  readonly was: boolean;
  /** As far as the row can tell, it was there after the commit. */
  readonly is: boolean;
}

/** Rows as one reader has to take them, and those records of them that are there for them now. */
export interface ReaderRows {
  readonly meanings: readonly RowVisibility[];
  readonly now: ReadonlyMap<string, VisibleRecord>;
}

const feedTypeSet: ReadonlySet<TypeName> = new Set(feedTypes);

/** Rows that concern the reader, and one look at their records: as they are now. */
export async function readRowsFor(
  tx: DatabaseTransaction,
  reader: FeedViewer,
  rows: readonly FeedRow[],
  turns: readonly PermissionChange[],
): Promise<ReaderRows> {
  const meanings = rows.flatMap((row) => rowVisibilityOf(row, reader, turns) ?? []);
  const wanted = new Map<TypeName, Set<string>>();
  for (const { row } of meanings)
    wanted.set(row.type, (wanted.get(row.type) ?? new Set()).add(row.id));
  return { meanings, now: await readVisibleNow(tx, reader, wanted) };
}

function rowVisibilityOf(
  row: FeedRow,
  reader: FeedViewer,
  turns: readonly PermissionChange[],
): RowVisibility | null {
  if (row.kind === 'viewer' || !feedTypeSet.has(row.type)) return null;
  const before = feedViewerOf(viewerBefore(turns, row.n, reader.viewer), reader.selected);
  const was = row.before !== null && inFeedAt(row.type, row.before, before);
  const is = row.after !== null && inFeedAt(row.type, row.after, reader);
  return was || is ? { row, was, is } : null;
}

/** Tells of `rows` what `taken` knows of them; says which rows had something to tell. */
export function collectRows(
  telling: FeedOperationCollector,
  taken: ReaderRows,
  isAsked: (row: FeedRow) => boolean = () => true,
): FeedRow[] {
  return taken.meanings.flatMap(({ row, was, is }) => {
    if (!isAsked(row)) return [];
    const now = taken.now.get(keyOf(row.type, row.id));
    if (now === undefined) {
      if (!was) return [];
      telling.addRemoval(row.type, row.id);
    } else {
      if (row.kind === 'sight' && was && is && row.type !== 'user') return [];
      telling.addRecord(row.type, now, row.op === 'add' ? 'add' : 'update');
    }
    return [row];
  });
}
