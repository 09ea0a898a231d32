import { addAccount } from '#server/domain/accounts/accounts.ts';
import { hashPassword, PUBLISHED_COST } from '#server/domain/accounts/password.ts';
import type { Place } from './place.ts';

export const PASSWORD = 'correct horse';

/** An account whose address is confirmed unless stated; answers its `sub`. */
export async function anAccount(
  { parts: services }: Pick<Place, 'parts'>,
  email: string,
  { isVerified = true, name = 'Ana Hill' } = {},
): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD, services.random, PUBLISHED_COST);
  const account = { email, name, passwordHash, isVerified, locale: 'fr-FR' };
  const id = await services.db.transact((tx) =>
    addAccount(tx, account, services.clock, services.random),
  );
  if (id === null) throw new Error(`${email} has an account already`);
  return id;
}

export interface WhoAmI {
  readonly status: number;
  readonly header: string | null;
  readonly body: {
    readonly user?: Readonly<Record<string, unknown>>;
    readonly isSuperAdmin?: boolean;
    readonly expiresAt?: number;
    readonly errors?: readonly {
      readonly code: string;
      readonly meta?: Readonly<Record<string, unknown>>;
    }[];
  };
}

/** Makes a request with `token`; without one when it is null. */
export async function whoAmI({ server }: Place, token: string | null): Promise<WhoAmI> {
  const headers: Record<string, string> =
    token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${server}/whoami`, { headers });
  return {
    status: answer.status,
    header: answer.headers.get('www-authenticate'),
    body: (await answer.json()) as WhoAmI['body'],
  };
}

/** Locks the user who signs in as `sub`, or unlocks them. */
export async function lock(
  { parts: services }: Place,
  sub: string,
  isLocked = true,
): Promise<void> {
  await services.db.write({ at: services.clock(), by: null, changes: [] }, async (w) => {
    const [user] = await w.all('user', { authId: sub });
    if (user === undefined) throw new Error(`Nobody signs in as ${sub}`);
    await w.change('user', user.id, { isLocked });
  });
}
