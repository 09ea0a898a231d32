import type { Of } from '#schema/index.ts';
import type { Author } from '#schema/author.ts';
import type { Project } from '#schema/project.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** The part of a project that says who has a say in it. */
type Whose = Pick<Project, 'owner' | 'organization'>;

/** Its owner, or an admin of its organization, or a super admin. */
export function answersFor(viewer: Viewer, project: Whose): boolean {
  return (
    viewer.isSuperAdmin || viewer.id === project.owner || viewer.adminOf.has(project.organization)
  );
}

/** A project's owner, or an admin of its organization, may archive or reactivate it. */
export function mayArchive(viewer: Viewer, project: Whose): boolean {
  return answersFor(viewer, project);
}

/** Says whether `viewer` is in the project's group, and so in its organization. */
export function isInGroup(
  viewer: Viewer,
  project: Pick<Project, 'group' | 'organization'>,
): boolean {
  return viewer.groups.has(project.group) && viewer.memberOf.has(project.organization);
}

/** Name, language and description also by everyone in its group. */
export function mayEditProject(viewer: Viewer, project: Whose & Pick<Project, 'group'>): boolean {
  return answersFor(viewer, project) || isInGroup(viewer, project);
}

/** Public, downloads, automatic builds: whoever creates it, then those who answer for it. */
export function mayToggle(viewer: Viewer, before: Whose | null): boolean {
  return before === null || answersFor(viewer, before);
}

/**
 * People make projects in a group of their own, for themselves as owner; a super admin anywhere,
 * for anyone.
 */
export function mayCreateProject(viewer: Viewer, project: Project): boolean {
  return (
    viewer.isSuperAdmin ||
    (viewer.builderIn.has(project.organization) &&
      mayMoveTo(viewer, null, project) &&
      mayChangeOwner(viewer, null, project))
  );
}

/** Admins import, in a group of their own, for themselves; a super admin anywhere, for anyone. */
export function mayImport(viewer: Viewer, file: Of<'projectImport'>): boolean {
  return (
    viewer.isSuperAdmin ||
    (viewer.adminOf.has(file.organization) &&
      viewer.groups.has(file.group) &&
      file.owner === viewer.id)
  );
}

/**
 * Everyone in the project's group may name another owner, themselves too, and so may an admin, who
 * hands over what somebody owns who leaves. Whether the new one may be it is a question of validity.
 */
export function mayChangeOwner(viewer: Viewer, before: Project | null, after: Project): boolean {
  if (viewer.isSuperAdmin) return true;
  if (before === null) return after.owner === viewer.id;
  return isInGroup(viewer, before) || viewer.adminOf.has(before.organization);
}

/** Someone of the project's group who is not its owner may make themself the owner. */
export function mayClaim(viewer: Viewer, project: Project): boolean {
  return isInGroup(viewer, project) && viewer.id !== project.owner;
}

/** Owner, group and admins may move a project to a group of their own; super admins to any. */
export function mayMoveTo(viewer: Viewer, before: Project | null, after: Project): boolean {
  if (viewer.isSuperAdmin) return true;
  return viewer.groups.has(after.group) && (before === null || mayEditProject(viewer, before));
}

/** The author row that counts: the person also holds the role in that organization. */
function authorshipOf(viewer: Viewer, project: Project, find: Find): Author | null {
  if (!viewer.authorIn.has(project.organization)) return null;
  return find.all('author', { project: project.id, user: viewer.id })[0] ?? null;
}

/** The project page is for its team; other members meet the project in lists alone. */
export function mayOpenProject(viewer: Viewer, project: Project, find: Find): boolean {
  return mayEditProject(viewer, project) || authorshipOf(viewer, project, find) !== null;
}

export function mayDownloadRepository(viewer: Viewer, project: Project, find: Find): boolean {
  return answersFor(viewer, project) || authorshipOf(viewer, project, find) !== null;
}

/** The owner, and an author while the workflow lets them. */
export function mayUploadRepository(viewer: Viewer, project: Project, find: Find): boolean {
  return viewer.id === project.owner || (authorshipOf(viewer, project, find)?.canUpload ?? false);
}
