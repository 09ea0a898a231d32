import { ProblemError } from '#protocol/problem.ts';
import type { TypeName } from '#schema/index.ts';
import type { FeedCommit } from '../db/feed-row.ts';
import { feedTypes } from './types.ts';

/** The record after which a list, ordered by type and id, was left. */
export interface ListPosition {
  /** Removals come before updates. */
  readonly list: 'lost' | 'held';
  readonly type: TypeName;
  readonly id: string;
}

/**
 * A point of the feed: all of commit `n`, `k` rows of the next, and of the row after those what
 * comes before `place`.
 */
export interface FeedPoint {
  readonly n: number;
  readonly k: number;
  readonly place: ListPosition | null;
  /**
   * The newest commit whose records were shown on the way to this point: records come as they are
   * now, so a copy may include more than `n`. Its mark tells the lineage. Null: the cursor is from
   * before there were marks.
   */
  readonly seen: FeedCommit | null;
}

export interface SnapshotPoint extends Pick<FeedPoint, 'seen'> {
  /** The commit at which the snapshot began; the feed goes on from there. */
  readonly start: number;
  readonly place: ListPosition | null;
  readonly done: number;
  readonly total: number;
}

export type Cursor = (
  ({ readonly is: 'feed' } & FeedPoint) | ({ readonly is: 'snapshot' } & SnapshotPoint)
) & {
  readonly identity: string;
  /** The organization that a super admin chose; a cursor belongs to the choice (wire 9.4). */
  readonly selected: string | null;
};

/** The database and the chosen organization to which cursors belong. */
export interface CursorRealm {
  readonly identity: string;
  readonly selected: string | null;
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const bare = (id: string): string => id.replaceAll('-', '');

function realmText({ identity, selected }: CursorRealm): string {
  return selected === null ? identity : `${identity}~${bare(selected)}`;
}

function placeText(place: ListPosition | null): string {
  if (place === null) return '';
  const letter = place.list === 'lost' ? 'a' : 'b';
  return `.${letter}${digits(feedTypes.indexOf(place.type), 2)}~${bare(place.id)}`;
}

/**
 * Returns the text of a feed cursor. Of two cursors with one realm the later is greater, as strings
 * (wire 9.3).
 */
export function feedCursor(realm: CursorRealm, { n, k, place, seen }: FeedPoint): string {
  const within = k === 0 && place === null ? '' : `.${digits(k, 6)}${placeText(place)}`;
  return `${realmText(realm)}.${digits(n, 20)}${within}${seenText(seen, n)}`;
}

export function snapshotCursor(
  realm: CursorRealm,
  { start, place, done, total, seen }: SnapshotPoint,
): string {
  const counts = `${String(done)}.${String(total)}`;
  return `${realmText(realm)}.s${digits(start, 20)}.${counts}${placeText(place)}${seenText(seen, start)}`;
}

/** Returns the text by which answers name the newest commit that they may show. */
export const commitText = ({ n, mark }: FeedCommit): string => `${digits(n, 20)}-${mark}`;

/** A reader may ask about this many commits of answers at once. */
const MOST_ANSWERED = 100;
const COMMIT = /^(\d{20})-([a-z0-9]{8})$/;

/** @throws ProblemError 400 when `text` is no list of commits, as `commitText` writes them */
export function parseCommits(text: string): FeedCommit[] {
  const names = text.split(',', MOST_ANSWERED + 1);
  const commits = names.flatMap((name) => {
    const [, n, mark] = COMMIT.exec(name) ?? [];
    return n === undefined || mark === undefined ? [] : { n: Number(n), mark };
  });
  if (commits.length === names.length && names.length <= MOST_ANSWERED) return commits;
  throw new ProblemError({ code: 'invalid-parameter', source: { parameter: 'answered' } });
}

/** `-` sorts before `.` and the digits, so that marked cursors compare as unmarked ones do. */
function seenText(seen: FeedCommit | null, n: number): string {
  if (seen === null) return '';
  return seen.n === n ? `-${seen.mark}` : `-${seen.mark}~${digits(seen.n, 20)}`;
}

const HEAD = /^([A-Za-z0-9_-]{1,60})(?:~([0-9a-f]{32}))?\.(.+)$/;
const PLACE = String.raw`(?:\.([ab])(\d\d)~([0-9a-f]{32}))?`;
const SEEN = String.raw`(?:-([a-z0-9]{8})(?:~(\d{20}))?)?`;
const FEED = new RegExp(String.raw`^(\d{20})(?:\.(\d{6})${PLACE})?${SEEN}$`);
const SNAPSHOT = new RegExp(String.raw`^s(\d{20})\.(\d{1,9})\.(\d{1,9})${PLACE}${SEEN}$`);

/** @throws ProblemError 400 when `text` is no cursor */
export function parseCursor(text: string): Cursor {
  const [, identity, selected, rest = ''] = HEAD.exec(text) ?? [];
  if (identity === undefined) throw notACursor();
  const realm = { identity, selected: selected === undefined ? null : dashed(selected) };

  const feed = FEED.exec(rest);
  if (feed !== null) {
    const [, n, k = '0', letter, index, id, ...seen] = feed;
    const place = placeOf([letter, index, id]);
    return { is: 'feed', ...realm, n: Number(n), k: Number(k), place, seen: seenOf(seen, n) };
  }
  const snapshot = SNAPSHOT.exec(rest);
  if (snapshot === null) throw notACursor();
  const [, start, done, total, letter, index, id, ...seen] = snapshot;
  const counts = { done: Number(done), total: Number(total), seen: seenOf(seen, start) };
  const place = placeOf([letter, index, id]);
  return { is: 'snapshot', ...realm, start: Number(start), ...counts, place };
}

function seenOf(
  [mark, at]: readonly (string | undefined)[],
  n: string | undefined,
): FeedCommit | null {
  return mark === undefined ? null : { n: Number(at ?? n), mark };
}

function placeOf([letter, index, id]: readonly (string | undefined)[]): ListPosition | null {
  if (letter === undefined || id === undefined) return null;
  const type = feedTypes[Number(index)];
  if (type === undefined) throw notACursor();
  return { list: letter === 'a' ? 'lost' : 'held', type, id: dashed(id) };
}

const dashed = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function notACursor(): ProblemError {
  return new ProblemError({
    code: 'invalid-parameter',
    detail: 'since is not a cursor of this feed.',
    source: { parameter: 'since' },
  });
}

/** Returns 410: the reader starts again without a cursor. */
export function expired(
  reason: 'other-database' | 'ahead' | 'too-old' | 'other-scope',
): ProblemError {
  return new ProblemError({ code: 'cursor-expired', meta: { reason } });
}
