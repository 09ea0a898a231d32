import { sql } from 'kysely';
import { limits } from '#protocol/limits.ts';
import type { Database } from './database.ts';

const DAY_MS = 86_400_000;

export interface Pruned {
  readonly feed: number;
  readonly verdicts: number;
  readonly tombstones: number;
  readonly tickets: number;
}

/**
 * Forgets feed rows after 30 days, verdicts and tombstones after 90, and tickets that have ended. A commit goes whole or not
 * at all, and the newest always stays, so that a reader can tell that its cursor is too old.
 */
export function prune(db: Database, at: number): Promise<Pruned> {
  const before = (days: number) => new Date(at - days * DAY_MS).toISOString();
  return db.transact(async (tx) => {
    const feed = await tx.query(sql`delete from feed where n <= (
        select coalesce(max(n), 0) from feed where at < ${before(limits.feedKeptDays)}::timestamptz
      ) and n < (select n from feed_head) returning n`);
    const verdicts = await tx.query(sql`delete from changes
      where at < ${before(limits.verdictsKeptDays)}::timestamptz returning id`);
    const tombstones = await tx.query(sql`delete from tombstones
      where at < ${before(limits.verdictsKeptDays)}::timestamptz returning id`);
    const tickets = await tx.query(sql`delete from file_tickets
      where expires_at <= ${before(0)}::timestamptz returning hash`);
    return {
      feed: feed.length,
      verdicts: verdicts.length,
      tombstones: tombstones.length,
      tickets: tickets.length,
    };
  });
}
