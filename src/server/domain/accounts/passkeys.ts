import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { instant } from './accounts.ts';
import { beginSecondFactor, switchSecondFactorOff } from './second-factor.ts';

/** A passkey of an account, as its owner tells one from another. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Null: it was never used. */
  readonly lastUsedAt: string | null;
  /** The id that its authenticator made, in base64url. */
  readonly credentialId: string;
  /** How a browser reaches its authenticator. */
  readonly transports: readonly string[];
}

/** What is needed to check a signature of a passkey. */
export interface PasskeyKey {
  readonly id: string;
  /** COSE in base64url. */
  readonly publicKey: string;
}

/** A passkey that an authenticator has just made. */
export type NewPasskey = Pick<Passkey, 'name' | 'credentialId' | 'transports'> &
  Pick<PasskeyKey, 'publicKey'> & { readonly counter: number };

export const PASSKEYS_MOST = 10;

/** Returns the passkeys of the account, the one that was added first first. */
export async function passkeysOf(
  tx: DatabaseTransaction,
  accountId: string,
): Promise<readonly Passkey[]> {
  const rows = await tx.query<Omit<Passkey, 'transports'> & { readonly transports: string }>(sql`
    select id, name, credential_id as "credentialId", transports,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
      to_char(last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lastUsedAt"
    from passkeys where account_id = ${accountId} order by created_at, id`);
  return rows.map(({ transports, ...row }) => ({
    ...row,
    transports: transports.split(' ').filter((transport) => transport !== ''),
  }));
}

/** Returns the key of a passkey of the account; null: it has none with that id. */
export async function keyOfPasskey(
  tx: DatabaseTransaction,
  accountId: string,
  credentialId: string,
): Promise<PasskeyKey | null> {
  const [row] = await tx.query<PasskeyKey>(sql`
    select id, public_key as "publicKey" from passkeys
    where account_id = ${accountId} and credential_id = ${credentialId}`);
  return row ?? null;
}

export type AddedPasskey =
  /** The recovery codes, when it is the first of the second factor; null: that was on already. */
  | { readonly is: 'added'; readonly codes: readonly string[] | null }
  | { readonly is: 'too many' }
  /** Its id is that of a passkey that is there. */
  | { readonly is: 'taken' };

/** Adds a passkey; the first one switches the second factor on. */
export async function addPasskey(
  tx: DatabaseTransaction,
  accountId: string,
  { name, credentialId, publicKey, counter, transports }: NewPasskey,
  means: { readonly clock: Clock; readonly random: Random },
): Promise<AddedPasskey> {
  await tx.query(sql`insert into second_factors (account_id) values (${accountId})
    on conflict (account_id) do nothing`);
  // Two that are added at the same time are counted one after the other.
  await tx.query(sql`select from second_factors where account_id = ${accountId} for update`);
  if ((await passkeysOf(tx, accountId)).length >= PASSKEYS_MOST) return { is: 'too many' };
  const added = await tx.query(sql`
    insert into passkeys
      (id, account_id, credential_id, public_key, counter, transports, name, created_at)
    values (${newId(means.clock, means.random)}, ${accountId}, ${credentialId}, ${publicKey},
      ${counter}, ${transports.join(' ')}, ${name}, ${instant(means.clock())}::timestamptz)
    on conflict (credential_id) do nothing returning id`);
  if (added.length === 0) return { is: 'taken' };
  return { is: 'added', codes: await beginSecondFactor(tx, accountId, means) };
}

/**
 * Notes a use of the passkey, whose authenticator has counted to `counter`.
 *
 * @returns `counted back` when it had counted so far before: then there are two of it, or the same
 *   answer came twice; `gone` when the passkey was removed meanwhile
 */
export async function notePasskeyUse(
  tx: DatabaseTransaction,
  id: string,
  counter: number,
  clock: Clock,
): Promise<'noted' | 'counted back' | 'gone'> {
  const noted = await tx.query(sql`
    update passkeys set counter = ${counter}, last_used_at = ${instant(clock())}::timestamptz
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`);
  if (noted.length > 0) return 'noted';
  const kept = await tx.query(sql`select id from passkeys where id = ${id}`);
  return kept.length > 0 ? 'counted back' : 'gone';
}

/** @returns false when the account has no such passkey */
export async function renamePasskey(
  tx: DatabaseTransaction,
  accountId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const renamed = await tx.query(sql`update passkeys set name = ${name}
    where id::text = ${id} and account_id = ${accountId} returning id`);
  return renamed.length > 0;
}

export interface RemovedPasskey {
  readonly name: string;
  /** Nothing else was a second factor, so it is off now. */
  readonly isOff: boolean;
}

/**
 * Removes a passkey. With the last of them the second factor goes, unless one-time codes are on.
 *
 * @returns null when the account has no such passkey
 */
export async function removePasskey(
  tx: DatabaseTransaction,
  accountId: string,
  id: string,
): Promise<RemovedPasskey | null> {
  const [factor] = await tx.query<{ readonly hasCodes: boolean }>(sql`
    select codes_since is not null as "hasCodes" from second_factors
    where account_id = ${accountId} for update`);
  const [removed] = await tx.query<{ readonly name: string }>(sql`
    delete from passkeys where id::text = ${id} and account_id = ${accountId} returning name`);
  if (removed === undefined) return null;
  const isOff = factor?.hasCodes !== true && (await passkeysOf(tx, accountId)).length === 0;
  if (isOff) await switchSecondFactorOff(tx, accountId);
  return { name: removed.name, isOff };
}
