import { accountByEmail } from '../domain/accounts/accounts.ts';
import { userOf } from '../domain/accounts/person.ts';
import { resetSecondFactor } from '../domain/accounts/second-factor.ts';
import type { Services } from '../domain/services.ts';
import { BadStart } from '../kernel/bad-start.ts';

/**
 * Switches off the second factor of whoever signs in with `email`, for an installation whose only
 * super admin lost theirs. All their sign-ins end, and it is audited. Returns what was done.
 *
 * @throws BadStart when nobody signs in with that address
 */
export async function resetSecondFactorOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  email: string,
): Promise<string> {
  return db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const account = await accountByEmail(write, email);
    if (account === null) throw new BadStart(`Nobody signs in with ${email}.`);
    const user = await userOf(write, account.id);
    return (await resetSecondFactor(write, account.id, user?.id ?? null))
      ? `The second factor of ${email} is off; the password alone signs in again.`
      : `The second factor of ${email} was off already.`;
  });
}
