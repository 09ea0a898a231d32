import { sql } from 'kysely';
import type { Random } from '#base/id.ts';
import { isUuid } from '#base/id.ts';
import type { Config } from '../../kernel/config.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';

/**
 * Each account counts the eras of its sign-ins. Sessions, sign-ins under way, codes, refresh and
 * access tokens carry the era in which the person proved who they are, and count only while it is
 * still the account's (wire 2). The provider hands `acr` on from the sign-in to the session, the
 * code and the refresh token, so the era travels in it.
 */

/** Returns the `acr` of a sign-in of `era`. */
export function acrOf(era: number): string {
  return `era:${era}`;
}

/** Returns the era that `acr` names; sign-ins from before there were eras began in the first. */
export function eraIn(acr: unknown): number {
  const digits = typeof acr === 'string' ? /^era:(\d{1,9})$/.exec(acr)?.[1] : undefined;
  return Number(digits ?? 0);
}

/**
 * Returns the era of the account `sub`; null when there is none, as for everybody of an outside
 * issuer.
 */
export async function eraOf(
  tx: DatabaseTransaction,
  { auth }: Config,
  sub: string | null,
): Promise<number | null> {
  if (!auth.isBundled || !isUuid(sub)) return null;
  const [row] = await tx.query<{ readonly era: number }>(
    sql`select era from accounts where id = ${sub}`,
  );
  return row?.era ?? null;
}

/** The session in which a person changes their password or ends the others. */
export interface KeptSession {
  readonly id: string;
  readonly random: Random;
}

/**
 * Ends every sign-in of the account, the ones under way too; connections to the hub are closed
 * once the transaction is committed. This is the only place that does so.
 *
 * @param keptSession goes on under a new id, if it is a session of the account that counts
 * @returns the new id of `keptSession`, for its cookie; else null
 */
export async function endSignIns(
  write: WriteTransaction,
  accountId: string,
  keptSession: KeptSession | null = null,
): Promise<string | null> {
  // Another issuer's `sub` may be anything; that issuer ends its sign-ins itself.
  if (!isUuid(accountId)) return null;
  const [account] = await write.query<{ readonly era: number }>(
    sql`update accounts set era = era + 1 where id = ${accountId} returning era`,
  );
  if (account === undefined) return null;

  const id =
    keptSession === null ? null : await moveSession(write, accountId, account.era, keptSession);
  // Whoever knew the old password may have asked for another address.
  await write.query(
    sql`delete from account_links where account_id = ${accountId} and purpose = 'address'`,
  );
  await write.query(sql`delete from oidc_records
    where account_id = ${accountId} and era is distinct from ${account.era}`);

  const [user] = await write.all('user', { authId: accountId });
  if (user !== undefined) write.changeViewer(user.id);
  return id;
}

/** Brings a session into the new era, under an id that nobody has seen yet. */
async function moveSession(
  write: WriteTransaction,
  accountId: string,
  era: number,
  { id, random }: KeptSession,
): Promise<string | null> {
  const made = Buffer.from(random(new Uint8Array(24))).toString('base64url');
  const changes = JSON.stringify({ jti: made, acr: acrOf(era) });
  const moved = await write.query(sql`
    update oidc_records set id = ${made}, era = ${era}, payload = payload || ${changes}::text::jsonb
    where model = 'Session' and id = ${id} and account_id = ${accountId} and era = ${era - 1}
    returning id`);
  return moved.length === 0 ? null : made;
}
