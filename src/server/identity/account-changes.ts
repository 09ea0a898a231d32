import type { Parts } from '../parts.ts';
import { accountById, setPassword } from './accounts.ts';
import { mailPasswordChanged } from './letters.ts';
import { endSignIns } from './sign-ins.ts';
import type { KeptSession } from './sign-ins.ts';

/** Which session of the provider goes on; null when there is none at hand. */
type SessionId = string | null;

/**
 * Gives the account a new password, ends all its sign-ins but the session at hand, and tells the
 * owner by mail.
 *
 * @param passwordHash what `hashPassword` made of it
 * @returns the new id of the session at hand, for its cookie; with it new tokens can be had
 */
export async function changePassword(
  parts: Parts,
  accountId: string,
  passwordHash: string,
  sessionId: SessionId,
): Promise<SessionId> {
  const { account, goesOn } = await parts.db.write(causeOf(parts), async (write) => ({
    account: await accountById(write, accountId),
    goesOn: await setPassword(write, accountId, passwordHash, keptSession(parts, sessionId)),
  }));
  if (account !== null) mailPasswordChanged(parts, account);
  return goesOn;
}

/** Ends all sign-ins of the account but the session at hand; returns that one's new id. */
export function signOutEverywhere(
  parts: Parts,
  accountId: string,
  sessionId: SessionId,
): Promise<SessionId> {
  return parts.db.write(causeOf(parts), (write) =>
    endSignIns(write, accountId, keptSession(parts, sessionId)),
  );
}

function causeOf({ clock }: Parts) {
  return { at: clock(), by: null, changes: [] } as const;
}

function keptSession({ random }: Parts, id: SessionId): KeptSession | null {
  return id === null ? null : { id, random };
}
