import type { FeedOperation } from '#protocol/operations.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { identifier, presentRecord } from '#protocol/present.ts';
import { readVisibleById } from '../../access/read-visible.ts';
import { mayShowOrHide } from '../../access/visibility-changes.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { FeedCommit, FeedRow } from '../../db/feed-row.ts';
import { collectDifference } from '../../feed/permission-difference.ts';
import type { ReadBudget } from '../../feed/read-budget.ts';
import { feedViewerOf } from '../../feed/reader.ts';
import type { FeedViewer } from '../../feed/reader.ts';
import type { PermissionChange } from '../../feed/rows.ts';
import { readRowsFor, collectRows } from '../../feed/reader-rows.ts';
import type { ReaderRows } from '../../feed/reader-rows.ts';
import { FeedOperationCollector } from '../../feed/feed-operation-collector.ts';
import type { Channel } from './channels.ts';
import type { CommitPosition, Subscriber } from './subscriber.ts';
import { limits } from '#protocol/limits.ts';

/** Whole commits that were read at one moment, and the newest commit of that moment. */
export interface CommitBatch {
  readonly rows: readonly FeedRow[];
  readonly seen: FeedCommit;
  /** The budget for permission changes, for all who get these commits. */
  readonly budget: ReadBudget;
}

/**
 * Publishes to the subscribers of one user what `rows`, whole commits, bring them: one message
 * each.
 */
export async function publishCommits(
  tx: DatabaseTransaction,
  viewer: Viewer,
  group: readonly Subscriber[],
  { rows, seen, budget }: CommitBatch,
  permissionChanges: readonly PermissionChange[],
): Promise<void> {
  const commits = [...new Set(rows.map(({ n }) => n))];
  for (const [selected, some] of bySelected(group)) {
    const reader = feedViewerOf(viewer, selected);
    const isFeed = some.some(({ listensToFeed }) => listensToFeed);
    const readerRows = isFeed ? await readRowsFor(tx, reader, rows, permissionChanges) : NOTHING;
    for (const n of commits) {
      const ofCommit = rows.filter((row) => row.n === n);
      const permissionChange = permissionChanges.find((one) => one.n === n) ?? null;
      const published = isFeed
        ? await collectCommit(tx, reader, readerRows, { n, permissionChange, budget })
        : NO_UPDATE;
      for (const subscriber of some)
        await publishToSubscriber(tx, viewer, subscriber, {
          n,
          seen,
          rows: ofCommit,
          permissionChange,
          published,
        });
    }
  }
}

const NOTHING: ReaderRows = { meanings: [], now: new Map() };

/** The operations of a commit for a reader of the whole feed, and the changes that caused it. */
interface CommitForViewer {
  readonly collector: FeedOperationCollector;
  readonly rows: readonly FeedRow[];
  /** False when there is more, which only the feed has. */
  readonly isWhole: boolean;
}

const NO_UPDATE: CommitForViewer = {
  collector: new FeedOperationCollector(),
  rows: [],
  isWhole: true,
};

interface CommitToPublish {
  readonly n: number;
  readonly permissionChange: PermissionChange | null;
  readonly budget: ReadBudget;
}

async function collectCommit(
  tx: DatabaseTransaction,
  reader: FeedViewer,
  readerRows: ReaderRows,
  { n, permissionChange, budget }: CommitToPublish,
): Promise<CommitForViewer> {
  const collector = new FeedOperationCollector();
  const rows = collectRows(collector, readerRows, (row) => row.n === n);
  if (permissionChange === null) return { collector, rows, isWhole: true };
  if (budget.isSpent) return { collector, rows, isWhole: false };
  const turning = { n, before: feedViewerOf(permissionChange.before, reader.selected) };
  // One operation more than a message can hold shows that they do not all fit.
  const most = collector.size + limits.hubMessageOperations + 1;
  const difference = { permissionChange: turning, now: reader, from: null, most, budget };
  const place = await collectDifference(tx, collector, difference);
  return { collector, rows, isWhole: place === null };
}

interface CommitForSubscribers extends CommitPosition {
  readonly rows: readonly FeedRow[];
  readonly permissionChange: PermissionChange | null;
  readonly published: CommitForViewer;
}

async function publishToSubscriber(
  tx: DatabaseTransaction,
  viewer: Viewer,
  subscriber: Subscriber,
  { n, seen, rows, permissionChange, published }: CommitForSubscribers,
): Promise<void> {
  const channels = [...subscriber.channels.values()];
  const isWanted = wantedOn(channels);
  const operations = published.collector.operations(isWanted);
  const causes = published.rows.filter(({ type, id }) => isWanted(type, id));

  for (const channel of channels) {
    if (channel.is !== 'record') continue;
    const own = rows.filter((row) => mayAffect(row, channel));
    if (own.length === 0 && permissionChange === null) continue;
    const isTold =
      published.collector.has(channel.type, channel.id) && isWanted(channel.type, channel.id);
    if (isTold) {
      subscriber.noteTold(channel.name, published.collector.removes(channel.type, channel.id));
      continue;
    }
    const update = await updateOfRecord(tx, viewer, subscriber, channel, own);
    if (update === null) continue;
    operations.push(update);
    causes.push(...own);
  }
  if (permissionChange !== null)
    causes.push(...rows.filter(({ kind, id }) => kind === 'viewer' && id === viewer.id));
  const changes = [...new Set(causes.flatMap((row) => row.changes))];
  if (published.isWhole || !subscriber.listensToFeed)
    subscriber.publish({ n, seen, operations, changes });
  else subscriber.markMissed({ n, seen }, changes);
}

/** Returns a test for the records of the feed that the channels want. */
function wantedOn(channels: readonly Channel[]): (type: TypeName, id: string) => boolean {
  if (channels.some(({ is }) => is === 'changes')) return () => true;
  const types = new Set(channels.flatMap((one) => (one.is === 'type' ? [one.type] : [])));
  return (type) => types.has(type);
}

type RecordChannel = Extract<Channel, { is: 'record' }>;

/** Returns true when a row may change what is seen of the record of `channel`. */
function mayAffect(row: FeedRow, { type, id }: RecordChannel): boolean {
  if (row.kind === 'viewer') return false;
  if (row.type === type && row.id === id) return true;
  return mayShowOrHide(type, row);
}

/** Returns the update for the record of a record channel: as it is seen now, or its removal. */
async function updateOfRecord(
  tx: DatabaseTransaction,
  viewer: Viewer,
  subscriber: Subscriber,
  { name, type, id }: RecordChannel,
  rows: readonly FeedRow[],
): Promise<FeedOperation | null> {
  const record = await readVisibleById(tx, viewer, type, id);
  const wasHeld = subscriber.held.has(name);
  if (record === null) subscriber.hidden.add(name);
  const isItself = rows.length === 0 || rows.some((row) => row.id === id);
  // The change of another record says nothing, unless it shows or hides this one.
  if (!isItself && wasHeld === (record !== null)) return null;
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
