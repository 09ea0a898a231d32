import { sql } from 'kysely';
import type { Tx, Write } from './database.ts';

/** What is known of a change id when a change arrives. */
export type Claim<V> =
  | { readonly is: 'new' }
  /** The same was sent before: this is its answer, for ever. */
  | { readonly is: 'known'; readonly verdict: V }
  /** Something else was sent with this id. */
  | { readonly is: 'reused' };

/**
 * Whether the change `id` of `author` is to be done (wire 7.3). Writes are serial, so a copy that
 * arrives while the first is at work waits at the start of its own transaction, and then finds
 * the verdict. Claims nothing yet: `recordVerdict` does, in the same transaction as the effect.
 */
export async function claimChange<V>(
  w: Write,
  id: string,
  author: string,
  digest: string,
): Promise<Claim<V>> {
  const [row] = await w.query(
    sql<{ readonly digest: string; readonly verdict: V }>`
      select digest, verdict from changes where author = ${author} and id = ${id}`,
  );
  if (row === undefined) return { is: 'new' };
  return row.digest === digest ? { is: 'known', verdict: row.verdict } : { is: 'reused' };
}

/** Writes down, for 90 days, what was decided on a change. It must be new. */
export async function recordVerdict(
  w: Write,
  id: string,
  author: string,
  digest: string,
  verdict: unknown,
): Promise<void> {
  await w.query(sql`insert into changes (author, id, digest, verdict, at)
    values (${author}, ${id}, ${digest}, ${JSON.stringify(verdict)}::jsonb,
      ${new Date(w.cause.at).toISOString()}::timestamptz)`);
}

/** The recorded verdict on a change; null when there is none. */
export async function verdictOf<V>(tx: Tx, author: string, id: string): Promise<V | null> {
  const [row] = await tx.query(
    sql<{
      readonly verdict: V;
    }>`select verdict from changes where author = ${author} and id = ${id}`,
  );
  return row?.verdict ?? null;
}
