import type { RoleName } from '#schema/role.ts';
import type { UserRole } from '#schema/user-role.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** The role that `added` is about, by its record: a copy of the name is not trusted. */
export function roleNameOf({ role }: Pick<UserRole, 'role'>, find: Find): RoleName | null {
  return find.one('role', role)?.roleName ?? null;
}

/** Admins give the roles of their organization to others; super admins every role to everyone. */
export function mayGiveRole(
  viewer: Viewer,
  added: Pick<UserRole, 'role' | 'user' | 'organization'>,
  find: Find,
): boolean {
  if (viewer.isSuperAdmin) return true;
  return (
    roleNameOf(added, find) !== 'SuperAdmin' &&
    added.user !== viewer.id &&
    added.organization !== null &&
    viewer.adminOf.has(added.organization)
  );
}

/** Says whether `viewer` may take a role: if they may give it; but the last super admin stays one. */
export function mayTakeRole(viewer: Viewer, held: UserRole, find: Find): boolean {
  return mayGiveRole(viewer, held, find) && !isLastSuperAdmin(held, find);
}

export function isSuperAdmin(user: string, find: Find): boolean {
  return find.all('userRole', { user }).some((held) => roleNameOf(held, find) === 'SuperAdmin');
}

/** Says whether taking `held` would leave the installation without a super admin. */
function isLastSuperAdmin(held: Pick<UserRole, 'role'>, find: Find): boolean {
  if (roleNameOf(held, find) !== 'SuperAdmin') return false;
  return find.all('userRole', { role: held.role }).length <= 1;
}
