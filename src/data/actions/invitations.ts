import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';

/** The person to invite, the organization, and what they get with the membership. */
export type Invitation = Pick<Of<'organizationMembershipInvite'>, 'email' | 'organization'> &
  Partial<Pick<Of<'organizationMembershipInvite'>, 'roleNames' | 'groupIds'>>;

/**
 * Asks the server to mail an invitation to join an organization. A request: it waits for the
 * connection, and cannot be undone once sent.
 *
 * @returns its id once the request is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function inviteToOrganization(data: Data, invitation: Invitation): Promise<string> {
  const { email, organization } = invitation;
  return data.add('organizationMembershipInvite', invitation, [
    'changes.invite',
    { email: email.trim(), organization: data.nameOf('organization', organization) },
  ]);
}
