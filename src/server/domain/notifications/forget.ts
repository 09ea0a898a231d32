import { sql } from 'kysely';
import type { Services } from '../services.ts';

const KEPT_MS = 90 * 86_400_000;
/** One commit has at most this many: it goes to every device as one batch of updates. */
const AT_ONCE = 1_000;

/** Removes notifications that are older than 90 days and were read (N5). @returns how many */
export async function forgetNotifications({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const at = clock();
  const before = new Date(at - KEPT_MS).toISOString();
  let sum = 0;
  for (;;) {
    const gone = await db.write({ at, by: null, changes: [] }, async (write) => {
      const rows = await write.query(
        sql<{ readonly id: string }>`select id from notifications where date_read is not null
          and date_created < ${before}::timestamptz order by id limit ${AT_ONCE}`,
      );
      for (const { id } of rows) await write.remove('notification', id);
      return rows.length;
    });
    sum += gone;
    if (gone < AT_ONCE) return sum;
  }
}
