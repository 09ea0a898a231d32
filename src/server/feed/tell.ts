import type { TypeName } from '#schema/index.ts';
import type { Tx } from '../db/database.ts';
import type { FeedRow } from '../db/feed-row.ts';
import { inFeedAt, readerOf } from './reader.ts';
import type { Reader } from './reader.ts';
import { viewerBefore } from './rows.ts';
import type { Turn } from './rows.ts';
import { shownNow } from './shown.ts';
import type { Shown } from './shown.ts';
import type { Telling } from './told.ts';
import { feedTypes, keyOf } from './types.ts';

/** What a row about a record (not a viewer) may mean to a reader. */
interface Meaning {
  readonly row: FeedRow;
  /** It was in the reader's feed before the commit. */
  readonly was: boolean;
  /** As far as the row can tell, it was there after the commit. */
  readonly is: boolean;
}

/** Rows as one reader has to take them, and those records of them that are there for them now. */
export interface Taken {
  readonly meanings: readonly Meaning[];
  readonly now: ReadonlyMap<string, Shown>;
}

const spokenOf: ReadonlySet<TypeName> = new Set(feedTypes);

/** Rows that concern the reader, and one look at their records: as they are now. */
export async function takeRows(
  tx: Tx,
  reader: Reader,
  rows: readonly FeedRow[],
  turns: readonly Turn[],
): Promise<Taken> {
  const meanings = rows.flatMap((row) => meaningOf(row, reader, turns) ?? []);
  const wanted = new Map<TypeName, Set<string>>();
  for (const { row } of meanings)
    wanted.set(row.type, (wanted.get(row.type) ?? new Set()).add(row.id));
  return { meanings, now: await shownNow(tx, reader, wanted) };
}

function meaningOf(row: FeedRow, reader: Reader, turns: readonly Turn[]): Meaning | null {
  if (row.kind === 'viewer' || !spokenOf.has(row.type)) return null;
  const before = readerOf(viewerBefore(turns, row.n, reader.viewer), reader.selected);
  const was = row.before !== null && inFeedAt(row.type, row.before, before);
  const is = row.after !== null && inFeedAt(row.type, row.after, reader);
  return was || is ? { row, was, is } : null;
}

/** Tells of `rows` what `taken` knows of them; says which rows had something to tell. */
export function tellRows(
  telling: Telling,
  taken: Taken,
  isAsked: (row: FeedRow) => boolean = () => true,
): FeedRow[] {
  return taken.meanings.flatMap(({ row, was, is }) => {
    if (!isAsked(row)) return [];
    const now = taken.now.get(keyOf(row.type, row.id));
    if (now === undefined) {
      if (!was) return [];
      telling.remove(row.type, row.id);
    } else {
      if (row.kind === 'sight' && was && is && row.type !== 'user') return [];
      telling.show(row.type, now, row.op === 'add' ? 'add' : 'update');
    }
    return [row];
  });
}
