import type { Services } from '../../domain/services.ts';
import { accountById, setPassword } from '../../domain/accounts/accounts.ts';
import { auditAccount } from './audit-accounts.ts';
import { mailPasswordChanged } from './account-mail.ts';
import { endSignIns } from '../../domain/accounts/sign-ins.ts';
import type { KeptSession } from '../../domain/accounts/sign-ins.ts';

/** The session of the provider that goes on; null when there is none at hand. */
type SessionId = string | null;

/**
 * Gives the account a new password, ends all its sign-ins but the session at hand, and tells the
 * owner by mail.
 *
 * @param passwordHash what `hashPassword` made of it
 * @param address the address of the request, for the audit log; null when nobody knows
 * @returns the new id of the session at hand, for its cookie; with it new tokens can be had
 */
export async function changePassword(
  services: Services,
  accountId: string,
  passwordHash: string,
  sessionId: SessionId,
  address: string | null = null,
): Promise<SessionId> {
  const cause = causeOf(services);
  const { account, goesOn } = await services.db.write(cause, async (write) => {
    await auditAccount(write, 'password-changed', accountId, { at: cause.at, address });
    return {
      account: await accountById(write, accountId),
      goesOn: await setPassword(write, accountId, passwordHash, keptSession(services, sessionId)),
    };
  });
  if (account !== null) mailPasswordChanged(services, account);
  return goesOn;
}

/**
 * Ends all sign-ins of the account but the session at hand; returns that one's new id.
 *
 * @param address the address of the request, for the audit log; null when nobody knows
 */
export function signOutEverywhere(
  services: Services,
  accountId: string,
  sessionId: SessionId,
  address: string | null = null,
): Promise<SessionId> {
  const cause = causeOf(services);
  return services.db.write(cause, async (write) => {
    await auditAccount(write, 'signed-out-everywhere', accountId, { at: cause.at, address });
    return endSignIns(write, accountId, keptSession(services, sessionId));
  });
}

function causeOf({ clock }: Services) {
  return { at: clock(), by: null, changes: [] } as const;
}

function keptSession({ random }: Services, id: SessionId): KeptSession | null {
  return id === null ? null : { id, random };
}
