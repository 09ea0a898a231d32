import type { Author } from '#schema/author.ts';
import type { Find } from './find.ts';
import { answersFor } from './project.ts';
import type { Viewer } from './viewer.ts';

/** The project's owner and admins name its authors. */
export function mayManageAuthor(viewer: Viewer, { project }: Author, find: Find): boolean {
  const of = find.one('project', project);
  return of !== null && answersFor(viewer, of);
}
