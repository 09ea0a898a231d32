import type { Services } from '../../domain/services.ts';
import type { Counted } from '../../db/limits/exact-counts.ts';
import type { ExactLimit } from '../../db/limits/limit-table.ts';
import type { Refusal, Visit } from './form.ts';

/** Answers a form that did not come from our page: somebody else's, or ours from too long ago. */
export function strangeForm(visit: Visit): Refusal | null {
  if (visit.isFromOurPage()) return null;
  return { status: 403, notice: visit.say('identity.error.form') };
}

type Counting = readonly (readonly [ExactLimit, string])[];

/**
 * Counts the try for each of `names`; returns the refusal when one is used up. A refused try counts
 * nowhere.
 */
export async function tooMany(
  { db, limits }: Services,
  visit: Visit,
  ...names: Counting
): Promise<Refusal | null> {
  return db.transact(async (tx) => {
    const counted: Counted[] = [];
    for (const [name, key] of names) {
      const next = await limits.count(tx, name, key);
      if (next.waitSeconds === 0) {
        counted.push(next);
        continue;
      }
      for (const { undo } of counted) await undo(tx);
      return refusalFor(visit, next.waitSeconds);
    }
    return null;
  });
}

/** Returns the refusal of one try too many, which says how long to wait. */
export function refusalFor(visit: Visit, seconds: number): Refusal {
  const minutes = String(Math.ceil(seconds / 60));
  const notice = visit.say('identity.error.tries', { minutes });
  return { status: 429, notice, retryAfterSeconds: seconds };
}
