import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';
import type { Find } from './find.ts';
import { answersFor } from './project.ts';
import type { Viewer } from './viewer.ts';

type OfProject = Pick<Product, 'project'>;

/** The project's owner and admins add and remove products. */
export function mayAddProduct(viewer: Viewer, product: OfProject, find: Find): boolean {
  const project = find.one('project', product.project);
  return project !== null && answersFor(viewer, project);
}

/** Build properties are the admins' business alone. */
export function mayEditProperties(viewer: Viewer, product: OfProject, find: Find): boolean {
  if (viewer.isSuperAdmin) return true;
  const project = find.one('project', product.project);
  return project !== null && viewer.adminOf.has(project.organization);
}

/** Rebuild, republish and cancel are for those who answer for the project. */
export function mayRunActions(viewer: Viewer, product: OfProject, find: Find): boolean {
  return mayAddProduct(viewer, product, find);
}

/** History, console texts, and files of a project that keeps its downloads to itself. */
function isMemberOf(viewer: Viewer, project: Pick<Project, 'organization'>): boolean {
  return viewer.isSuperAdmin || viewer.memberOf.has(project.organization);
}

/** Whether the files of its builds may be had by `viewer`; null is anyone at all. */
export function mayDownloadFiles(
  viewer: Viewer | null,
  project: Pick<Project, 'organization' | 'isPublic' | 'dateArchived' | 'allowDownloads'>,
): boolean {
  if (viewer !== null && isMemberOf(viewer, project)) return true;
  return project.isPublic && project.dateArchived === null && project.allowDownloads;
}
