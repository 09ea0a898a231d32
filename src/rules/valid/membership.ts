import type { RoleName } from '#schema/role.ts';
import type { Find } from '../find.ts';

/** Says whether `user` belongs to `organization`. */
export function isMember(find: Find, user: string, organization: string): boolean {
  return find.all('organizationMembership', { user, organization }).length > 0;
}

/** Says whether `user` is in `group`. */
export function isInGroup(find: Find, user: string, group: string): boolean {
  return find.all('groupMembership', { user, group }).length > 0;
}

/** Says whether `user` holds the role called `name` in `organization`. */
export function holds(find: Find, user: string, name: RoleName, organization: string): boolean {
  return find
    .all('userRole', { user, organization })
    .some(({ role }) => find.one('role', role)?.roleName === name);
}
