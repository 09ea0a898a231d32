import type { RoleName } from '#schema/role.ts';
import type { Find } from './find.ts';

/** The person who makes the request, as far as permissions need to know (domain 2.1). */
export interface Viewer {
  readonly id: string;
  readonly isSuperAdmin: boolean;
  /** Organizations by membership. */
  readonly memberOf: ReadonlySet<string>;
  /** Organizations where the role counts: held together with a membership (P2). */
  readonly adminOf: ReadonlySet<string>;
  readonly builderIn: ReadonlySet<string>;
  readonly authorIn: ReadonlySet<string>;
  /** Groups, of organizations of which the viewer is a member. */
  readonly groups: ReadonlySet<string>;
}

/**
 * Finds out who the person with the id `user` is to permissions. A role counts only with a
 * membership (P2).
 */
export function viewerOf(user: string, find: Find): Viewer {
  const roles = find.all('userRole', { user });
  const memberOf = new Set(
    find.all('organizationMembership', { user }).map(({ organization }) => organization),
  );
  const holding = (name: RoleName) =>
    new Set(
      roles.flatMap(({ roleName, organization }) =>
        roleName === name && organization !== null && memberOf.has(organization)
          ? [organization]
          : [],
      ),
    );

  return {
    id: user,
    isSuperAdmin: roles.some(({ roleName }) => roleName === 'SuperAdmin'),
    memberOf,
    adminOf: holding('OrganizationAdmin'),
    builderIn: holding('AppBuilder'),
    authorIn: holding('Author'),
    groups: groupsOf(user, memberOf, find),
  };
}

function groupsOf(user: string, memberOf: ReadonlySet<string>, find: Find): ReadonlySet<string> {
  const groups = find.all('groupMembership', { user }).map(({ group }) => group);
  return new Set(groups.filter((id) => memberOf.has(find.one('group', id)?.owner ?? '')));
}
