import type { Reviewer } from '#schema/reviewer.ts';
import type { Find } from './find.ts';
import { answersFor } from './project.ts';
import type { Viewer } from './viewer.ts';

/** The project's owner and admins add and remove its reviewers. */
export function mayManageReviewer(
  viewer: Viewer,
  { project }: Pick<Reviewer, 'project'>,
  find: Find,
): boolean {
  const of = find.one('project', project);
  return of !== null && answersFor(viewer, of);
}
