import { limits } from '#protocol/limits.ts';
import { closeReasons } from '#protocol/hub.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Tx } from '../../db/database.ts';
import { hasCommits, headOf } from '../../feed/write-feed.ts';
import type { Commit, FeedRow } from '../../db/feed-row.ts';
import { Looks } from '../../feed/looks.ts';
import { oldestOf, rowsAfter, turnsOf } from '../../feed/rows.ts';
import { eraOf } from '../../domain/accounts/sign-ins.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { Parts } from '../../domain/parts.ts';
import { newsFor } from './news.ts';
import type { Heard } from './news.ts';
import type { Position, Subscriber } from './subscriber.ts';
import type { Timers } from '#base/timers.ts';

const ROWS_AT_ONCE = 2_000;
const AGAIN_AFTER_MS = 250;
/**
 * Everybody waits while changes of rights are looked at; whose change costs more is told that there
 * is more, and reads it from the feed.
 */
const MOST_LOOKED_AT = 10_000;

/** The subscribers of one user. */
interface Group {
  readonly user: string;
  readonly own: readonly Subscriber[];
}

/**
 * Follows the feed and tells every subscriber what it brings. The bus only says that it is time to
 * look; without it, the feed is looked at every 5 s. Commits are taken in order, some at a time,
 * all of one moment: from `told` on, which is the commit up to which everybody was told. It moves
 * at the instant at which the subscribers are counted, so whoever subscribes gets all after it.
 */
export class Broadcast {
  private readonly parts: Parts;
  private readonly timers: Timers;
  /** By user. */
  private readonly subscribers = new Map<string, Set<Subscriber>>();
  /** Rights by user, as of `told`; a viewer row drops them. */
  private readonly viewers = new Map<string, Viewer>();
  private told: Commit | null = null;
  private finding: Promise<Commit> | null = null;
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

  /** From now on `subscriber` is told; closed at once when its user is locked or signed out. */
  async join(subscriber: Subscriber): Promise<void> {
    const own = this.subscribers.get(subscriber.user) ?? new Set();
    this.subscribers.set(subscriber.user, own.add(subscriber));
    await this.position();
    // Either may be older than the position, and then no row will speak of it.
    await this.parts.db.read((tx) => this.closeEnded(tx, subscriber.user, [subscriber]));
  }

  leave(subscriber: Subscriber): void {
    const own = this.subscribers.get(subscriber.user);
    own?.delete(subscriber);
    if (own?.size === 0) {
      this.subscribers.delete(subscriber.user);
      this.viewers.delete(subscriber.user);
    }
    if (this.subscribers.size > 0) return;
    this.told = null;
    this.stopPolls();
  }

  /** The commit up to which everybody was told. */
  async position(): Promise<Position> {
    for (;;) {
      if (this.told !== null) return positionAt(this.told);
      this.finding ??= this.parts.db.read(headOf).finally(() => {
        this.finding = null;
      });
      this.begin(await this.finding);
    }
  }

  private begin(head: Commit): void {
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

  /** The database was put back behind this process: clients connect anew, and ask what it has. */
  private disconnectAll(): void {
    const all = [...this.subscribers.values()].flatMap((own) => [...own]);
    this.told = null;
    this.viewers.clear();
    this.parts.log.warn('The database was restored: every connection to the hub begins anew');
    for (const subscriber of all) subscriber.close(null, true);
  }

  /** Tells the next commits; false when there are none. */
  private async advance(): Promise<boolean> {
    let counted: readonly Group[] = [];
    try {
      return await this.parts.db.read(async (tx) => {
        const from = this.told;
        if (from === null) return false;
        if (!(await hasCommits(tx, [from]))) {
          this.disconnectAll();
          return false;
        }
        const rows = await wholeCommits(tx, from.n);
        const last = rows.at(-1);
        if (last === undefined || this.told === null) return false;
        const seen = await headOf(tx);

        this.told = { n: last.n, mark: last.mark };
        counted = [...this.subscribers].map(([user, own]) => ({ user, own: [...own] }));
        if (await isPruned(tx, from.n, rows)) {
          // What is gone nobody can be told: they read the feed, which says so, and begin afresh.
          this.viewers.clear();
          for (const { own } of counted) for (const one of own) one.miss({ n: last.n, seen }, []);
          return true;
        }
        for (const row of rows) if (row.kind === 'viewer') this.viewers.delete(row.id);
        await this.tellAll(tx, counted, { rows, seen, looks: new Looks(MOST_LOOKED_AT) });
        return true;
      });
    } catch (error) {
      // They were counted and not told: they read it from the feed.
      const { told } = this;
      if (told !== null)
        for (const { own } of counted) for (const one of own) one.miss(positionAt(told), []);
      throw error;
    }
  }

  private async tellAll(tx: Tx, counted: readonly Group[], heard: Heard) {
    const { rows } = heard;
    for (const { user, own: group } of counted) {
      const hasTurned = rows.some(({ kind, id }) => kind === 'viewer' && id === user);
      const open = hasTurned ? await this.closeEnded(tx, user, group) : group;
      if (open.length === 0) continue;
      const viewer = await this.viewerOf(tx, user);
      const turns = hasTurned ? await turnsOf(tx, user, (rows[0]?.n ?? 1) - 1) : [];
      await newsFor(tx, viewer, open, heard, turns);
    }
  }

  /** Closes those of `group` whose user is locked or whose sign-in has ended; returns the others. */
  private async closeEnded(tx: Tx, user: string, group: readonly Subscriber[]) {
    const person = await tx.one('user', user);
    if (person?.isLocked !== false) {
      for (const subscriber of group) subscriber.close(closeReasons.locked, false);
      return [];
    }
    const era = await eraOf(tx, this.parts.config, person.authId);
    const ended = group.filter((subscriber) => subscriber.era !== era);
    for (const subscriber of ended) subscriber.close(closeReasons.notSignedIn, true);
    return group.filter((subscriber) => subscriber.era === era);
  }

  private async viewerOf(tx: Tx, user: string): Promise<Viewer> {
    const viewer = this.viewers.get(user) ?? (await loadViewer(tx, user));
    this.viewers.set(user, viewer);
    return viewer;
  }
}

const positionAt = (commit: Commit): Position => ({ n: commit.n, seen: commit });

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
