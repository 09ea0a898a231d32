import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { Secrets } from '../../db/secret-places.ts';
import { instant } from './accounts.ts';
import { endSignIns } from './sign-ins.ts';
import { inBase32, newSecret, stepOfCode } from './one-time-codes.ts';

/** The second factor of an account that has one: one-time codes, passkeys, or both. */
export interface SecondFactor {
  /** The instant at which it was switched on. */
  readonly since: string;
  /** The instant since which one-time codes are on; null: they are off. */
  readonly codesSince: string | null;
  /** The number of passkeys. */
  readonly passkeys: number;
  /** The number of recovery codes that were not used. */
  readonly codesLeft: number;
}

/** The context in which codes are made and checked. */
interface Means {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: Random;
}

const RECOVERY_CODES = 10;
/** So many bits cannot be guessed from a hash either: 24 characters in base 32. */
const RECOVERY_BYTES = 15;
/** A secret that was shown is to be confirmed within this. */
const PREPARED_MS = 3_600_000;

const placeOf = (accountId: string) => ({ column: 'second_factors', row: accountId }) as const;

/** Returns the second factor of the account; null when it is off. */
export async function secondFactorOf(
  tx: DatabaseTransaction,
  accountId: string,
): Promise<SecondFactor | null> {
  const [factor] = await tx.query<SecondFactor>(sql`
    select to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
      to_char(codes_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "codesSince",
      (select count(*)::integer from passkeys passkey
        where passkey.account_id = factor.account_id) as passkeys,
      (select count(*)::integer from recovery_codes code
        where code.account_id = factor.account_id) as "codesLeft"
    from second_factors factor where account_id = ${accountId} and since is not null`);
  return factor ?? null;
}

/**
 * Makes a secret that a first code is to confirm; an earlier one that waits for that ends.
 *
 * @returns the secret in base 32; null when one-time codes are on already
 */
export async function prepareSecondFactor(
  tx: DatabaseTransaction,
  accountId: string,
  { secrets, clock, random }: Means,
): Promise<string | null> {
  const secret = newSecret(random);
  const wrapped = secrets.wrap(placeOf(accountId), secret);
  const prepared = await tx.query(sql`
    insert into second_factors as factor (account_id, secret, prepared_at)
    values (${accountId}, ${wrapped}, ${instant(clock())}::timestamptz)
    on conflict (account_id) do update
      set secret = excluded.secret, prepared_at = excluded.prepared_at
      where factor.codes_since is null
    returning account_id`);
  return prepared.length === 0 ? null : secret;
}

/** Returns the secret that waits for its first code; null when there is none, or it waits too long. */
async function preparedSecret(
  tx: DatabaseTransaction,
  accountId: string,
  { secrets, clock }: Means,
): Promise<string | null> {
  const oldest = instant(clock() - PREPARED_MS);
  const [row] = await tx.query<{ readonly secret: string }>(sql`
    select secret from second_factors where account_id = ${accountId} and codes_since is null
      and prepared_at > ${oldest}::timestamptz for update`);
  return row === undefined ? null : secrets.open(placeOf(accountId), row.secret);
}

/**
 * The result of the first code: the recovery codes, which are never to be had again; null: the
 * second factor was on already, by a passkey, and has them.
 */
export type SwitchedOn =
  | { readonly is: 'on'; readonly codes: readonly string[] | null }
  | { readonly is: 'wrong code' }
  /** Nothing waits for this secret's code. */
  | { readonly is: 'gone' };

/** Switches one-time codes on whose `secret` was prepared, by a first code of it. */
export async function switchSecondFactorOn(
  tx: DatabaseTransaction,
  accountId: string,
  { secret, code }: { readonly secret: string; readonly code: string },
  means: Means,
): Promise<SwitchedOn> {
  const prepared = await preparedSecret(tx, accountId, means);
  if (prepared === null || hashOf(prepared) !== hashOf(secret)) return { is: 'gone' };
  const at = means.clock();
  const step = isOneTimeCode(code) ? stepOfCode(prepared, plain(code), at) : null;
  if (step === null) return { is: 'wrong code' };
  await tx.query(sql`update second_factors set codes_since = ${instant(at)}::timestamptz,
    last_step = ${step} where account_id = ${accountId}`);
  return { is: 'on', codes: await beginSecondFactor(tx, accountId, means) };
}

/**
 * Notes that the account has a second factor from now on, whose row exists.
 *
 * @returns its first recovery codes; null when it had one already
 */
export async function beginSecondFactor(
  tx: DatabaseTransaction,
  accountId: string,
  { clock, random }: Pick<Means, 'clock' | 'random'>,
): Promise<readonly string[] | null> {
  const begun =
    await tx.query(sql`update second_factors set since = ${instant(clock())}::timestamptz
    where account_id = ${accountId} and since is null returning account_id`);
  return begun.length === 0 ? null : newRecoveryCodes(tx, accountId, random);
}

/**
 * Makes new recovery codes; those before end.
 *
 * @returns null when the second factor is off
 */
export async function renewRecoveryCodes(
  tx: DatabaseTransaction,
  accountId: string,
  random: Random,
): Promise<readonly string[] | null> {
  // Whoever switches it off meanwhile does so before these are made, or takes them away too.
  const factors = await tx.query(sql`select account_id from second_factors
    where account_id = ${accountId} and since is not null for update`);
  return factors.length === 0 ? null : newRecoveryCodes(tx, accountId, random);
}

/** Puts recovery codes in place of those before. Only their hashes are stored. */
async function newRecoveryCodes(
  tx: DatabaseTransaction,
  accountId: string,
  random: Random,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    inBase32(random(new Uint8Array(RECOVERY_BYTES))),
  );
  await tx.query(sql`delete from recovery_codes where account_id = ${accountId}`);
  await tx.query(sql`insert into recovery_codes (hash, account_id)
    select hash, ${accountId} from unnest(${codes.map(hashOf)}::text[]) as made (hash)`);
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'));
}

/** Takes one-time codes away while there are passkeys. @returns false when there are none */
export async function switchCodesOff(tx: DatabaseTransaction, accountId: string): Promise<boolean> {
  // Whoever removes the last passkey meanwhile does so before the next statement looks for one.
  await tx.query(sql`select from second_factors where account_id = ${accountId} for update`);
  const off = await tx.query(sql`update second_factors factor
    set secret = null, prepared_at = null, codes_since = null, last_step = 0
    where account_id = ${accountId} and codes_since is not null and exists (
      select from passkeys passkey where passkey.account_id = factor.account_id)
    returning account_id`);
  return off.length > 0;
}

/** Takes all of it away: one-time codes, passkeys, recovery codes. @returns false when it was off */
export async function switchSecondFactorOff(
  tx: DatabaseTransaction,
  accountId: string,
): Promise<boolean> {
  const [gone] = await tx.query<{ readonly wasOn: boolean }>(
    sql`delete from second_factors where account_id = ${accountId}
      returning since is not null as "wasOn"`,
  );
  return gone?.wasOn === true;
}

/** Says whether what was typed looks like a one-time code; all else is taken for a recovery code. */
export function isOneTimeCode(typed: string): boolean {
  return /^\d{6}$/.test(plain(typed));
}

/** What a right code was; of a recovery code, how many are left. */
export type UsedCode =
  { readonly is: 'one-time' } | { readonly is: 'recovery'; readonly codesLeft: number };

/** Uses up a code, of either kind; null: it is wrong, or was used before. */
export async function redeemCode(
  tx: DatabaseTransaction,
  accountId: string,
  typed: string,
  { secrets, clock }: Pick<Means, 'secrets' | 'clock'>,
): Promise<UsedCode | null> {
  const code = plain(typed);
  if (!isOneTimeCode(code)) return redeemRecoveryCode(tx, accountId, code);
  // The lock makes a second request with the same code wait, and see that it was used.
  const [row] = await tx.query<{ readonly secret: string; readonly lastStep: number }>(sql`
    select secret, last_step as "lastStep" from second_factors
    where account_id = ${accountId} and codes_since is not null for update`);
  if (row === undefined) return null;
  const step = stepOfCode(secrets.open(placeOf(accountId), row.secret), code, clock());
  if (step === null || step <= row.lastStep) return null;
  await tx.query(
    sql`update second_factors set last_step = ${step} where account_id = ${accountId}`,
  );
  return { is: 'one-time' };
}

async function redeemRecoveryCode(
  tx: DatabaseTransaction,
  accountId: string,
  code: string,
): Promise<UsedCode | null> {
  const used = await tx.query(sql`delete from recovery_codes
    where account_id = ${accountId} and hash = ${hashOf(code)} returning hash`);
  if (used.length === 0) return null;
  const factor = await secondFactorOf(tx, accountId);
  return { is: 'recovery', codesLeft: factor?.codesLeft ?? 0 };
}

/** People write codes in groups, and in small letters too. */
function plain(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Switches the second factor off for who lost it, whom `user` is the record of: all their sign-ins
 * end, since whoever has the device may be signed in, and it is audited. Returns false when it was
 * off.
 */
export async function resetSecondFactor(
  write: WriteTransaction,
  accountId: string,
  user: string | null,
): Promise<boolean> {
  if (!(await switchSecondFactorOff(write, accountId))) return false;
  await endSignIns(write, accountId);
  const subject = user === null ? null : ({ type: 'user', id: user } as const);
  write.audit({ kind: 'second-factor-reset', subject, before: null, after: null });
  return true;
}
