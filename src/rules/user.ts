import type { User } from '#schema/user.ts';
import type { Find } from './find.ts';
import { isSuperAdmin } from './user-role.ts';
import type { Viewer } from './viewer.ts';

/** Oneself, an admin of every organization that the person agreed to be in, or a super admin. */
export function mayEditUser(viewer: Viewer, { id }: Pick<User, 'id'>, find: Find): boolean {
  return viewer.isSuperAdmin || viewer.id === id || answersFor(viewer, id, find);
}

/** Contact address, mail and visibility are set by the person alone, or a super admin. */
export function mayEditContact(viewer: Viewer, before: User | null): boolean {
  return viewer.isSuperAdmin || viewer.id === before?.id;
}

/**
 * Super admins lock anyone but themselves; an admin only a person all of whose organizations are
 * theirs to administer, and never a super admin.
 */
export function mayLock(viewer: Viewer, before: User | null, _after: unknown, find: Find): boolean {
  if (before === null || viewer.id === before.id) return false;
  if (viewer.isSuperAdmin) return true;
  return answersFor(viewer, before.id, find) && !isSuperAdmin(before.id, find);
}

/** The person, or a super admin. */
export function maySeeSecondFactor(viewer: Viewer, { id }: Pick<User, 'id'>): boolean {
  return viewer.isSuperAdmin || viewer.id === id;
}

/**
 * A super admin, of anybody else: who has the own password and device switches it off with both, and
 * who has taken over a device that is signed in must not do without.
 */
export function mayResetSecondFactor(viewer: Viewer, { id }: Pick<User, 'id'>): boolean {
  return viewer.isSuperAdmin && viewer.id !== id;
}

/** Whoever adds a person gets nothing over them until that person agrees (domain 2.8). */
function answersFor(viewer: Viewer, user: string, find: Find): boolean {
  const accepted = find
    .all('organizationMembership', { user })
    .filter(({ dateAccepted }) => dateAccepted !== null);
  return (
    accepted.length > 0 && accepted.every(({ organization }) => viewer.adminOf.has(organization))
  );
}
