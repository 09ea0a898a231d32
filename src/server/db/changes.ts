import { sql } from 'kysely';
import type { DatabaseTransaction, WriteTransaction } from './database.ts';

/** The verdict on a change, with the digest of its content. */
export interface RecordedVerdict<V> {
  readonly digest: string;
  readonly verdict: V;
}

/**
 * Returns the verdicts on those of the changes `ids` of `author` that came before (wire 7.3).
 * Writes are serial, so a copy that arrives while the first is running waits at the start of its
 * own transaction, and then finds the verdict.
 */
export async function recordedOf<V>(
  w: WriteTransaction,
  author: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordedVerdict<V>>> {
  if (ids.length === 0) return new Map();
  const rows = await w.query(
    sql<RecordedVerdict<V> & { readonly id: string }>`select id, digest, verdict from changes
      where author = ${author} and id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, digest, verdict }) => [id, { digest, verdict }]));
}

export interface NewVerdict extends RecordedVerdict<unknown> {
  readonly id: string;
}

/** Records the verdicts on changes, for 90 days; in the transaction of their effects. */
export async function recordVerdicts(
  w: WriteTransaction,
  author: string,
  verdicts: readonly NewVerdict[],
): Promise<void> {
  if (verdicts.length === 0) return;
  await w.query(sql`insert into changes (author, id, digest, verdict, at)
    select ${author}::uuid, id, digest, verdict, ${new Date(w.cause.at).toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb)
      as t(id uuid, digest text, verdict jsonb)`);
}

/** Returns the recorded verdict on a change; null when there is none. */
export async function verdictOf<V>(
  tx: DatabaseTransaction,
  author: string,
  id: string,
): Promise<V | null> {
  const [row] = await tx.query(
    sql<{
      readonly verdict: V;
    }>`select verdict from changes where author = ${author} and id = ${id}`,
  );
  return row?.verdict ?? null;
}
