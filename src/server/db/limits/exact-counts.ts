import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database.ts';
import { AT_ONCE, inPieces } from '../prune.ts';
import type { Limit } from './limit-table.ts';

/** The result of counting one more. */
export interface Counted {
  /** It is 0 when it was allowed and counted, else the whole seconds until the window is over. */
  readonly waitSeconds: number;
  /** Takes what was counted off again, unless its window is over. */
  readonly undo: (tx: DatabaseTransaction) => Promise<void>;
}

/**
 * Counts `amount` more under `key` in the open transaction. The row stays locked until it ends, so
 * two processes never count the last one twice. What is refused is not counted.
 *
 * @param at in ms since 1970
 * @param amount are allowed together, or refused together
 */
export async function countExactly(
  tx: DatabaseTransaction,
  key: string,
  { most, withinMs }: Limit,
  at: number,
  amount = 1,
): Promise<Counted> {
  // The clock of another process may be a little ahead.
  const isOver = isWindowOver(at, at + 2 * withinMs);
  const [counted] = await tx.query<{ readonly endsAt: string }>(
    sql`insert into limit_counts as known (key, count, ends_at)
      select ${key}, ${amount}::integer, ${instant(at + withinMs)}::timestamptz
      where ${amount}::integer <= ${most}::integer
      on conflict (key) do update set
        count = case when ${isOver} then excluded.count else known.count + excluded.count end,
        ends_at = case when ${isOver} then excluded.ends_at else known.ends_at end
      where ${isOver} or known.count + excluded.count <= ${most}
      returning ends_at as "endsAt"`,
  );
  if (counted !== undefined)
    return {
      waitSeconds: 0,
      undo: async (later) => {
        await later.query(sql`update limit_counts set count = count - ${amount}
          where key = ${key} and ends_at = ${counted.endsAt}::timestamptz and count >= ${amount}`);
      },
    };

  const [full] = await tx.query<{ readonly endsAt: string }>(
    sql`select ends_at as "endsAt" from limit_counts where key = ${key}`,
  );
  const endsAt = amount > most ? at + withinMs : full === undefined ? at : Date.parse(full.endsAt);
  return { waitSeconds: secondsUntil(endsAt, at), undo: () => Promise.resolve() };
}

/**
 * The condition that the window of the row `known` is over at `at`, or ends after `latest`, which no
 * window does: a clock that was set back must not make a window of a minute last for hours.
 */
export const isWindowOver = (at: number, latest: number) =>
  sql`(known.ends_at <= ${instant(at)}::timestamptz
    or known.ends_at > ${instant(latest)}::timestamptz)`;

/** Removes the count under `key`. */
export async function forgetCount(tx: DatabaseTransaction, key: string): Promise<void> {
  await tx.query(sql`delete from limit_counts where key = ${key}`);
}

/**
 * Removes the counts whose window is over, `atOnce` in each transaction; returns how many. A count
 * that somebody adds to meanwhile is left for the next time.
 */
export function pruneCounts(
  db: Pick<Database, 'transact'>,
  at: number,
  atOnce = AT_ONCE,
): Promise<number> {
  const isOver = sql`ctid = any(array(
    select ctid from limit_counts where ends_at <= ${instant(at)}::timestamptz
    limit ${atOnce} for update skip locked))`;
  return inPieces(db, atOnce, isOver, 'limit_counts');
}

/** Returns the seconds, at least 1, so that nobody comes again at once. */
export function secondsUntil(endsAt: number, at: number): number {
  return Math.max(1, Math.ceil((endsAt - at) / 1_000));
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
