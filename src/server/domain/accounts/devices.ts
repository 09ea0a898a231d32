import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Clock } from '#base/id.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { instant } from './accounts.ts';

/** Where an account is signed in, as its owner tells one from another. */
export interface Device {
  /** The id of what was granted on it (wire 2.3). */
  readonly grantId: string;
  /** What its browser calls itself; null: it did not say. */
  readonly userAgent: string | null;
  /** The network address that it last came from. */
  readonly address: string | null;
  /** The last time that it got an access token: while it is in use, every quarter of an hour. */
  readonly lastUsedAt: string;
}

/** The header is cut there: browsers say who they are in fewer characters. */
const LONGEST_USER_AGENT = 500;
/** No refresh token lasts longer (wire 2.3). */
const LASTS_MS = 90 * 86_400_000;

/**
 * Notes that a device got tokens now. Forgets those of the account that are signed out, and
 * everybody's that were not used for as long as a sign-in lasts.
 */
export async function noteDevice(
  tx: DatabaseTransaction,
  accountId: string,
  { grantId, userAgent, address }: Omit<Device, 'lastUsedAt'>,
  clock: Clock,
): Promise<void> {
  const now = instant(clock());
  await tx.query(sql`delete from signed_in_devices device
    where (account_id = ${accountId} and not ${isGranted})
      or last_used_at < ${instant(clock() - LASTS_MS)}::timestamptz`);
  await tx.query(sql`
    insert into signed_in_devices
      (grant_id, account_id, user_agent, address, last_used_at)
    values (${grantId}, ${accountId}, ${userAgent?.slice(0, LONGEST_USER_AGENT) ?? null}, ${address},
      ${now}::timestamptz)
    on conflict (grant_id) do update set user_agent = excluded.user_agent,
      address = excluded.address, last_used_at = excluded.last_used_at`);
}

/** Returns the devices on which the account is signed in, the one that was used last first. */
export function devicesOf(tx: DatabaseTransaction, accountId: string, clock: Clock) {
  return tx.query<Device>(sql`
    select grant_id as "grantId", user_agent as "userAgent", address,
      to_char(last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lastUsedAt"
    from signed_in_devices device
    where account_id = ${accountId} and ${isGranted} and exists (
      select from oidc_records token where token.model = 'RefreshToken'
        and token.grant_id = device.grant_id and token.consumed_at is null
        and token.expires_at > ${instant(clock())}::timestamptz)
    order by last_used_at desc, grant_id`);
}

/**
 * Ends the sign-in of the account on one device: its session, its tokens and what was granted. The
 * session stays, marked as ended, until it would have ended by itself.
 *
 * @returns false when the account has no such device
 */
export async function endDevice(
  tx: DatabaseTransaction,
  accountId: string,
  grantId: string,
  clock: Clock,
): Promise<boolean> {
  const ended = await tx.query(sql`delete from signed_in_devices
    where account_id = ${accountId} and grant_id = ${grantId} returning grant_id`);
  if (ended.length === 0) return false;
  await tx.query(sql`delete from oidc_records where account_id = ${accountId}
    and (grant_id = ${grantId} or (model = 'Grant' and id = ${grantId}))`);
  await tx.query(sql`update oidc_records set consumed_at = ${instant(clock())}::timestamptz
    where account_id = ${accountId} and model = 'Session'
      and exists (select from jsonb_each(payload -> 'authorizations') granted
        where granted.value ->> 'grantId' = ${grantId})`);
  return true;
}

const isGranted: RawBuilder<boolean> = sql<boolean>`exists (
  select from oidc_records where model = 'Grant' and id = device.grant_id)`;
