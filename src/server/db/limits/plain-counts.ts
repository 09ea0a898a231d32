import { sql } from 'kysely';
import type { Clock } from '#base/id.ts';
import type { Database } from '../database.ts';
import type { Timers } from '#base/timers.ts';
import { instant, isWindowOver, secondsUntil } from './exact-counts.ts';
import type { Limit } from './limit-table.ts';

interface Window {
  /** The end of the window, in ms since 1970. */
  endsAt: number;
  readonly withinMs: number;
  /** The count of all processes when this one last read it. */
  shared: number;
  /** The count of this process since then. */
  own: number;
}

/**
 * One process shares, then the other reads: twice this and two statements are less than a second.
 */
const SHARE_EVERY_MS = 400;
const ROWS_PER_STATEMENT = 1_000;

export interface PlainCountsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when the counts could not be shared; they are kept and shared later. */
  readonly failed: (error: unknown) => void;
}

/**
 * Counts rates in this process and adds them to the shared table every 400 ms, in one statement: N
 * processes together let through what is allowed and one second's worth more.
 */
export class PlainCounts {
  readonly #options: PlainCountsOptions;
  readonly #windows = new Map<string, Window>();
  #cancel: (() => void) | null = null;
  #sharing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: PlainCountsOptions) {
    this.#options = options;
  }

  /** Counts one more; returns 0, or how many seconds to wait when it is one too many. */
  count(key: string, { most, withinMs }: Limit): number {
    const now = this.#options.clock();
    let window = this.#windows.get(key);
    // A clock that was set back must not make a window of a minute last for hours.
    if (window === undefined || window.endsAt <= now || window.endsAt > now + withinMs) {
      window = { endsAt: now + withinMs, withinMs, shared: 0, own: 0 };
      this.#windows.set(key, window);
    }
    // A refusal is not counted, so a flood costs the database nothing.
    if (window.shared + window.own >= most) return secondsUntil(window.endsAt, now);
    window.own += 1;
    this.#planSharing();
    return 0;
  }

  /** Shares what is left and stops sharing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#sharing;
    await this.#share();
  }

  #planSharing(): void {
    if (this.#isStopped || this.#cancel !== null) return;
    this.#cancel = this.#options.timers.after(SHARE_EVERY_MS, () => {
      this.#sharing = this.#share().then(() => {
        this.#cancel = null;
        if (this.#unshared().length > 0) this.#planSharing();
      });
    });
  }

  #unshared(): (readonly [string, Window])[] {
    return [...this.#windows].filter(([, { own }]) => own > 0);
  }

  async #share(): Promise<void> {
    const now = this.#options.clock();
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key);
    // Processes lock the rows in one order, so none of them waits for another in a circle.
    const all = this.#unshared().sort(([a], [b]) => (a < b ? -1 : 1));
    try {
      for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT)
        await this.#add(all.slice(from, from + ROWS_PER_STATEMENT), now);
    } catch (error) {
      this.#options.failed(error);
    }
  }

  async #add(some: readonly (readonly [string, Window])[], now: number): Promise<void> {
    const sent = some.map(([key, { own, endsAt }]) => ({ key, own, endsAt: instant(endsAt) }));
    const latest = now + Math.max(0, ...some.map(([, { withinMs }]) => withinMs));
    const isOver = isWindowOver(now, latest);
    const rows = await this.#options.db.transact((tx) =>
      tx.query<{ readonly key: string; readonly count: number; readonly endsAt: string }>(
        sql`insert into limit_counts as known (key, count, ends_at)
          select each.key, each.count, each.ends_at from unnest(
            ${sent.map(({ key }) => key)}::text[], ${sent.map(({ own }) => own)}::integer[],
            ${sent.map(({ endsAt }) => endsAt)}::timestamptz[]
          ) as each (key, count, ends_at)
          on conflict (key) do update set
            count = case when ${isOver}
              then excluded.count else known.count + excluded.count end,
            ends_at = case when ${isOver}
              then excluded.ends_at else known.ends_at end
          returning key, count, ends_at as "endsAt"`,
      ),
    );
    const windows = new Map(some);
    const shared = new Map(rows.map((row) => [row.key, row]));
    for (const { key, own } of sent) {
      const [window, row] = [windows.get(key), shared.get(key)];
      if (window === undefined || row === undefined) continue;
      window.own -= own;
      window.shared = row.count;
      window.endsAt = Date.parse(row.endsAt);
    }
  }
}
