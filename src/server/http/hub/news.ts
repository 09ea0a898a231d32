import type { NewsOperation } from '#protocol/operations.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { identifier, presentRecord } from '#protocol/present.ts';
import { seenOne } from '../../access/seen.ts';
import type { Tx } from '../../db/database.ts';
import type { Commit, FeedRow } from '../../db/feed-row.ts';
import { tellDifference } from '../../feed/compare.ts';
import type { Looks } from '../../feed/looks.ts';
import { readerOf } from '../../feed/reader.ts';
import type { Reader } from '../../feed/reader.ts';
import type { Turn } from '../../feed/rows.ts';
import { takeRows, tellRows } from '../../feed/tell.ts';
import type { Taken } from '../../feed/tell.ts';
import { Telling } from '../../feed/told.ts';
import type { Channel } from './channels.ts';
import type { Position, Subscriber } from './subscriber.ts';
import { limits } from '#protocol/limits.ts';

/** Whole commits, read at one moment, and the newest commit of that moment. */
export interface Heard {
  readonly rows: readonly FeedRow[];
  readonly seen: Commit;
  /** What changes of rights may cost, for all who are told of these commits. */
  readonly looks: Looks;
}

/** Tells the subscribers of one user what `rows`, whole commits, bring them: one message for each. */
export async function newsFor(
  tx: Tx,
  viewer: Viewer,
  group: readonly Subscriber[],
  { rows, seen, looks }: Heard,
  turns: readonly Turn[],
): Promise<void> {
  const commits = [...new Set(rows.map(({ n }) => n))];
  for (const [selected, some] of bySelected(group)) {
    const reader = readerOf(viewer, selected);
    const isFeed = some.some(({ listensToFeed }) => listensToFeed);
    const taken = isFeed ? await takeRows(tx, reader, rows, turns) : NOTHING;
    for (const n of commits) {
      const ofCommit = rows.filter((row) => row.n === n);
      const turn = turns.find((one) => one.n === n) ?? null;
      const told = isFeed ? await tellCommit(tx, reader, taken, { n, turn, looks }) : NO_NEWS;
      for (const subscriber of some)
        await tellSubscriber(tx, viewer, subscriber, { n, seen, rows: ofCommit, turn, told });
    }
  }
}

const NOTHING: Taken = { meanings: [], now: new Map() };

/** What a commit means to a reader of the whole feed, and the changes it came from. */
interface Told {
  readonly telling: Telling;
  readonly rows: readonly FeedRow[];
  /** Otherwise there is more, which only the feed tells. */
  readonly isWhole: boolean;
}

const NO_NEWS: Told = { telling: new Telling(), rows: [], isWhole: true };

interface CommitToTell {
  readonly n: number;
  readonly turn: Turn | null;
  readonly looks: Looks;
}

async function tellCommit(
  tx: Tx,
  reader: Reader,
  taken: Taken,
  { n, turn, looks }: CommitToTell,
): Promise<Told> {
  const telling = new Telling();
  const rows = tellRows(telling, taken, (row) => row.n === n);
  if (turn === null) return { telling, rows, isWhole: true };
  if (looks.areSpent) return { telling, rows, isWhole: false };
  const turning = { n, before: readerOf(turn.before, reader.selected) };
  // One more than fits into a message shows that it does not fit.
  const most = telling.size + limits.hubMessageOperations + 1;
  const difference = { turning, now: reader, from: null, most, looks };
  const place = await tellDifference(tx, telling, difference);
  return { telling, rows, isWhole: place === null };
}

interface ToldCommit extends Position {
  readonly rows: readonly FeedRow[];
  readonly turn: Turn | null;
  readonly told: Told;
}

async function tellSubscriber(
  tx: Tx,
  viewer: Viewer,
  subscriber: Subscriber,
  { n, seen, rows, turn, told }: ToldCommit,
): Promise<void> {
  const channels = [...subscriber.channels.values()];
  const isWanted = wantedOn(channels);
  const operations = told.telling.operations(isWanted);
  const causes = told.rows.filter(({ type, id }) => isWanted(type, id));

  for (const channel of channels) {
    if (channel.is !== 'record') continue;
    const own = rows.filter((row) => concerns(row, channel));
    if (own.length === 0 && turn === null) continue;
    const isTold = told.telling.has(channel.type, channel.id) && isWanted(channel.type, channel.id);
    if (isTold) continue;
    const news = await newsOfRecord(tx, viewer, subscriber, channel, own);
    if (news === null) continue;
    operations.push(news);
    causes.push(...own);
  }
  if (turn !== null)
    causes.push(...rows.filter(({ kind, id }) => kind === 'viewer' && id === viewer.id));
  const changes = [...new Set(causes.flatMap((row) => row.changes))];
  if (told.isWhole || !subscriber.listensToFeed) subscriber.tell({ n, seen, operations, changes });
  else subscriber.miss({ n, seen }, changes);
}

/** Which records of the feed the channels ask for. */
function wantedOn(channels: readonly Channel[]): (type: TypeName, id: string) => boolean {
  if (channels.some(({ is }) => is === 'changes')) return () => true;
  const types = new Set(channels.flatMap((one) => (one.is === 'type' ? [one.type] : [])));
  return (type) => types.has(type);
}

type RecordChannel = Extract<Channel, { is: 'record' }>;

/** Whether a row may change what is seen of the record of `channel`. */
function concerns(row: FeedRow, { type, id }: RecordChannel): boolean {
  if (row.kind === 'viewer') return false;
  if (row.type === type && row.id === id) return true;
  // Outsiders meet organizations and people by their public projects (domain 2.3).
  const isMetByProject = type === 'organization' || type === 'user';
  return isMetByProject && row.type === 'project' && row.before?.isPublic !== row.after?.isPublic;
}

/** The record of a channel of its own, wherever it is: as it is seen now, or that it is no more. */
async function newsOfRecord(
  tx: Tx,
  viewer: Viewer,
  subscriber: Subscriber,
  { name, type, id }: RecordChannel,
  rows: readonly FeedRow[],
): Promise<NewsOperation | null> {
  const record = await seenOne(tx, viewer, type, id);
  const wasHeld = subscriber.held.has(name);
  if (record === null) {
    subscriber.held.delete(name);
    return wasHeld ? { op: 'remove', ref: identifier(type, id) } : null;
  }
  subscriber.held.add(name);
  const isNew = rows.some(({ op }) => op === 'add');
  return { op: isNew ? 'add' : 'update', data: presentRecord(type, record) };
}

function bySelected(group: readonly Subscriber[]): Map<string | null, Subscriber[]> {
  const groups = new Map<string | null, Subscriber[]>();
  for (const subscriber of group) {
    const { selected } = subscriber;
    groups.set(selected, [...(groups.get(selected) ?? []), subscriber]);
  }
  return groups;
}
