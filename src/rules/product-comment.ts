import type { ProductComment } from '#schema/product-comment.ts';
import type { Project } from '#schema/project.ts';
import type { Find } from './find.ts';
import { isOwn } from './notification.ts';
import { answersFor, mayOpenProject } from './project.ts';
import type { Viewer } from './viewer.ts';

function projectOf({ product }: Pick<ProductComment, 'product'>, find: Find): Project | null {
  const project = find.one('product', product)?.project;
  return project === undefined ? null : find.one('project', project);
}

/** Everyone comments on the products of a project whose page they may open, archived or not. */
export function mayComment(
  viewer: Viewer,
  comment: Pick<ProductComment, 'product'>,
  find: Find,
): boolean {
  const project = projectOf(comment, find);
  return project !== null && mayOpenProject(viewer, project, find);
}

/** Nobody changes the words of another. */
export function mayEditComment(viewer: Viewer, comment: ProductComment, find: Find): boolean {
  return isOwn(viewer, comment) && mayComment(viewer, comment, find);
}

/** A comment is removed by its author, and by those who answer for the project. */
export function mayRemoveComment(viewer: Viewer, comment: ProductComment, find: Find): boolean {
  const project = projectOf(comment, find);
  return isOwn(viewer, comment) || (project !== null && answersFor(viewer, project));
}
