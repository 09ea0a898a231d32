import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { instant } from './accounts.ts';

/**
 * `browser`: a link to sign in was opened in that browser, which may now go on without a password.
 * `address`: a new address of the account is to be confirmed. `first-factor`: in a sign-in under way
 * the password was right, or a link took its place; a second factor is still to come. `new-passkey`
 * and `passkey`: a challenge that a passkey is to sign.
 */
export type AccountLinkPurpose =
  | 'verify'
  | 'reset'
  | 'sign-in'
  | 'browser'
  | 'address'
  | 'first-factor'
  | 'new-passkey'
  | 'passkey';

const LASTS_MS: Readonly<Record<AccountLinkPurpose, number>> = {
  verify: 86_400_000,
  reset: 3_600_000,
  'sign-in': 900_000,
  browser: 900_000,
  address: 86_400_000,
  'first-factor': 900_000,
  'new-passkey': 900_000,
  passkey: 900_000,
};

/** Only the newest link of these purposes works. */
const REPLACED: ReadonlySet<AccountLinkPurpose> = new Set<AccountLinkPurpose>([
  'verify',
  'reset',
  'address',
]);

/** These sign somebody in, so they count only in the era in which they were made (wire 2). */
const SIGNS_IN: ReadonlySet<AccountLinkPurpose> = new Set<AccountLinkPurpose>([
  'sign-in',
  'browser',
  'first-factor',
  'new-passkey',
  'passkey',
]);

/** Of these an account has so many at a time; one more ends the oldest. */
const MOST: Readonly<Partial<Record<AccountLinkPurpose, number>>> = {
  'new-passkey': 10,
  passkey: 20,
};

export interface NewLink {
  readonly accountId: string;
  readonly purpose: AccountLinkPurpose;
  /** The later sign-up that the link confirms, if it is one. */
  readonly signUpId?: string | null;
  /** The new address that the link confirms, if it does. */
  readonly email?: string | null;
  /** The era of the account in which it signs somebody in; the present one unless stated. */
  readonly era?: number | null;
}

export interface AccountLink {
  readonly accountId: string;
  readonly signUpId: string | null;
  readonly email: string | null;
  /** The era in which it signs somebody in; null when it signs nobody in. */
  readonly era: number | null;
}

/**
 * Makes a new secret for a link in a mail; earlier ones to confirm or reset end. Only its hash is
 * stored.
 */
export async function newLink(
  tx: DatabaseTransaction,
  link: NewLink,
  clock: Clock,
  random: Random,
): Promise<string> {
  const token = Buffer.from(random(new Uint8Array(32))).toString('base64url');
  await storeLink(tx, token, link, clock);
  return token;
}

/** Does the same with a secret that exists already. */
export async function storeLink(
  tx: DatabaseTransaction,
  token: string,
  { accountId, purpose, signUpId = null, email = null, era = null }: NewLink,
  clock: Clock,
): Promise<void> {
  const [now, end] = [instant(clock()), instant(clock() + LASTS_MS[purpose])];
  await tx.query(sql`delete from account_links where expires_at < ${now}::timestamptz`);
  await tx.query(sql`delete from pending_sign_ups where expires_at < ${now}::timestamptz`);
  if (REPLACED.has(purpose))
    await tx.query(sql`delete from account_links where account_id = ${accountId}
      and purpose = ${purpose} and sign_up_id is not distinct from ${signUpId}::uuid`);
  await tx.query(sql`
    insert into account_links (hash, account_id, purpose, sign_up_id, email, era, expires_at)
    select ${hashOf(token)}, id, ${purpose}, ${signUpId}::uuid, ${email},
      case when ${SIGNS_IN.has(purpose)} then coalesce(${era}::integer, era) end,
      ${end}::timestamptz
    from accounts where id = ${accountId}
    on conflict (hash) do update set account_id = excluded.account_id, era = excluded.era,
      expires_at = excluded.expires_at`);
  const most = MOST[purpose];
  if (most !== undefined)
    await tx.query(sql`delete from account_links where hash in (
      select hash from account_links where account_id = ${accountId} and purpose = ${purpose}
      order by expires_at desc, hash = ${hashOf(token)} desc offset ${most})`);
}

/**
 * Returns the purpose of a link of a mail; null when it is unknown, used, too old or of an era that
 * ended.
 */
export async function findLink(
  tx: DatabaseTransaction,
  token: string,
  purpose: AccountLinkPurpose,
  clock: Clock,
): Promise<AccountLink | null> {
  const [row] = await tx.query<AccountLink>(
    sql`select ${FOUND} from account_links where ${working(token, purpose, clock)}`,
  );
  return row ?? null;
}

/** Does the same as `findLink`, and uses the link up. */
export async function redeemLink(
  tx: DatabaseTransaction,
  token: string,
  purpose: AccountLinkPurpose,
  clock: Clock,
): Promise<AccountLink | null> {
  const [row] = await tx.query<AccountLink>(
    sql`delete from account_links where ${working(token, purpose, clock)} returning ${FOUND}`,
  );
  return row ?? null;
}

const FOUND = sql`account_id as "accountId", sign_up_id as "signUpId", email, era`;

/** Returns the link `token`, while it is not too old and the sign-ins of its era have not ended. */
function working(token: string, purpose: AccountLinkPurpose, clock: Clock): RawBuilder<unknown> {
  const link = sql`hash = ${hashOf(token)} and purpose = ${purpose}
    and expires_at > ${instant(clock())}::timestamptz`;
  if (!SIGNS_IN.has(purpose)) return link;
  return sql`${link} and era = (select present.era from accounts present where present.id = account_id)`;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
