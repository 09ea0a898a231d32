import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { instant } from './accounts.ts';

/** At most `most` times within `withinMs`. */
interface Allowance {
  readonly most: number;
  readonly withinMs: number;
}

const allowances = {
  /** Wrong passwords of one account from one address. */
  guess: { most: 10, withinMs: 900_000 },
  /** Forms with an effect from one address, of any account. */
  address: { most: 300, withinMs: 900_000 },
  /** Mails to one address. */
  mail: { most: 5, withinMs: 3_600_000 },
  verificationMail: { most: 1, withinMs: 60_000 },
} as const satisfies Readonly<Record<string, Allowance>>;

export type Limited = keyof typeof allowances;

/**
 * Counts one try of `who`, over all processes.
 *
 * @returns 0 when it is allowed, else the seconds until the next is
 */
export async function countTry(
  db: Database,
  kind: Limited,
  who: string,
  at: number,
): Promise<number> {
  const { most, withinMs } = allowances[kind];
  const [now, start] = [instant(at), instant(at - withinMs)];
  const [row] = await db.transact((tx) =>
    tx.query<{ readonly count: number; readonly since: string }>(
      sql`insert into attempts (key, since, count) values (${keyOf(kind, who)}, ${now}::timestamptz, 1)
        on conflict (key) do update set
          count = case when attempts.since <= ${start}::timestamptz then 1 else attempts.count + 1 end,
          since = case when attempts.since <= ${start}::timestamptz then ${now}::timestamptz else attempts.since end
        returning count, since`,
    ),
  );
  if (row === undefined || row.count <= most) return 0;
  return Math.max(1, Math.ceil((Date.parse(row.since) + withinMs - at) / 1_000));
}

/** The tries of `who` are forgotten, as after the right password. */
export async function forgetTries(db: Database, kind: Limited, who: string): Promise<void> {
  await db.transact((tx) => tx.query(sql`delete from attempts where key = ${keyOf(kind, who)}`));
}

function keyOf(kind: Limited, who: string): string {
  return `${kind} ${who}`;
}
