import type { Organization } from '#schema/organization.ts';
import type { OrganizationMembership } from '#schema/organization-membership.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** Holds OrganizationAdmin there, or is a super admin. */
export function mayAdminister(viewer: Viewer, organization: string): boolean {
  return viewer.isSuperAdmin || viewer.adminOf.has(organization);
}

/**
 * Says the same as `mayAdminister` for the organization in view; with all in view (null): for any
 * of them.
 */
export function administersHere(viewer: Viewer, inView: string | null): boolean {
  if (inView !== null) return mayAdminister(viewer, inView);
  return viewer.isSuperAdmin || viewer.adminOf.size > 0;
}

/**
 * Says whether `viewer` makes projects in the organization in view; with all in view (null): in
 * any.
 */
export function makesProjectsHere(viewer: Viewer, inView: string | null): boolean {
  const { isSuperAdmin, builderIn } = viewer;
  return isSuperAdmin || (inView === null ? builderIn.size > 0 : builderIn.has(inView));
}

/** A super admin, or whoever brings the token of an organization invite; the server judges it. */
export function mayCreateOrganization(
  viewer: Viewer,
  { token }: Pick<Organization, 'token'>,
): boolean {
  return viewer.isSuperAdmin || (token !== null && token.trim() !== '');
}

export function mayEditOrganization(viewer: Viewer, { id }: Pick<Organization, 'id'>): boolean {
  return mayAdminister(viewer, id);
}

/** Super admins name the owner; who creates one by an invite becomes it. */
export function mayNameOrganizationOwner(
  viewer: Viewer,
  before: Organization | null,
  after: Organization,
): boolean {
  return viewer.isSuperAdmin || (before === null && after.owner === viewer.id);
}

/** Says who may add, invite and remove members. */
export function mayManageMembership(
  viewer: Viewer,
  { organization }: { readonly organization: string },
): boolean {
  return mayAdminister(viewer, organization);
}

/** Everyone leaves; admins end the memberships of others. */
export function mayEndMembership(
  viewer: Viewer,
  membership: Pick<OrganizationMembership, 'user' | 'organization'>,
): boolean {
  return viewer.id === membership.user || mayManageMembership(viewer, membership);
}

/**
 * By their id only people can be added who agreed to be in an organization with the viewer: anybody
 * else comes by their email address or by an invitation (domain 2.8).
 */
export function mayNameMember(
  viewer: Viewer,
  _before: OrganizationMembership | null,
  { user, email }: Pick<OrganizationMembership, 'user' | 'email'>,
  find: Find,
): boolean {
  if (viewer.isSuperAdmin || email !== null) return true;
  return find
    .all('organizationMembership', { user })
    .some((held) => held.dateAccepted !== null && viewer.memberOf.has(held.organization));
}

/** Says who may switch product definitions on and off. Stores are given by super admins alone. */
export function maySetDefinitions(
  viewer: Viewer,
  { organization }: { readonly organization: string },
): boolean {
  return mayAdminister(viewer, organization);
}
