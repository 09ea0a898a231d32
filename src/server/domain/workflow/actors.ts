import type { Find } from '#rules/find.ts';
import type { RoleName } from '#schema/role.ts';
import type { Project } from '#schema/project.ts';
import type { WorkflowFacts } from './guards.ts';

/**
 * Returns the people who do the steps of `project` (domain 4.1). A role counts only with a
 * membership (P2); a locked person does nothing. Without an organization admin its owner stands in.
 */
export function actorsOf(project: Project, find: Find): WorkflowFacts['actors'] {
  const { organization } = project;
  const authors = find.all('author', { project: project.id }).map(({ user }) => user);
  return {
    Owner: [project.owner].filter((user) => user !== null).filter((user) => isActive(user, find)),
    OrgAdmin: adminsOf(organization, find),
    Author: holdersOf('Author', organization, find).filter((user) => authors.includes(user)),
  };
}

/** Returns the admins of an organization; its owner where it has none. */
export function adminsOf(organization: string, find: Find): readonly string[] {
  const admins = holdersOf('OrganizationAdmin', organization, find);
  if (admins.length > 0) return admins;
  const owner = find.one('organization', organization)?.owner ?? null;
  return [owner].filter((user) => user !== null).filter((user) => isActive(user, find));
}

const isActive = (user: string, find: Find): boolean => find.one('user', user)?.isLocked === false;

function holdersOf(roleName: RoleName, organization: string, find: Find): readonly string[] {
  return find
    .all('userRole', { organization, roleName })
    .map(({ user }) => user)
    .filter(
      (user) =>
        find.all('organizationMembership', { user, organization }).length > 0 &&
        isActive(user, find),
    );
}
