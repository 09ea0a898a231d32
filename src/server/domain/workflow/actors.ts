import type { Find } from '#rules/find.ts';
import type { RoleName } from '#schema/role.ts';
import type { Project } from '#schema/project.ts';
import type { WorkflowFacts } from './guards.ts';

/**
 * Returns the people who do the steps of `project` (domain 4.1). A role counts only with a
 * membership (P2); a locked person does nothing. Without an organization admin its owner stands in.
 */
export function actorsOf(project: Project, find: Find): WorkflowFacts['actors'] {
  const isActive = (user: string) => find.one('user', user)?.isLocked === false;
  const isMember = (user: string) =>
    find.all('organizationMembership', { user, organization: project.organization }).length > 0;
  const holdersOf = (roleName: RoleName) =>
    find
      .all('userRole', { organization: project.organization, roleName })
      .map(({ user }) => user)
      .filter((user) => isMember(user) && isActive(user));

  const admins = holdersOf('OrganizationAdmin');
  const owner = find.one('organization', project.organization)?.owner ?? null;
  const authors = find.all('author', { project: project.id }).map(({ user }) => user);
  return {
    Owner: [project.owner].filter((user) => user !== null).filter(isActive),
    OrgAdmin: admins.length > 0 ? admins : [owner].filter((user) => user !== null).filter(isActive),
    Author: holdersOf('Author').filter((user) => authors.includes(user)),
  };
}
