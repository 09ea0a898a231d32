import type { FastifyInstance } from 'fastify';
import { newId } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayAdminister } from '#rules/organization.ts';
import type { Of } from '#schema/index.ts';
import { loadViewer } from '../../../access/viewer.ts';
import type { Services } from '../../../domain/services.ts';
import type { ChangeContext } from '../../../domain/writes/change-context.ts';
import { routeHandler, recordQueryIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { JSONAPI, presentRecord } from '#protocol/present.ts';
import { inviteOf, requireUsable } from '../../../domain/effects/invite-token.ts';
import { nameOf, notify } from '../../../domain/notifications/notify.ts';

/**
 * `PATCH` or `GET …/redeem/{token}`: a person who opens an invitation joins the organization (wire
 * 11.4).
 */
export function redeemRoutes(app: FastifyInstance, services: Services): void {
  const answer: ApiHandler = async (apiRequest) => {
    const { user } = apiRequest.caller;
    await services.db.transact((tx) => services.limits.require(tx, 'redeemTries', user.id));
    await recordQueryIn(apiRequest, 'organizationMembershipInvite', 'nothing');
    const { token } = apiRequest.request.params as { readonly token: string };
    const id = await handleCall(apiRequest, (context) => redeem(context, token));
    return apiRequest.services.db.read(async (tx) => {
      const invite = await tx.one('organizationMembershipInvite', id);
      if (invite === null) throw new ProblemError({ code: 'invite-not-found' });
      return { jsonapi: JSONAPI, data: presentRecord('organizationMembershipInvite', invite) };
    });
  };
  app.route({
    method: ['GET', 'PATCH'],
    url: '/api/organization-membership-invites/redeem/:token',
    exposeHeadRoute: false,
    handler: routeHandler(services, answer),
  });
}

/**
 * Makes the caller a member with what the invite gives; returns its id. Writes are serial: one
 * wins.
 */
async function redeem(context: ChangeContext, token: string): Promise<string> {
  const id = await inviteOf(context.write, 'membership', token);
  const invite = id === null ? null : await context.write.one('organizationMembershipInvite', id);
  if (invite === null) throw new ProblemError({ code: 'invite-not-found' });
  requireUsable(invite, context.at);

  await context.write.change('organizationMembershipInvite', invite.id, { redeemed: true });
  await join(context, invite);
  await notifyInviter(context, invite);
  return invite.id;
}

type Invite = Of<'organizationMembershipInvite'>;

async function join(context: ChangeContext, invite: Invite): Promise<void> {
  const { write, viewer } = context;
  const { organization } = invite;
  const place = { user: viewer.id, organization };
  const [held] = await write.all('organizationMembership', place);
  const dateAccepted = context.at;
  if (held === undefined) {
    const membership = { id: idFor(context), ...place, dateAccepted, addedBy: invite.invitedBy };
    await write.insert('organizationMembership', membership);
  } else if (held.dateAccepted === null) {
    // A person whom somebody has added before agrees to it by coming.
    await write.change('organizationMembership', held.id, { dateAccepted });
  }
  if (!(await isInviterAdmin(context, invite))) return;
  await addRoles(context, invite);
  await addGroups(context, invite);
}

/** The promise of an invite holds while its inviter may still give it (I4). */
async function isInviterAdmin({ write }: ChangeContext, { invitedBy, organization }: Invite) {
  if (invitedBy === null) return false;
  return mayAdminister(await loadViewer(write, invitedBy), organization);
}

async function addRoles(
  context: ChangeContext,
  { roleNames, organization }: Invite,
): Promise<void> {
  const { write, viewer } = context;
  for (const roleName of new Set(roleNames)) {
    const [role] = await write.all('role', { roleName: roleName as Of<'role'>['roleName'] });
    if (role === undefined) continue;
    const held = await write.all('userRole', { user: viewer.id, role: role.id, organization });
    if (held.length > 0) continue;
    await write.insert('userRole', {
      id: idFor(context),
      user: viewer.id,
      role: role.id,
      roleName: role.roleName,
      organization,
    });
  }
}

async function addGroups(
  context: ChangeContext,
  { groupIds, organization }: Invite,
): Promise<void> {
  const { write, viewer } = context;
  for (const id of new Set(groupIds)) {
    const group = await write.one('group', id);
    if (group?.owner !== organization) continue;
    const held = await write.all('groupMembership', { user: viewer.id, group: id });
    if (held.length > 0) continue;
    await write.insert('groupMembership', { id: idFor(context), user: viewer.id, group: id });
  }
}

/** Notifies the inviter who used it: it is not bound to the address (I3). */
async function notifyInviter(
  context: ChangeContext,
  { invitedBy, organization }: Invite,
): Promise<void> {
  const joined = await context.write.one('organization', organization);
  const values = {
    userName: await nameOf(context, context.viewer.id),
    orgName: joined?.name ?? '',
  };
  const linkUrl = `/users/${context.viewer.id}/settings`;
  await notify(context, invitedBy, {
    id: 'membershipInviteRedeemed',
    organization,
    values,
    linkUrl,
  });
}

const idFor = ({ services }: ChangeContext): string => newId(services.clock, services.random);
