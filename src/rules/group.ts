import type { Group } from '#schema/group.ts';
import type { GroupMembership } from '#schema/group-membership.ts';
import type { Find } from './find.ts';
import { mayAdminister } from './organization.ts';
import type { Viewer } from './viewer.ts';

export function mayManageGroup(viewer: Viewer, { owner }: Pick<Group, 'owner'>): boolean {
  return mayAdminister(viewer, owner);
}

/** Admins of the group's organization say who is in it. */
export function mayManageGroupMembership(
  viewer: Viewer,
  { group }: Pick<GroupMembership, 'group'>,
  find: Find,
): boolean {
  const of = find.one('group', group);
  return of !== null && mayManageGroup(viewer, of);
}
