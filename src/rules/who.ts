import {
  admin,
  allOf,
  anyOf,
  authorRole,
  equals,
  inGroup,
  member,
  notNull,
  publicProject,
  self,
  some,
  superAdmin,
} from './scope.ts';
import type { Scope } from './scope.ts';

/** The circles of people that the permission page speaks of (domain 2.1, 2.3). */

/** Members of the organization at `path`, and super admins. */
export const members = (path: string) => anyOf(superAdmin, member(path));

/** Admins of the organization at `path`, and super admins. */
export const admins = (path: string) => anyOf(superAdmin, admin(path));

/** Members of the organization of the project at `path`; everyone, when it is open to outsiders. */
export function membersOrOutsiders(path: string): Scope {
  const organization = path === '' ? 'organization' : `${path}.organization`;
  return anyOf(members(organization), publicProject(path));
}

/** Matches an organization if some project of it is open to outsiders. */
export const hasPublicProject = some('project', 'organization', publicProject(''));

/** Matches a person if some membership that they have accepted is in `scope`. */
const sharing = (scope: Scope) =>
  some('organizationMembership', 'user', allOf(notNull('dateAccepted'), scope));

/**
 * Matches a person for everyone who is in an organization with them, whether or not they have
 * agreed to be there.
 */
export const besideThem = some('organizationMembership', 'user', member('organization'));

/** Matches a person for themselves, and for admins of an organization that the two share. */
export const itselfOrAdmins = anyOf(superAdmin, self(''), sharing(admin('organization')));

/** Matches a person for themselves, and for everyone who shares an organization with them. */
export const itselfOrFellows = anyOf(superAdmin, self(''), sharing(member('organization')));

/** Matches a person for those who may reach them: fellows only while the profile is visible. */
export const contacts = anyOf(
  itselfOrAdmins,
  allOf(equals('profileVisibility', 1), sharing(member('organization'))),
);

/** Matches a person whom outsiders meet, as owner of a public project or of its organization. */
export const metByOutsiders = anyOf(
  some('project', 'owner', publicProject('')),
  some('organization', 'owner', hasPublicProject),
);

/** Matches a project for its authors, who are members and hold the role. */
export const projectAuthor = allOf(
  authorRole('organization'),
  some('author', 'project', self('user')),
);

/** Matches a project for its owner, group and authors, members all of them, and for admins. */
export const projectTeam = anyOf(
  admins('organization'),
  inGroup('group'),
  allOf(member('organization'), self('owner')),
  projectAuthor,
);
