import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { holds, isInGroup, isMember } from './membership.ts';

/** An author is in the project's organization and group, and holds the role (J8). */
export const brokenAuthor: RecordRules<'author'> = ({ after: { user, project }, find }) => {
  const of = find.one('project', project);
  if (of === null || find.one('user', user) === null) return [];
  const belongs = isMember(find, user, of.organization) && isInGroup(find, user, of.group);
  if (!belongs) return [broken('user', 'no-membership')];
  const isAuthor = holds(find, user, 'Author', of.organization);
  return [isAuthor ? null : broken('user', 'needs-role', { role: 'Author' })];
};
