import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';

/** What the device knows of who may do what: memberships, roles and groups (domain 2.1). */
export function viewerOf(find: Find, id: string): Viewer {
  const memberOf = new Set(
    find.all('organizationMembership', { user: id }).map((membership) => membership.organization),
  );
  const roles = find.all('userRole', { user: id });
  const withRole = (name: (typeof roles)[number]['roleName']): Set<string> =>
    new Set(
      roles.flatMap(({ roleName, organization }) =>
        // A role counts together with a membership (P2).
        roleName === name && organization !== null && memberOf.has(organization)
          ? organization
          : [],
      ),
    );
  const groups = find.all('groupMembership', { user: id }).flatMap(({ group }) => {
    const owner = find.one('group', group)?.owner;
    return owner !== undefined && memberOf.has(owner) ? group : [];
  });
  return {
    id,
    isSuperAdmin: roles.some(({ roleName }) => roleName === 'SuperAdmin'),
    memberOf,
    adminOf: withRole('OrganizationAdmin'),
    builderIn: withRole('AppBuilder'),
    authorIn: withRole('Author'),
    groups: new Set(groups),
  };
}
