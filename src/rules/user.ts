import type { User } from '#schema/user.ts';
import type { Find } from './find.ts';
import { isSuperAdmin } from './user-role.ts';
import type { Viewer } from './viewer.ts';

/** Oneself, an admin of an organization that the two share, or a super admin. */
export function mayEditUser(viewer: Viewer, { id }: Pick<User, 'id'>, find: Find): boolean {
  if (viewer.isSuperAdmin || viewer.id === id) return true;
  return organizationsOf(id, find).some((organization) => viewer.adminOf.has(organization));
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

  const organizations = organizationsOf(before.id, find);
  return (
    organizations.length > 0 &&
    organizations.every((organization) => viewer.adminOf.has(organization)) &&
    !isSuperAdmin(before.id, find)
  );
}

function organizationsOf(user: string, find: Find): string[] {
  return find.all('organizationMembership', { user }).map(({ organization }) => organization);
}
