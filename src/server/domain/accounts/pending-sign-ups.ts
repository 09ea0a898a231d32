import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import { newId } from '#base/id.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import { findLink, redeemLink } from './account-links.ts';
import { accountById, instant, markVerified, setPassword } from './accounts.ts';
import type { NewAccount } from './accounts.ts';

/** A sign-up lasts as long as its link works. */
const LASTS_MS = 86_400_000;

/**
 * The sign-up that a link to confirm an address confirms: the first one, or one that waits beside
 * it.
 */
export interface SignUp {
  readonly email: string;
  readonly passwordHash: string;
}

type Pending = Pick<NewAccount, 'email' | 'name' | 'passwordHash' | 'locale'>;

/**
 * Keeps a later sign-up for an address that nobody has confirmed, beside the account of the first:
 * nothing changes until its own link is answered with its own password.
 *
 * @returns its id
 */
export async function addPendingSignUp(
  tx: DatabaseTransaction,
  accountId: string,
  { email, name, passwordHash, locale }: Pending,
  clock: Clock,
  random: Random,
): Promise<string> {
  const id = newId(clock, random);
  await tx.query(sql`
    insert into pending_sign_ups (id, account_id, email, name, password_hash, locale, expires_at)
    values (${id}, ${accountId}, ${email.trim()}, ${name}, ${passwordHash}, ${locale},
      ${instant(clock() + LASTS_MS)}::timestamptz)`);
  return id;
}

/**
 * Returns the sign-up that the link `token` is for; null when the link is unknown, used or too old.
 */
export async function signUpOfLink(
  tx: DatabaseTransaction,
  token: string,
  clock: Clock,
): Promise<SignUp | null> {
  const link = await findLink(tx, token, 'verify', clock);
  if (link === null) return null;
  return link.signUpId === null ? accountById(tx, link.accountId) : pendingById(tx, link.signUpId);
}

/**
 * Uses the link up and confirms the sign-up that it is for; the others for that address end. A
 * later sign-up takes the account over, and whoever began it before is out.
 *
 * @returns the account's id; null when the link does not work any more
 */
export async function confirmSignUp(
  write: WriteTransaction,
  token: string,
  clock: Clock,
): Promise<string | null> {
  const link = await redeemLink(write, token, 'verify', clock);
  if (link === null) return null;
  const { accountId, signUpId } = link;
  const pending = signUpId === null ? null : await pendingById(write, signUpId);
  if (signUpId !== null && pending === null) return null;

  if (pending !== null) {
    await write.query(sql`update accounts set email = ${pending.email}, name = ${pending.name},
      locale = ${pending.locale} where id = ${accountId}`);
    await setPassword(write, accountId, pending.passwordHash);
  }
  await markVerified(write, accountId);
  return accountId;
}

async function pendingById(tx: DatabaseTransaction, id: string): Promise<Pending | null> {
  const [pending] = await tx.query<Pending>(
    sql`select email, name, password_hash as "passwordHash", locale from pending_sign_ups
      where id = ${id}`,
  );
  return pending ?? null;
}
