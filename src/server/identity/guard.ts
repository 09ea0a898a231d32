import type { Parts } from '../parts.ts';
import { countTry } from './attempts.ts';
import type { Limited } from './attempts.ts';
import type { Refusal, Visit } from './form.ts';

/** A form that did not come from our page: somebody else's, or ours from too long ago. */
export function strangeForm(visit: Visit): Refusal | null {
  if (visit.isFromOurPage()) return null;
  return { status: 403, notice: visit.say('identity.error.form') };
}

/** Counts the try for each of `limits`; the refusal when one is used up. */
export async function tooMany(
  { db, clock }: Parts,
  visit: Visit,
  ...limits: readonly (readonly [Limited, string])[]
): Promise<Refusal | null> {
  for (const [kind, who] of limits) {
    const seconds = await countTry(db, kind, who, clock());
    if (seconds === 0) continue;
    const minutes = String(Math.ceil(seconds / 60));
    const notice = visit.say('identity.error.tries', { minutes });
    return { status: 429, notice, retryAfterSeconds: seconds };
  }
  return null;
}
