import { sql } from 'kysely';
import { attributesOf } from '#schema/index.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import { forgetDataExport } from '../personal-data/data-export.ts';
import type { Services } from '../services.ts';
import { updateAffectedWorkflows } from '../workflow/running/affected-workflows.ts';
import { leaveSharedViews } from './leave-views.ts';
import { userOf } from './person.ts';
import { endSignIns } from './sign-ins.ts';

type User = Of<'user'>;

/** The name under which what a person did stays, in every language: it is a value, no text. */
export const DELETED_NAME = 'Deleted account';

/** What keeps a person from deleting their account (domain 2.7). */
export interface Obstacles {
  readonly organizations: readonly Of<'organization'>[];
  /** Those that are not archived. */
  readonly projects: readonly Of<'project'>[];
  /** Nobody else is a super admin who can sign in. */
  readonly isLastSuperAdmin: boolean;
}

/** Returns what keeps the person who signs in as `accountId` from going; null: nothing does. */
export async function obstaclesOf(
  tx: DatabaseTransaction,
  accountId: string,
): Promise<Obstacles | null> {
  const user = await userOf(tx, accountId);
  if (user === null) return null;
  const organizations = await tx.all('organization', { owner: user.id });
  const projects = await tx.all('project', { owner: user.id, dateArchived: null });
  const isLastSuperAdmin = await isOnlySuperAdmin(tx, user.id);
  const isFree = organizations.length === 0 && projects.length === 0 && !isLastSuperAdmin;
  return isFree ? null : { organizations, projects, isLastSuperAdmin };
}

async function isOnlySuperAdmin(tx: DatabaseTransaction, user: string): Promise<boolean> {
  const held = await tx.all('userRole', { roleName: 'SuperAdmin' });
  if (!held.some((role) => role.user === user)) return false;
  const others = await tx.many(
    'user',
    held.map((role) => role.user),
  );
  return others.every(({ id, isLocked }) => id === user || isLocked);
}

/** What a person has, and nobody else needs once they are gone. */
const OWN = ['userRole', 'groupMembership', 'author', 'userTask'] as const;

/**
 * Deletes an account with its sign-ins, roles, memberships and notifications. The person's row
 * stays without anything of theirs, for what they did points to it (domain 2.7).
 *
 * @param address the address of the request, for the audit log
 * @returns what keeps them from it; null: it is done
 */
export async function deleteAccount(
  services: Services,
  accountId: string,
  address: string | null,
): Promise<Obstacles | null> {
  const { db, clock } = services;
  const by = (await db.read((tx) => userOf(tx, accountId)))?.id ?? null;
  let forgetFile = () => Promise.resolve();
  const cause = { at: clock(), by, changes: [], address };
  const obstacles = await db.write(cause, async (write) => {
    const found = await obstaclesOf(write, accountId);
    if (found !== null) return found;
    const user = await userOf(write, accountId);
    await endSignIns(write, accountId);
    if (user !== null) {
      forgetFile = await forgetDataExport(services, write, user.id);
      await removeOwn(write, user);
      await updateAffectedWorkflows({ services, write });
    }
    await write.query(sql`delete from sign_ins where auth_id = ${accountId}`);
    await write.query(sql`delete from accounts where id = ${accountId}`);
    return null;
  });
  if (obstacles === null)
    await forgetFile().catch((error: unknown) => {
      services.log.error({ err: error }, 'The export of a deleted account was not removed');
    });
  return obstacles;
}

async function removeOwn(write: WriteTransaction, user: User): Promise<void> {
  const { id } = user;
  await leaveSharedViews(write, id);
  // A membership takes what its person has in the organization along.
  for (const membership of await write.all('organizationMembership', { user: id }))
    await write.remove('organizationMembership', membership.id);
  for (const type of OWN)
    for (const record of await write.all(type, { user: id })) await write.remove(type, record.id);
  for (const view of await write.all('savedView', { owner: id }))
    await write.remove('savedView', view.id);
  for (const { id: told } of await write.all('notification', { user: id }))
    await write.remove('notification', told);
  await write.query(sql`delete from declined_memberships where user_id = ${id}`);
  await write.change('user', id, nobody());
  write.audit({
    kind: 'account-deleted',
    subject: { type: 'user', id },
    before: null,
    after: null,
  });
  await write.query(sql`update audit_events set actor_name = ${DELETED_NAME}
    where actor_id = ${id} and actor_name is not null`);
  await write.query(sql`update audit_events set subject_name = ${DELETED_NAME}
    where subject_type = 'users' and subject_id = ${id} and subject_name is not null`);
}

/** Returns the fields of somebody of whom nothing is known; a new one is empty by itself. */
function nobody(): Partial<User> {
  const empty = attributesOf('user').map(([name, { nullable, fallback }]) => [
    name,
    nullable ? null : fallback,
  ]);
  return {
    ...(Object.fromEntries(empty) as Partial<User>),
    name: DELETED_NAME,
    emailNotification: false,
    profileVisibility: 0,
    isLocked: true,
  };
}
