import { newId } from '#base/id.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { AnyRecord, Of } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import { auditToken, saveToken } from '../builds/engine-token.ts';
import { hintOf } from '../builds/token-hint.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { pointerOf } from '../writes/check.ts';
import type { Effects, RecordFields } from './effects.ts';
import { inviteOf, requireUsable } from './invite-token.ts';
import { addMember, hasDeclined } from './joining.ts';
import type { BeyondLimit } from './joining.ts';
import { hostOf, isPrivateHost } from '../../kernel/private-host.ts';

const TYPE = 'organization';

/** Founding an organization, its owner, and the secret of its build engine. */
export const organization: Effects = {
  complete: async (context, { fields }) => {
    const { token } = fields;
    if (typeof token !== 'string' || token.trim() === '') return fields;
    await openInvite(context, token);
    return { ...fields, owner: context.viewer.id };
  },
  check: async ({ services, write, viewer, at }, { before, after, fields, stated }) => {
    const { buildEngineUrl: url } = after;
    const { hosts } = services.config.engine;
    const isRefused =
      'buildEngineUrl' in fields &&
      typeof url === 'string' &&
      isPrivateHost(url) &&
      !hosts.includes(hostOf(new URL(url)));
    const place = { user: after.owner as string, organization: after.id };
    const isAdded = before !== null && 'owner' in fields && place.user !== viewer.id;
    const hasLeft = isAdded && (await hasDeclined(write, place, at));
    return [
      ...(isRefused ? [invalid(pointerOf(TYPE, 'buildEngineUrl', stated), 'url')] : []),
      ...(hasLeft ? [invalid(pointerOf(TYPE, 'owner', stated), 'declined')] : []),
    ];
  },
  created: async (context, record, fields) => {
    const founded = record as unknown as Of<typeof TYPE>;
    if (typeof fields.token === 'string') await redeemInvite(context, fields.token);
    await storeToken(context, founded.id, fields);
    await makeOwnerMember(context, founded.id, founded.owner, FOUNDER, 'refuse');
    await firstGroup(context, founded);
    await enqueueEngineCheck(context);
  },
  changed: async (context, before, after, fields) => {
    await storeToken(context, after.id, clearingMoved(before, after, fields));
    if (ENGINE_FIELDS.some((field) => field in fields)) await enqueueEngineCheck(context);
    if ('owner' in fields) {
      await makeOwnerMember(
        context,
        after.id,
        after.owner as string,
        ['OrganizationAdmin'],
        'refuse',
      );
    }
  },
};

const ENGINE_FIELDS = ['useDefaultBuildEngine', 'buildEngineUrl', 'buildEngineApiAccessToken'];

/**
 * Enqueues a check, which finds out a moment later whether the engine that it uses now is
 * available.
 */
async function enqueueEngineCheck({ services, write }: ChangeContext): Promise<void> {
  await services.jobs.enqueue(write, { name: 'check-engines', data: null }, { key: '' });
}

async function openInvite(
  context: ChangeContext,
  token: string,
): Promise<Of<'organizationInvite'>> {
  const id = await inviteOf(context.write, 'organization', token.trim());
  const invite = id === null ? null : await context.write.one('organizationInvite', id);
  if (invite === null) throw new ProblemError({ code: 'invite-not-found' });
  requireUsable(invite, context.at);
  return invite;
}

async function redeemInvite(context: ChangeContext, token: string): Promise<void> {
  const { id } = await openInvite(context, token);
  await context.write.change('organizationInvite', id, { redeemed: true });
}

/** A stored token never goes to a new address. */
function clearingMoved(before: AnyRecord, after: AnyRecord, fields: RecordFields): RecordFields {
  const isMoved = before.buildEngineUrl !== after.buildEngineUrl;
  const isStated = 'buildEngineApiAccessToken' in fields;
  return isMoved && !isStated ? { ...fields, buildEngineApiAccessToken: null } : fields;
}

/** Keeps the secret in its own table and shows of it the hint alone (wire 14.1). */
async function storeToken(
  { write, services }: ChangeContext,
  id: string,
  fields: RecordFields,
): Promise<void> {
  if (!('buildEngineApiAccessToken' in fields)) return;
  const given = fields.buildEngineApiAccessToken;
  const token = typeof given === 'string' && given !== '' ? given : null;
  await auditToken(write, id, token);
  await saveToken(write, services.db.secrets, id, token);
  await write.change(TYPE, id, { buildEngineApiAccessTokenHint: hintOf(token) });
}

const FOUNDER: readonly RoleName[] = ['OrganizationAdmin', 'AppBuilder'];

/** Makes the owner a member with `roles`. @throws ProblemError 429 */
export async function makeOwnerMember(
  context: ChangeContext,
  id: string,
  owner: string,
  roles: readonly RoleName[],
  beyond: BeyondLimit,
): Promise<void> {
  const { write } = context;
  const membership = { user: owner, organization: id };
  await addMember(context, membership, beyond);
  for (const roleName of roles) {
    const [role] = await write.all('role', { roleName });
    if (role === undefined) throw new Error(`The role ${roleName} was never seeded`);
    if ((await write.all('userRole', { ...membership, role: role.id })).length > 0) continue;
    await write.insert('userRole', { id: idFor(context), ...membership, role: role.id, roleName });
  }
}

const LONGEST_ABBREVIATION = 4;

/** Makes a group: without one the new owner could make no project (domain 9.3). */
async function firstGroup(
  context: ChangeContext,
  { id, name, owner }: Of<typeof TYPE>,
): Promise<void> {
  const groupName = name === null || name.trim() === '' ? 'Group' : name;
  const group = { id: idFor(context), name: groupName, abbreviation: abbreviationOf(groupName) };
  await context.write.insert('group', { ...group, owner: id });
  await context.write.insert('groupMembership', {
    id: idFor(context),
    user: owner,
    group: group.id,
  });
}

/** Returns the initials of several words, else the first letters of the one. */
function abbreviationOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const initials =
    words.length > 1 ? words.map((word) => Array.from(word)[0] ?? '') : Array.from(words[0] ?? 'G');
  return initials.slice(0, LONGEST_ABBREVIATION).join('').toUpperCase().slice(0, 20);
}

const idFor = ({ services }: ChangeContext): string => newId(services.clock, services.random);
