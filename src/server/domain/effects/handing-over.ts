import { newId } from '#base/id.ts';
import { mayAdminister } from '#rules/organization.ts';
import type { Of } from '#schema/index.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { addMember } from './joining.ts';
import { makeOwnerMember } from './organization.ts';
import { notifyOwners } from './project.ts';

type Membership = Of<'organizationMembership'>;

/**
 * Hands over what a person owns in an organization that they leave without ever having agreed to be
 * there. It goes to the admin who added them, else to the organization's owner: nothing holds them
 * (domain 2.8).
 */
export async function handOver(context: ChangeContext, membership: Membership): Promise<void> {
  const { write } = context;
  const { user, organization } = membership;
  const projects = await write.all('project', { owner: user, organization });
  const owned = await write.one('organization', organization);
  const isOwner = owned?.owner === user;
  if (projects.length === 0 && !isOwner) return;

  const heir = await heirOf(context, membership, owned);
  // Without an heir the removal is refused, as for everyone who is needed (domain 2.7).
  if (heir === null) return;
  if (isOwner) {
    await write.change('organization', organization, { owner: heir });
    await makeOwnerMember(context, organization, heir, ['OrganizationAdmin'], 'leave-mail-out');
  }
  for (const before of projects) {
    await enter(context, heir, before);
    await write.change('project', before.id, { owner: heir });
    await notifyOwners(context, before, { ...before, owner: heir });
  }
}

async function heirOf(
  { write }: ChangeContext,
  { user, organization, addedBy }: Membership,
  owned: Of<'organization'> | null,
): Promise<string | null> {
  const admins = await write.all('userRole', { organization, roleName: 'OrganizationAdmin' });
  const supers = await write.all('userRole', { roleName: 'SuperAdmin' });
  const wanted = [
    addedBy,
    owned?.owner ?? null,
    ...[...admins, ...supers].map((held) => held.user),
  ];
  for (const id of wanted) {
    if (id === null || id === user) continue;
    const person = await write.one('user', id);
    if (person === null || person.isLocked) continue;
    const isFit = id === owned?.owner || mayAdminister(await loadViewer(write, id), organization);
    if (isFit) return id;
  }
  return null;
}

/** Makes the heir a member of the project's organization and group, as its owner has to be. */
async function enter(context: ChangeContext, user: string, { organization, group }: Of<'project'>) {
  const { services, write } = context;
  // Nothing keeps a person from leaving, not even that the heir has had many mails.
  await addMember(context, { user, organization }, 'leave-mail-out');
  const held = await write.all('groupMembership', { user, group });
  if (held.length > 0) return;
  await write.insert('groupMembership', {
    id: newId(services.clock, services.random),
    user,
    group,
  });
}
