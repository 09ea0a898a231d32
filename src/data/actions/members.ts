import { paths } from '#protocol/paths.ts';
import type { Of } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import type { Data } from '../model/data.ts';
import { documentOf } from '../model/record.ts';
import type { OnlineResult } from '../model/views.ts';
import { addForNow, removeForNow } from './removing.ts';
import type { Undo } from './removing.ts';

/** A role or group that is given to a person; `label` is what the person knows it by. */
interface Given {
  readonly user: string;
  readonly organization: string;
  readonly label: string;
}

const namesOf = (data: Data, given: Given) => ({
  ...membershipNames(data, given),
  // `what` is the sentence that an undo takes back.
  held: given.label,
});

/**
 * Gives a person a role in an organization, once it is durable here.
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if they are no member there, or the viewer may not
 */
export async function giveRole(
  data: Data,
  given: Given & { readonly roleName: RoleName },
): Promise<Undo> {
  const { user, organization, roleName } = given;
  const [role] = data.find.all('role', { roleName });
  const fields = { user, organization, role: role?.id ?? '' };
  const says = ['changes.role.add', namesOf(data, given)] as const;
  return addForNow(data, 'userRole', fields, says);
}

/** Takes a role from a person, once it is durable here. Throws as `giveRole`. */
export async function takeRole(
  data: Data,
  { id, roleName }: Pick<Of<'userRole'>, 'id' | 'roleName'>,
  given: Given,
): Promise<Undo> {
  const says = ['changes.role.remove', namesOf(data, given)] as const;
  return removeForNow(data, { type: 'userRole', id }, says, () =>
    roleName === null ? Promise.resolve() : giveRole(data, { ...given, roleName }),
  );
}

/** Puts a person into a group, once it is durable here. Throws as `giveRole`. */
export async function addToGroup(
  data: Data,
  given: Given & { readonly group: string },
): Promise<Undo> {
  const { user, group } = given;
  const says = ['changes.groupMembership.add', namesOf(data, given)] as const;
  return addForNow(data, 'groupMembership', { user, group }, says);
}

/** Takes a person out of a group, once it is durable here. Throws as `giveRole`. */
export async function removeFromGroup(
  data: Data,
  { id, group }: Pick<Of<'groupMembership'>, 'id' | 'group'>,
  given: Given,
): Promise<Undo> {
  const says = ['changes.groupMembership.remove', namesOf(data, given)] as const;
  return removeForNow(data, { type: 'groupMembership', id }, says, () =>
    addToGroup(data, { ...given, group }),
  );
}

/** Locks a person out, or lets them in again. Throws as `giveRole`. */
export async function setLocked(data: Data, user: string, isLocked: boolean): Promise<void> {
  const name = data.nameOf('user', user);
  const key = isLocked ? 'changes.user.lock' : 'changes.user.unlock';
  await data.edit('user', user, { isLocked }, [key, { name }]);
}

/** A membership in the sentences of changes. */
const membershipNames = (
  data: Data,
  { user, organization }: Pick<Of<'organizationMembership'>, 'user' | 'organization'>,
) => ({
  name: data.nameOf('user', user),
  organization: data.nameOf('organization', organization),
});

/** Says that the viewer stays where somebody added them (domain 2.8). Throws as `giveRole`. */
export async function acceptMembership(
  data: Data,
  membership: Of<'organizationMembership'>,
): Promise<void> {
  const dateAccepted = new Date(data.clock()).toISOString();
  const says = ['changes.membership.stay', membershipNames(data, membership)] as const;
  await data.edit('organizationMembership', membership.id, { dateAccepted }, says);
}

/** Ends a membership, with all that goes along (domain 2.7). Throws as `giveRole`. */
export async function endMembership(
  data: Data,
  membership: Of<'organizationMembership'>,
): Promise<void> {
  const isOwn = membership.user === data.viewerId();
  const key = isOwn ? 'changes.membership.leave' : 'changes.membership.end';
  await data.remove('organizationMembership', membership.id, [
    key,
    membershipNames(data, membership),
  ]);
}

/**
 * Makes the person with that sign-in address a member, who is asked whether they stay (domain 2.8).
 * Returns what sends it: however often that is called, it is done once. Refused with `no-such-user`
 * where nobody has the address.
 */
export function addByEmail(
  data: Data,
  organization: string,
  email: string,
): () => Promise<OnlineResult<unknown>> {
  const type = 'organizationMembership';
  const fields = { email: email.trim(), organization };
  return data.online.command(paths.list(type), documentOf(type, null, fields));
}
