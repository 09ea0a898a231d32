import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import { removeForNow } from './removing.ts';

/** The types of people in a project beside its owner. */

type Project = Pick<Of<'project'>, 'id' | 'name'>;

/** The fields that a person states for a new reviewer. */
type NewReviewer = Pick<Of<'reviewer'>, 'name' | 'email' | 'locale'>;

/**
 * Makes `user` an author of the project.
 *
 * @returns its id once the change is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if they cannot be one: `invalid` with its rule, as from the server
 */
export async function addAuthor(data: Data, { id, name }: Project, user: string): Promise<string> {
  const names = { name: data.nameOf('user', user), project: name };
  return data.add('author', { project: id, user }, ['changes.author.add', names]);
}

/** Returns and throws as `removeForNow`. */
export async function removeAuthor(data: Data, author: Of<'author'>, project: Project) {
  const names = { name: data.nameOf('user', author.user), project: project.name };
  return removeForNow(
    data,
    { type: 'author', id: author.id },
    ['changes.author.remove', names],
    () => addAuthor(data, project, author.user),
  );
}

/** Has files of the project sent to someone outside. Returns and throws as `addAuthor`. */
export async function addReviewer(
  data: Data,
  { id, name: project }: Project,
  fields: NewReviewer,
): Promise<string> {
  const names = { name: fields.name.trim(), project };
  return data.add('reviewer', { ...fields, project: id }, ['changes.reviewer.add', names]);
}

/** Returns and throws as `removeForNow`. */
export async function removeReviewer(data: Data, reviewer: Of<'reviewer'>, project: Project) {
  const { id, name, email, locale } = reviewer;
  const names = { name, project: project.name };
  return removeForNow(data, { type: 'reviewer', id }, ['changes.reviewer.remove', names], () =>
    addReviewer(data, project, { name, email, locale }),
  );
}
