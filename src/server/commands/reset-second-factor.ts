import { accountByEmail } from '../domain/accounts/accounts.ts';
import { userOf } from '../domain/accounts/person.ts';
import { switchSecondFactorOff } from '../domain/accounts/second-factor.ts';
import { endSignIns } from '../domain/accounts/sign-ins.ts';
import type { Services } from '../domain/services.ts';
import { BadStart } from '../kernel/bad-start.ts';

/**
 * Switches off the second factor of whoever signs in with `email`, for an installation whose only
 * super admin lost theirs. All their sign-ins end, and it is audited. Returns what was done.
 *
 * @throws BadStart when nobody signs in with that address
 */
export async function resetSecondFactor(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  email: string,
): Promise<string> {
  return db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const account = await accountByEmail(write, email);
    if (account === null) throw new BadStart(`Nobody signs in with ${email}.`);
    if (!(await switchSecondFactorOff(write, account.id)))
      return `The second factor of ${email} was off already.`;
    await endSignIns(write, account.id);
    const user = await userOf(write, account.id);
    const subject = user === null ? null : ({ type: 'user', id: user.id } as const);
    write.audit({ kind: 'second-factor-reset', subject, before: null, after: null });
    return `The second factor of ${email} is off; the password alone signs in again.`;
  });
}
