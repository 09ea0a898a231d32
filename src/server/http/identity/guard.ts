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
  const minutes = Math.ceil(seconds / 60);
  const notice = visit.say('identity.error.tries', { minutes });
  return { status: 429, notice, retryAfterSeconds: seconds };
}

/** Counts a try of the account's password before it is checked: many at once must not all pass. */
export function countPassword({ db, limits }: Services, key: string): Promise<Counted> {
  return db.transact((tx) => limits.count(tx, 'passwordsOfAccount', key));
}

/**
 * After the right password nothing is left of the tries from its address, nor of this one.
 * Somebody else may be guessing from elsewhere: theirs stay counted.
 *
 * @param who the account and the address, as `passwordsFromAddress` counts them
 */
export async function forgetTries(
  { db, limits }: Services,
  who: string,
  counted: Counted,
): Promise<void> {
  await db.transact(async (tx) => {
    await limits.forget(tx, 'passwordsFromAddress', who);
    await counted.undo(tx);
  });
}
