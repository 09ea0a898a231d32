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

/** `PATCH` or `GET …/redeem/{token}`: who opens an invitation joins the organization (wire 11.4). */
export function redeemRoutes(app: FastifyInstance, parts: Services): void {
  const answer: ApiHandler = async (asked) => {
    const { user } = asked.caller;
    await parts.db.transact((tx) => parts.limits.require(tx, 'redeemTries', user.id));
    await recordQueryIn(asked, 'organizationMembershipInvite', 'nothing');
    const { token } = asked.request.params as { readonly token: string };
    const id = await handleCall(asked, (act) => redeem(act, token));
    return asked.services.db.read(async (tx) => {
      const invite = await tx.one('organizationMembershipInvite', id);
      if (invite === null) throw new ProblemError({ code: 'invite-not-found' });
      return { jsonapi: JSONAPI, data: presentRecord('organizationMembershipInvite', invite) };
    });
  };
  app.route({
    method: ['GET', 'PATCH'],
    url: '/api/organization-membership-invites/redeem/:token',
    exposeHeadRoute: false,
    handler: routeHandler(parts, answer),
  });
}

/** The caller becomes a member and gets what the invite gives; its id. Writes are serial: one wins. */
async function redeem(act: ChangeContext, token: string): Promise<string> {
  const id = await inviteOf(act.write, 'membership', token);
  const invite = id === null ? null : await act.write.one('organizationMembershipInvite', id);
  if (invite === null) throw new ProblemError({ code: 'invite-not-found' });
  requireUsable(invite, act.at);

  await act.write.change('organizationMembershipInvite', invite.id, { redeemed: true });
  await join(act, invite);
  await notifyInviter(act, invite);
  return invite.id;
}

type Invite = Of<'organizationMembershipInvite'>;

async function join(act: ChangeContext, invite: Invite): Promise<void> {
  const { write, viewer } = act;
  const { organization } = invite;
  const place = { user: viewer.id, organization };
  const [held] = await write.all('organizationMembership', place);
  const dateAccepted = act.at;
  if (held === undefined) {
    const membership = { id: idFor(act), ...place, dateAccepted, addedBy: invite.invitedBy };
    await write.insert('organizationMembership', membership);
  } else if (held.dateAccepted === null) {
    // Whom somebody has added before agrees to it by coming.
    await write.change('organizationMembership', held.id, { dateAccepted });
  }
  if (!(await isInviterAdmin(act, invite))) return;
  await addRoles(act, invite);
  await addGroups(act, invite);
}

/** What an invite promises holds while its inviter may still give it (I4). */
async function isInviterAdmin({ write }: ChangeContext, { invitedBy, organization }: Invite) {
  if (invitedBy === null) return false;
  return mayAdminister(await loadViewer(write, invitedBy), organization);
}

async function addRoles(act: ChangeContext, { roleNames, organization }: Invite): Promise<void> {
  const { write, viewer } = act;
  for (const roleName of new Set(roleNames)) {
    const [role] = await write.all('role', { roleName: roleName as Of<'role'>['roleName'] });
    if (role === undefined) continue;
    const held = await write.all('userRole', { user: viewer.id, role: role.id, organization });
    if (held.length > 0) continue;
    await write.insert('userRole', {
      id: idFor(act),
      user: viewer.id,
      role: role.id,
      roleName: role.roleName,
      organization,
    });
  }
}

async function addGroups(act: ChangeContext, { groupIds, organization }: Invite): Promise<void> {
  const { write, viewer } = act;
  for (const id of new Set(groupIds)) {
    const group = await write.one('group', id);
    if (group?.owner !== organization) continue;
    const held = await write.all('groupMembership', { user: viewer.id, group: id });
    if (held.length > 0) continue;
    await write.insert('groupMembership', { id: idFor(act), user: viewer.id, group: id });
  }
}

/** The inviter is told who used it: it is not bound to the address (I3). */
async function notifyInviter(
  act: ChangeContext,
  { invitedBy, organization }: Invite,
): Promise<void> {
  const joined = await act.write.one('organization', organization);
  const values = { userName: await nameOf(act, act.viewer.id), orgName: joined?.name ?? '' };
  const linkUrl = `/users/${act.viewer.id}/settings`;
  await notify(act, invitedBy, {
    id: 'membershipInviteRedeemed',
    organization,
    values,
    linkUrl,
  });
}

const idFor = ({ services }: ChangeContext): string => newId(services.clock, services.random);
