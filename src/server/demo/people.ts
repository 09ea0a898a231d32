import { addAccount, accountByEmail } from '../domain/accounts/accounts.ts';
import { hashPassword, PUBLISHED_COST } from '../domain/accounts/password.ts';
import { provision } from '../domain/accounts/person.ts';
import type { Services } from '../domain/services.ts';
import { accountList, DEMO_PASSWORD } from './accounts.ts';

/**
 * Signs everyone up and, but for the unverified, in for the first time. A second call does nothing.
 */
export async function signUpEveryone(services: Services): Promise<void> {
  const { db, clock, random, config } = services;
  const passwordHash = await hashPassword(DEMO_PASSWORD, random, PUBLISHED_COST);

  for (const [, { email, name, isUnverified, isSuperAdmin }] of accountList) {
    const account = await db.transact(async (tx) => {
      const isVerified = isUnverified !== true;
      await addAccount(
        tx,
        { email, name, passwordHash, isVerified, locale: 'en-US' },
        clock,
        random,
      );
      return accountByEmail(tx, email);
    });
    if (account === null || isUnverified === true) continue;

    // The first super admin comes about as in every installation: by ADMIN_EMAIL at sign-in.
    const adminEmail = isSuperAdmin === true ? email : null;
    const [givenName = name, familyName = null] = name.split(' ');
    const { user } = await provision(
      { ...services, config: { ...config, adminEmail } },
      { sub: account.id, email, name, givenName, familyName, locale: 'en-US' },
    );
    // Many people use an account of a demo: the zone of the first of them shall not stay for all.
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.change('user', user.id, { timezone: 'UTC' }),
    );
  }
}
