import { keyOf } from '../accounts/person.ts';
import type { ChangeContext } from '../writes/change-context.ts';

/**
 * Counts a mail that invites `email` (wire 15.2), for the organization that it invites to if there
 * is one. It counts while the change is not undone.
 *
 * @throws ProblemError 429
 */
export async function countInvitation(
  { write, services: { limits } }: ChangeContext,
  organization: string | null,
  email: string,
): Promise<void> {
  if (organization !== null) await limits.require(write, 'invitationsOfOrganization', organization);
  await limits.require(write, 'invitationsToAddress', keyOf(email));
}

/**
 * Does the same where nobody may learn from a refusal: returns whether the mail may be sent, and
 * counts it if so.
 */
export async function mayMail(
  { write, services: { limits } }: ChangeContext,
  email: string,
): Promise<boolean> {
  const { waitSeconds } = await limits.count(write, 'invitationsToAddress', keyOf(email));
  return waitSeconds === 0;
}

/**
 * Does the same for adding by address, which reveals whether somebody has it: that counts even if
 * refused.
 */
export async function countAddition(
  { write, services: { limits } }: ChangeContext,
  organization: string,
  email: string,
): Promise<void> {
  await limits.requireLasting(write, 'invitationsOfOrganization', organization);
  await limits.requireLasting(write, 'invitationsToAddress', keyOf(email));
}
