import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { limits } from '#protocol/limits.ts';
import type { Database } from './database.ts';

const DAY_MS = 86_400_000;
/**
 * This many rows go in one transaction: nobody waits long for it, and no statement runs out of
 * time.
 */
export const AT_ONCE = 1_000;

export interface Pruned {
  readonly feed: number;
  readonly verdicts: number;
  readonly tombstones: number;
  readonly tickets: number;
  readonly auditEvents: number;
}

/**
 * Removes feed rows after 30 days, verdicts and tombstones after 90, audit events after 400, and
 * tickets that have ended; in pieces. A commit of the feed goes whole or not at all, and the newest
 * always stays, so that a reader can notice that its cursor is too old.
 */
export async function prune(
  db: Pick<Database, 'read' | 'transact'>,
  at: number,
  atOnce = AT_ONCE,
): Promise<Pruned> {
  const before = (days: number) => sql`${new Date(at - days * DAY_MS).toISOString()}::timestamptz`;
  const rows = (table: string, isOld: RawBuilder<unknown>) =>
    inPieces(
      db,
      atOnce,
      sql`ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOld} limit ${atOnce}))`,
      table,
    );

  const [end] = await db.read((tx) =>
    tx.query(sql<{ readonly n: number }>`select least(
      (select coalesce(max(n), 0) from feed where at < ${before(limits.feedKeptDays)}),
      (select n - 1 from feed_head)) as n`),
  );
  // Rows go up to the commit in which that many rows end.
  const oldest = sql`n <= coalesce((select n from feed where n <= ${end?.n ?? 0}
    order by n, k offset ${atOnce - 1} limit 1), ${end?.n ?? 0})`;
  const feed = await inPieces(db, atOnce, oldest, 'feed');
  // The commit before the oldest keeps its mark: a cursor may still stand there.
  await rows(
    'feed_marks',
    sql`n < (select coalesce(min(n), (select n from feed_head)) - 1 from feed)`,
  );
  return {
    feed,
    verdicts: await rows('changes', sql`at < ${before(limits.verdictsKeptDays)}`),
    tombstones: await rows('tombstones', sql`at < ${before(limits.verdictsKeptDays)}`),
    tickets: await rows('file_tickets', sql`expires_at <= ${before(0)}`),
    // The table itself, by the clock of the database, lets none go that is younger.
    auditEvents: await rows(
      'audit_events',
      sql`at < least(${before(limits.auditEventsKeptDays)},
        now() - make_interval(days => ${limits.auditEventsKeptDays}))`,
    ),
  };
}

/**
 * Deletes the rows of `table` for which `isNext` holds, a transaction for each piece, until one is
 * not full.
 *
 * @param isNext is true of at most `atOnce` rows; of more only where they have to go together
 * @returns how many rows went
 */
export async function inPieces(
  db: Pick<Database, 'transact'>,
  atOnce: number,
  isNext: RawBuilder<unknown>,
  table: string,
): Promise<number> {
  let sum = 0;
  for (;;) {
    const [gone] = await db.transact((tx) =>
      tx.query(sql<{ readonly rows: number }>`with gone as (
          delete from ${sql.table(table)} where ${isNext} returning 1
        ) select count(*) as rows from gone`),
    );
    sum += gone?.rows ?? 0;
    if ((gone?.rows ?? 0) < atOnce) return sum;
  }
}
