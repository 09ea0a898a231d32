import type { RoleName } from '#schema/role.ts';
import type { UserRole } from '#schema/user-role.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** The role that `given` is about, by its record: a copy of the name is not trusted. */
export function roleNameOf({ role }: Pick<UserRole, 'role'>, find: Find): RoleName | null {
  return find.one('role', role)?.roleName ?? null;
}

/** Admins give the roles of their organization to others; super admins every role to everyone. */
export function mayGiveRole(
  viewer: Viewer,
  given: Pick<UserRole, 'role' | 'user' | 'organization'>,
  find: Find,
): boolean {
  if (viewer.isSuperAdmin) return true;
  return (
    roleNameOf(given, find) !== 'SuperAdmin' &&
    given.user !== viewer.id &&
    given.organization !== null &&
    viewer.adminOf.has(given.organization)
  );
}

/** As giving it; but the last super admin stays one. */
export function mayTakeRole(viewer: Viewer, held: UserRole, find: Find): boolean {
  return mayGiveRole(viewer, held, find) && !isLastSuperAdmin(held, find);
}

export function isSuperAdmin(user: string, find: Find): boolean {
  return find.all('userRole', { user }).some((held) => roleNameOf(held, find) === 'SuperAdmin');
}

/** Whether taking `held` would leave the installation without a super admin. */
function isLastSuperAdmin(held: Pick<UserRole, 'role'>, find: Find): boolean {
  if (roleNameOf(held, find) !== 'SuperAdmin') return false;
  return find.all('userRole', { role: held.role }).length <= 1;
}
