import { limits } from '#protocol/limits.ts';
import { closeReasons } from '#protocol/hub.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { hasCommits, headOf } from '../../feed/write-feed.ts';
import type { FeedCommit, FeedRow } from '../../db/feed-row.ts';
import { ReadBudget } from '../../feed/read-budget.ts';
import { oldestOf, rowsAfter, permissionChangesOf } from '../../feed/rows.ts';
import { eraOf } from '../../domain/accounts/sign-ins.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { Services } from '../../domain/services.ts';
import { publishCommits } from './publish-commits.ts';
import type { CommitBatch } from './publish-commits.ts';
import type { CommitPosition, Subscriber } from './subscriber.ts';
import type { Timers } from '#base/timers.ts';

const ROWS_AT_ONCE = 2_000;
const AGAIN_AFTER_MS = 250;
/**
 * Everybody waits while permission changes are compared. A reader whose change costs more is told
 * that there is more, and reads it from the feed.
 */
const MOST_ROWS_READ = 10_000;

/** The subscribers of one user. */
interface Group {
  readonly user: string;
  readonly own: readonly Subscriber[];
}

/**
 * Follows the feed and publishes to every subscriber what it brings. The bus only says that it is
 * time to poll; without it, the feed is polled every 5 s. Commits are taken in order, some at a
 * time, all as of one moment, after `published`, the commit up to which everybody has been served.
 * It moves at the instant at which the subscribers are counted, so whoever subscribes gets
 * everything after it.
 */
export class Broadcast {
  private readonly services: Services;
  private readonly timers: Timers;
  /** The subscribers, by user. */
  private readonly subscribers = new Map<string, Set<Subscriber>>();
  /** The rights, by user, as of `published`; a viewer row drops them. */
  private readonly viewers = new Map<string, Viewer>();
  private published: FeedCommit | null = null;
  private finding: Promise<FeedCommit> | null = null;
  private running: Promise<void> | null = null;
  private isHinted = false;
  private isStopped = false;
  private stopPolls: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(services: Services, timers: Timers) {
    this.services = services;
    this.timers = timers;
    this.unsubscribe = services.bus.subscribe(() => {
      this.poll();
    });
  }

  /**
   * From now on `subscriber` gets updates; it is closed at once when its user is locked or signed
   * out.
   */
  async join(subscriber: Subscriber): Promise<void> {
    const own = this.subscribers.get(subscriber.user) ?? new Set();
    this.subscribers.set(subscriber.user, own.add(subscriber));
    await this.position();
    // Viewer and sign-in may be older than the position, and then no row will mention their change.
    await this.services.db.read((tx) => this.closeEnded(tx, subscriber.user, [subscriber]));
  }

  leave(subscriber: Subscriber): void {
    const own = this.subscribers.get(subscriber.user);
    own?.delete(subscriber);
    if (own?.size === 0) {
      this.subscribers.delete(subscriber.user);
      this.viewers.delete(subscriber.user);
    }
    if (this.subscribers.size > 0) return;
    this.published = null;
    this.stopPolls();
  }

  /** Returns the commit up to which everybody has been served. */
  async position(): Promise<CommitPosition> {
    for (;;) {
      if (this.published !== null) return positionAt(this.published);
      this.finding ??= this.services.db.read(headOf).finally(() => {
        this.finding = null;
      });
      this.begin(await this.finding);
    }
  }

  private begin(head: FeedCommit): void {
    if (this.published !== null) return;
    this.published = head;
    this.pollLater();
    this.poll();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.unsubscribe();
    this.stopPolls();
    await this.running;
  }

  private poll(): void {
    if (this.published === null || this.isStopped) return;
    this.isHinted = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  private pollLater(): void {
    this.stopPolls();
    this.stopPolls = this.timers.after(limits.feedPollEveryMs, () => {
      if (this.published === null || this.isStopped) return;
      this.poll();
      this.pollLater();
    });
  }

  private async run(): Promise<void> {
    while (this.isHinted && !this.isStopped) {
      this.isHinted = false;
      try {
        if (await this.advance()) this.isHinted = true;
      } catch (error) {
        this.services.log.warn({ err: error }, 'The feed could not be told; trying again');
        this.timers.after(AGAIN_AFTER_MS, () => {
          this.poll();
        });
      }
    }
  }

  /**
   * The database was restored to a state before this process's position: clients connect anew, and
   * ask what it has.
   */
  private disconnectAll(): void {
    const all = [...this.subscribers.values()].flatMap((own) => [...own]);
    this.published = null;
    this.viewers.clear();
    this.services.log.warn('The database was restored: every connection to the hub begins anew');
    for (const subscriber of all) subscriber.close(null, true);
  }

  /** Publishes the next commits; returns false when there are none. */
  private async advance(): Promise<boolean> {
    let counted: readonly Group[] = [];
    try {
      return await this.services.db.read(async (tx) => {
        const from = this.published;
        if (from === null) return false;
        if (!(await hasCommits(tx, [from]))) {
          this.disconnectAll();
          return false;
        }
        const rows = await wholeCommits(tx, from.n);
        const last = rows.at(-1);
        if (last === undefined || this.published === null) return false;
        const seen = await headOf(tx);

        this.published = { n: last.n, mark: last.mark };
        counted = [...this.subscribers].map(([user, own]) => ({ user, own: [...own] }));
        if (await isPruned(tx, from.n, rows)) {
          // Commits that are gone cannot be published: clients read the feed, which says so, and
          // begin afresh.
          this.viewers.clear();
          for (const { own } of counted)
            for (const one of own) one.markMissed({ n: last.n, seen }, []);
          return true;
        }
        for (const row of rows) if (row.kind === 'viewer') this.viewers.delete(row.id);
        await this.publishAll(tx, counted, { rows, seen, budget: new ReadBudget(MOST_ROWS_READ) });
        return true;
      });
    } catch (error) {
      // The subscribers were counted and got nothing: they read these commits from the feed.
      const { published } = this;
      if (published !== null)
        for (const { own } of counted)
          for (const one of own) one.markMissed(positionAt(published), []);
      throw error;
    }
  }

  private async publishAll(tx: DatabaseTransaction, counted: readonly Group[], batch: CommitBatch) {
    const { rows } = batch;
    for (const { user, own: group } of counted) {
      const hasPermissionChange = rows.some(({ kind, id }) => kind === 'viewer' && id === user);
      const open = hasPermissionChange ? await this.closeEnded(tx, user, group) : group;
      if (open.length === 0) continue;
      const viewer = await this.viewerOf(tx, user);
      const permissionChanges = hasPermissionChange
        ? await permissionChangesOf(tx, user, (rows[0]?.n ?? 1) - 1)
        : [];
      await publishCommits(tx, viewer, open, batch, permissionChanges);
    }
  }

  /**
   * Closes the subscribers of `group` whose user is locked or whose sign-in has ended; returns the
   * others.
   */
  private async closeEnded(tx: DatabaseTransaction, user: string, group: readonly Subscriber[]) {
    const person = await tx.one('user', user);
    if (person?.isLocked !== false) {
      for (const subscriber of group) subscriber.close(closeReasons.locked, false);
      return [];
    }
    const era = await eraOf(tx, this.services.config, person.authId);
    const ended = group.filter((subscriber) => subscriber.era !== era);
    for (const subscriber of ended) subscriber.close(closeReasons.notSignedIn, true);
    return group.filter((subscriber) => subscriber.era === era);
  }

  private async viewerOf(tx: DatabaseTransaction, user: string): Promise<Viewer> {
    const viewer = this.viewers.get(user) ?? (await loadViewer(tx, user));
    this.viewers.set(user, viewer);
    return viewer;
  }
}

const positionAt = (commit: FeedCommit): CommitPosition => ({ n: commit.n, seen: commit });

/** Returns true when the feed has forgotten commits after `from`; `rows` are those it still has. */
async function isPruned(
  tx: DatabaseTransaction,
  from: number,
  rows: readonly FeedRow[],
): Promise<boolean> {
  const next = rows[0]?.n ?? from + 1;
  return next > from + 1 && ((await oldestOf(tx)) ?? next) > from + 1;
}

/** Returns the next rows, without a commit of which only a part was read. */
async function wholeCommits(tx: DatabaseTransaction, from: number): Promise<FeedRow[]> {
  for (let most = ROWS_AT_ONCE; ; most *= 4) {
    const rows = await rowsAfter(tx, { n: from, k: 0 }, most);
    if (rows.length < most) return rows;
    const last = rows.at(-1)?.n;
    const whole = rows.filter(({ n }) => n !== last);
    if (whole.length > 0) return whole;
  }
}
