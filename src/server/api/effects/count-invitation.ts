import { keyOf } from '../../identity/person.ts';
import type { Act } from '../act.ts';

/**
 * Counts a mail that invites `email` (wire 15.2), for the organization that it invites to if there
 * is one. It counts while the change is not undone.
 *
 * @param email null for a person who is added by id: those share an organization already
 * @throws ProblemError 429
 */
export async function countInvitation(
  { write, parts: { limits } }: Act,
  organization: string | null,
  email: string | null,
): Promise<void> {
  if (organization !== null) await limits.require(write, 'invitationsOfOrganization', organization);
  if (email !== null) await limits.require(write, 'invitationsToAddress', keyOf(email));
}

/** The same for adding by address, which tells whether somebody has it: that counts even if refused. */
export async function countAddition(
  { write, parts: { limits } }: Act,
  organization: string,
  email: string,
): Promise<void> {
  await limits.requireLasting(write, 'invitationsOfOrganization', organization);
  await limits.requireLasting(write, 'invitationsToAddress', keyOf(email));
}
