import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';

/**
 * Returns true when `user` takes mail because of `organization`: not while it has added them and
 * they have not agreed to that (domain 2.8). Null: it is because of none.
 */
export async function takesMailOf(
  tx: DatabaseTransaction,
  user: string,
  organization: string | null,
): Promise<boolean> {
  if (organization === null) return true;
  const held = await tx.all('organizationMembership', { user, organization });
  return held.every(({ dateAccepted }) => dateAccepted !== null);
}

/**
 * Returns the address of `person` for `organization` to pass on; null until they agree to be in it.
 */
export async function addressFor(
  tx: DatabaseTransaction,
  { id: user, email }: Of<'user'>,
  organization: string,
): Promise<string | null> {
  return (await takesMailOf(tx, user, organization)) ? email : null;
}
