import type { TypeName } from '#schema/index.ts';
import type { Project } from '#schema/project.ts';
import type { Find } from '../find.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import type { Checking, RecordRules } from './form.ts';
import { isInGroup, isMember } from './membership.ts';

/** The place of a project, or of one to be imported, and who answers for it. */
type Place = Pick<Project, 'organization' | 'group' | 'owner'>;

export const brokenProject: RecordRules<'project'> = (checking) =>
  brokenPlace(checking, checking.after, {
    group: checking.before === null || checking.written.includes('group'),
    owner: checking.before === null || checking.written.includes('owner'),
  });

/** The group is the organization's, the owner is in both; a super admin may name anyone. */
export function brokenPlace(
  { find, viewer }: Pick<Checking<TypeName>, 'find' | 'viewer'>,
  place: Place,
  written: Readonly<Record<'group' | 'owner', boolean>>,
): (Broken | null)[] {
  const group = find.one('group', place.group);
  const fits = group === null || group.owner === place.organization;
  if (!fits) return [written.group ? broken('group', 'mismatch') : null];

  const isOpen = viewer.isSuperAdmin || !written.owner;
  return [isOpen || mayOwn(place, find) ? null : broken('owner', 'no-membership')];
}

function mayOwn({ owner, organization, group }: Place, find: Find): boolean {
  if (owner === null || find.one('user', owner) === null) return true;
  return isMember(find, owner, organization) && isInGroup(find, owner, group);
}
