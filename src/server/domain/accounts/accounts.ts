import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import { isUuid, newId } from '#base/id.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import { keyOf } from './person.ts';
import { endSignIns } from './sign-ins.ts';
import type { KeptSession } from './sign-ins.ts';

/** An account of the bundled provider; a user comes of it at the first request. */
export interface Account {
  /** `sub` of its tokens. */
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  readonly isVerified: boolean;
  /** The language its owner signed up in. */
  readonly locale: string | null;
  /** The number of times that its sign-ins were ended. */
  readonly era: number;
}

export type NewAccount = Omit<Account, 'id' | 'era'>;

const COLUMNS = sql`id, email, name, password_hash as "passwordHash",
  is_verified as "isVerified", locale, era`;

export async function accountById(tx: DatabaseTransaction, id: string): Promise<Account | null> {
  if (!isUuid(id)) return null;
  const [account] = await tx.query<Account>(sql`select ${COLUMNS} from accounts where id = ${id}`);
  return account ?? null;
}

export async function accountByEmail(
  tx: DatabaseTransaction,
  email: string,
): Promise<Account | null> {
  const [account] = await tx.query<Account>(
    sql`select ${COLUMNS} from accounts where email_key = ${keyOf(email)}`,
  );
  return account ?? null;
}

/**
 * Returns the new account's id; null, and nothing done, when the address has an account already.
 */
export async function addAccount(
  tx: DatabaseTransaction,
  account: NewAccount,
  clock: Clock,
  random: Random,
): Promise<string | null> {
  const [added] = await tx.query<{ readonly id: string }>(
    sql`insert into accounts (id, email, email_key, name, password_hash, is_verified, locale, created_at)
      values (${newId(clock, random)}, ${account.email.trim()}, ${keyOf(account.email)}, ${account.name},
        ${account.passwordHash}, ${account.isVerified}, ${account.locale}, ${instant(clock())}::timestamptz)
      on conflict (email_key) do nothing returning id`,
  );
  return added?.id ?? null;
}

/** Confirms the address; later sign-ups for it, and every link to confirm it, end. */
export async function markVerified(tx: DatabaseTransaction, id: string): Promise<void> {
  await tx.query(sql`update accounts set is_verified = true where id = ${id}`);
  await tx.query(sql`delete from pending_sign_ups where account_id = ${id}`);
  await tx.query(sql`delete from account_links where account_id = ${id} and purpose = 'verify'`);
}

/**
 * Also ends every sign-in but `keptSession`, as `endSignIns` does: a person who knew the old
 * password is out.
 */
export async function setPassword(
  write: WriteTransaction,
  id: string,
  passwordHash: string,
  keptSession: KeptSession | null = null,
): Promise<string | null> {
  await write.query(sql`update accounts set password_hash = ${passwordHash} where id = ${id}`);
  return endSignIns(write, id, keptSession);
}

/**
 * Gives the account another address to sign in with, the person's profile too where it had the old
 * one. Every sign-in ends, and so does every link that was mailed to the old address.
 *
 * @returns false when the address has an account meanwhile
 */
export async function changeAddress(
  write: WriteTransaction,
  { id, email: before }: Account,
  email: string,
): Promise<boolean> {
  const key = keyOf(email);
  // One that was never confirmed has no user, and gives way to who confirms the address.
  await write.query(
    sql`delete from accounts where email_key = ${key} and not is_verified and id <> ${id}`,
  );
  const changed = await write.query(sql`
    update accounts set email = ${email}, email_key = ${key}, is_verified = true
    where id = ${id} and not exists (select from accounts other where other.email_key = ${key})
    returning id`);
  if (changed.length === 0) return false;
  await write.query(sql`delete from account_links where account_id = ${id}`);
  await write.query(sql`delete from pending_sign_ups where account_id = ${id}`);
  await write.query(sql`update sign_ins set email_key = ${key} where auth_id = ${id}`);
  const [user] = await write.all('user', { authId: id });
  if (user !== undefined && keyOf(user.email) === keyOf(before))
    await write.change('user', user.id, { email });
  await endSignIns(write, id);
  return true;
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
