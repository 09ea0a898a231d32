import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import { isUuid, newId } from '#base/id.ts';
import type { Tx } from '../database/database.ts';
import { keyOf } from './person.ts';

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
}

export type NewAccount = Omit<Account, 'id'>;

const COLUMNS = sql`id, email, name, password_hash as "passwordHash",
  is_verified as "isVerified", locale`;

export async function accountById(tx: Tx, id: string): Promise<Account | null> {
  if (!isUuid(id)) return null;
  const [account] = await tx.query<Account>(sql`select ${COLUMNS} from accounts where id = ${id}`);
  return account ?? null;
}

export async function accountByEmail(tx: Tx, email: string): Promise<Account | null> {
  const [account] = await tx.query<Account>(
    sql`select ${COLUMNS} from accounts where email_key = ${keyOf(email)}`,
  );
  return account ?? null;
}

/** The new account's id; null, and nothing done, when the address has an account already. */
export async function addAccount(
  tx: Tx,
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

/** An account that nobody confirmed is begun anew; whoever began it before is out. */
export async function takeOver(tx: Tx, id: string, by: NewAccount): Promise<void> {
  await tx.query(sql`update accounts set email = ${by.email.trim()}, name = ${by.name},
    password_hash = ${by.passwordHash}, locale = ${by.locale} where id = ${id} and not is_verified`);
  await endSessions(tx, id);
}

export async function markVerified(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update accounts set is_verified = true where id = ${id}`);
}

/** Also ends every session and refresh token: whoever knew the old password is out. */
export async function setPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.query(sql`update accounts set password_hash = ${passwordHash} where id = ${id}`);
  await endSessions(tx, id);
}

/** Takes back every session, code and refresh token of the account `id`. */
export async function endSessions(tx: Tx, id: string): Promise<void> {
  // Another issuer's `sub` may be anything; it keeps its sessions itself.
  if (!isUuid(id)) return;
  await tx.query(sql`delete from oidc_records where account_id = ${id}`);
}

export type Purpose = 'verify' | 'reset';

const LASTS_MS: Readonly<Record<Purpose, number>> = { verify: 86_400_000, reset: 3_600_000 };

/** A new secret for a link in a mail; earlier ones of that purpose end. Only its hash is stored. */
export async function newLink(
  tx: Tx,
  accountId: string,
  purpose: Purpose,
  clock: Clock,
  random: Random,
): Promise<string> {
  const token = Buffer.from(random(new Uint8Array(32))).toString('base64url');
  const end = instant(clock() + LASTS_MS[purpose]);
  await tx.query(sql`delete from account_links where expires_at < ${instant(clock())}::timestamptz
    or (account_id = ${accountId} and purpose = ${purpose})`);
  await tx.query(sql`insert into account_links (hash, account_id, purpose, expires_at)
    values (${hashOf(token)}, ${accountId}, ${purpose}, ${end}::timestamptz)`);
  return token;
}

/** The account that a link of a mail is for, or null when it is unknown, used or too old. */
export async function accountOfLink(
  tx: Tx,
  token: string,
  purpose: Purpose,
  clock: Clock,
): Promise<string | null> {
  const [row] = await tx.query<{ readonly id: string }>(
    sql`select account_id as id from account_links where hash = ${hashOf(token)}
      and purpose = ${purpose} and expires_at > ${instant(clock())}::timestamptz`,
  );
  return row?.id ?? null;
}

/** As `accountOfLink`, and uses the link up. */
export async function useLink(
  tx: Tx,
  token: string,
  purpose: Purpose,
  clock: Clock,
): Promise<string | null> {
  const [row] = await tx.query<{ readonly id: string }>(
    sql`delete from account_links where hash = ${hashOf(token)} and purpose = ${purpose}
      and expires_at > ${instant(clock())}::timestamptz returning account_id as id`,
  );
  return row?.id ?? null;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
