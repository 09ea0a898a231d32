import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { inviteEnd } from '#schema/organization-invite.ts';
import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import type { OnlineResult } from '../model/views.ts';

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

/**
 * Makes an open invitation worth nothing. Returns once that is durable here.
 *
 * @throws NotSavedError if this device cannot keep it
 */
export async function withdrawInvitation(
  data: Data,
  { id, email, organization }: Of<'organizationMembershipInvite'>,
): Promise<void> {
  const names = { email, organization: data.nameOf('organization', organization) };
  await data.remove('organizationMembershipInvite', id, ['changes.withdrawInvite', names]);
}

/**
 * Makes the viewer a member of the organization that `token` invites to (wire 11.4). Returns what
 * sends it: however often that is called, it is done once.
 */
export function acceptInvitation(data: Data, token: string): () => Promise<OnlineResult<string>> {
  return idOf(data.online.command(paths.redeem(token), undefined, 'PATCH'));
}

/** Whom to invite to create an organization, with what is known of that. */
export type OwnerInvitation = Pick<Of<'organizationInvite'>, 'ownerEmail' | 'name' | 'url'>;

/** Has an invitation to create an organization mailed. Returns and throws as `inviteToOrganization`. */
export async function inviteOwner(data: Data, invitation: OwnerInvitation): Promise<string> {
  const { ownerEmail, name, url } = invitation;
  const isBlank = (text: string | null) => text === null || text.trim() === '';
  const fields = {
    ownerEmail,
    ...(isBlank(name) ? {} : { name }),
    ...(isBlank(url) ? {} : { url }),
  };
  return data.add('organizationInvite', fields, [
    'changes.inviteOwner',
    { email: ownerEmail.trim() },
  ]);
}

/** Has another link mailed, for a day; the former one is worth nothing. Throws as `withdrawInvitation`. */
export async function renewOwnerInvitation(
  data: Data,
  { id, ownerEmail }: Of<'organizationInvite'>,
): Promise<void> {
  const expiresAt = inviteEnd(new Date(data.clock()).toISOString());
  const says = ['changes.renewInvite', { email: ownerEmail }] as const;
  await data.edit('organizationInvite', id, { expiresAt }, says);
}

/** Makes an open invitation worth nothing. Throws as `withdrawInvitation`. */
export async function withdrawOwnerInvitation(
  data: Data,
  { id, ownerEmail }: Of<'organizationInvite'>,
): Promise<void> {
  await data.remove('organizationInvite', id, [
    'changes.withdrawOwnerInvite',
    { email: ownerEmail },
  ]);
}

/** The organization that an invitation is redeemed with. */
export type Founding = Pick<Of<'organization'>, 'name' | 'websiteUrl' | 'token'>;

/**
 * Creates the organization that `token` invites to create, with the viewer as its owner (wire 11.5).
 * Returns what sends it and answers its id: however often that is called, there is one.
 */
export function foundOrganization(
  data: Data,
  fields: Founding,
): () => Promise<OnlineResult<string>> {
  const attributes = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [wireFieldOf('organization', name), value]),
  );
  const body = { data: { type: wireTypeOf('organization'), attributes } };
  return idOf(data.online.command(paths.list('organization'), body));
}

/** Answers the id of the record that comes back; '' where the answer has none. */
function idOf(send: () => Promise<OnlineResult<unknown>>): () => Promise<OnlineResult<string>> {
  return async () => {
    const answer = await send();
    if (answer.is !== 'told') return answer;
    const { data } = answer.value as { readonly data?: { readonly id?: unknown } };
    return { is: 'told', value: typeof data?.id === 'string' ? data.id : '' };
  };
}
