import { limits } from '#protocol/limits.ts';
import { closeReasons } from '#protocol/hub.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Tx } from '../database/database.ts';
import { headOf } from '../database/feed.ts';
import type { FeedRow } from '../database/feed-row.ts';
import { oldestOf, rowsAfter, turnsOf } from '../feed/rows.ts';
import { loadViewer } from '../identity/viewer.ts';
import type { Parts } from '../parts.ts';
import { newsFor } from './news.ts';
import type { Subscriber } from './subscriber.ts';
import type { Timers } from '../timers.ts';

const ROWS_AT_ONCE = 2_000;
const AGAIN_AFTER_MS = 250;

/**
 * Follows the feed and tells every subscriber what it brings. The bus only says that it is time to
 * look; without it, the feed is looked at every 5 s. Commits are taken in order, some at a time,
 * all of one moment: from `told` on, which is the commit up to which everybody was told. It moves
 * at the instant at which the subscribers are counted, so whoever subscribes gets all after it.
 */
export class Broadcast {
  private readonly parts: Parts;
  private readonly timers: Timers;
  private readonly subscribers = new Set<Subscriber>();
  /** Rights by user, as of `told`; a viewer row drops them. */
  private readonly viewers = new Map<string, Viewer>();
  private told: number | null = null;
  private finding: Promise<number> | null = null;
  private running: Promise<void> | null = null;
  private isHinted = false;
  private isStopped = false;
  private stopPolls: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(parts: Parts, timers: Timers) {
    this.parts = parts;
    this.timers = timers;
    this.unsubscribe = parts.bus.subscribe(() => {
      this.look();
    });
  }

  /** From now on `subscriber` is told; a locked user's is closed at once. */
  async join(subscriber: Subscriber): Promise<void> {
    this.subscribers.add(subscriber);
    await this.position();
    // The lock may be older than the position, and then no row will speak of it.
    const user = await this.parts.db.read((tx) => tx.one('user', subscriber.user));
    if (user?.isLocked !== false) subscriber.close(closeReasons.locked, false);
  }

  leave(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    if (![...this.subscribers].some(({ user }) => user === subscriber.user))
      this.viewers.delete(subscriber.user);
    if (this.subscribers.size > 0) return;
    this.told = null;
    this.stopPolls();
  }

  /** The commit up to which everybody was told. */
  async position(): Promise<number> {
    for (;;) {
      if (this.told !== null) return this.told;
      this.finding ??= this.parts.db.read(headOf).finally(() => {
        this.finding = null;
      });
      this.begin(await this.finding);
    }
  }

  private begin(head: number): void {
    if (this.told !== null) return;
    this.told = head;
    this.pollLater();
    this.look();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.unsubscribe();
    this.stopPolls();
    await this.running;
  }

  private look(): void {
    if (this.told === null || this.isStopped) return;
    this.isHinted = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  private pollLater(): void {
    this.stopPolls();
    this.stopPolls = this.timers.after(limits.feedPollEveryMs, () => {
      if (this.told === null || this.isStopped) return;
      this.look();
      this.pollLater();
    });
  }

  private async run(): Promise<void> {
    while (this.isHinted && !this.isStopped) {
      this.isHinted = false;
      try {
        if (await this.advance()) this.isHinted = true;
      } catch (error) {
        this.parts.log.warn({ err: error }, 'The feed could not be told; trying again');
        this.timers.after(AGAIN_AFTER_MS, () => {
          this.look();
        });
      }
    }
  }

  /** Tells the next commits; false when there are none. */
  private async advance(): Promise<boolean> {
    let counted: readonly Subscriber[] = [];
    try {
      return await this.parts.db.read(async (tx) => {
        const from = this.told;
        if (from === null) return false;
        const rows = await wholeCommits(tx, from);
        const last = rows.at(-1);
        if (last === undefined || this.told === null) return false;

        this.told = last.n;
        counted = [...this.subscribers];
        if (await isPruned(tx, from, rows)) {
          // What is gone nobody can be told: they read the feed, which says so, and begin afresh.
          this.viewers.clear();
          for (const subscriber of counted) subscriber.miss(last.n, []);
          return true;
        }
        for (const row of rows) if (row.kind === 'viewer') this.viewers.delete(row.id);
        await this.tellAll(tx, counted, rows);
        return true;
      });
    } catch (error) {
      // They were counted and not told: they read it from the feed.
      for (const subscriber of counted) subscriber.miss(this.told ?? 0, []);
      throw error;
    }
  }

  private async tellAll(tx: Tx, counted: readonly Subscriber[], rows: readonly FeedRow[]) {
    for (const [user, group] of byUser(counted)) {
      const hasTurned = rows.some(({ kind, id }) => kind === 'viewer' && id === user);
      if (hasTurned && (await this.closeIfLocked(tx, user, group))) continue;
      const viewer = await this.viewerOf(tx, user);
      const turns = hasTurned ? await turnsOf(tx, user, (rows[0]?.n ?? 1) - 1) : [];
      await newsFor(tx, viewer, group, rows, turns);
    }
  }

  private async closeIfLocked(tx: Tx, user: string, group: readonly Subscriber[]) {
    const isLocked = (await tx.one('user', user))?.isLocked !== false;
    if (isLocked) for (const subscriber of group) subscriber.close(closeReasons.locked, false);
    return isLocked;
  }

  private async viewerOf(tx: Tx, user: string): Promise<Viewer> {
    const viewer = this.viewers.get(user) ?? (await loadViewer(tx, user));
    this.viewers.set(user, viewer);
    return viewer;
  }
}

/** Whether the feed has forgotten commits after `from`, of which `rows` are what it still has. */
async function isPruned(tx: Tx, from: number, rows: readonly FeedRow[]): Promise<boolean> {
  const next = rows[0]?.n ?? from + 1;
  return next > from + 1 && ((await oldestOf(tx)) ?? next) > from + 1;
}

/** The next rows, without a commit of which only a part was read. */
async function wholeCommits(tx: Tx, from: number): Promise<FeedRow[]> {
  for (let most = ROWS_AT_ONCE; ; most *= 4) {
    const rows = await rowsAfter(tx, { n: from, k: 0 }, most);
    if (rows.length < most) return rows;
    const last = rows.at(-1)?.n;
    const whole = rows.filter(({ n }) => n !== last);
    if (whole.length > 0) return whole;
  }
}

function byUser(subscribers: readonly Subscriber[]): Map<string, Subscriber[]> {
  const groups = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers)
    groups.set(subscriber.user, [...(groups.get(subscriber.user) ?? []), subscriber]);
  return groups;
}
