import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import type { Limit } from './table.ts';

/** What became of counting one more. */
export interface Counted {
  /** 0 when it was allowed and counted, else the whole seconds until the next may be. */
  readonly waitSeconds: number;
  /** Takes the one that was counted off again, unless its window is over. */
  readonly undo: (tx: Tx) => Promise<void>;
}

/**
 * Counts one more under `key` in the open transaction. The row stays locked until it ends, so two
 * processes never count the last one twice. What is refused is not counted.
 *
 * @param at in ms since 1970
 */
export async function countExactly(
  tx: Tx,
  key: string,
  { most, withinMs }: Limit,
  at: number,
): Promise<Counted> {
  const now = instant(at);
  const [counted] = await tx.query<{ readonly endsAt: string }>(
    sql`insert into limit_counts as known (key, count, ends_at)
      values (${key}, 1, ${instant(at + withinMs)}::timestamptz)
      on conflict (key) do update set
        count = case when known.ends_at <= ${now}::timestamptz then 1 else known.count + 1 end,
        ends_at = case when known.ends_at <= ${now}::timestamptz then excluded.ends_at else known.ends_at end
      where known.ends_at <= ${now}::timestamptz or known.count < ${most}
      returning ends_at as "endsAt"`,
  );
  if (counted !== undefined)
    return {
      waitSeconds: 0,
      undo: async (later) => {
        await later.query(sql`update limit_counts set count = count - 1
          where key = ${key} and ends_at = ${counted.endsAt}::timestamptz and count > 0`);
      },
    };

  const [full] = await tx.query<{ readonly endsAt: string }>(
    sql`select ends_at as "endsAt" from limit_counts where key = ${key}`,
  );
  const endsAt = full === undefined ? at : Date.parse(full.endsAt);
  return { waitSeconds: secondsUntil(endsAt, at), undo: () => Promise.resolve() };
}

/** Forgets what was counted under `key`. */
export async function forgetCount(tx: Tx, key: string): Promise<void> {
  await tx.query(sql`delete from limit_counts where key = ${key}`);
}

/** Removes the counts whose window is over; returns how many. */
export async function pruneCounts(tx: Tx, at: number): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>(
    sql`with pruned as (
        delete from limit_counts where ends_at <= ${instant(at)}::timestamptz returning key
      ) select count(*) as count from pruned`,
  );
  return row?.count ?? 0;
}

/** At least 1, so that nobody comes again at once. */
export function secondsUntil(endsAt: number, at: number): number {
  return Math.max(1, Math.ceil((endsAt - at) / 1_000));
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
