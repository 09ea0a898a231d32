import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import type { Says } from '../model/change.ts';
import { oneChangeEach } from './one-change-each.ts';

/**
 * The fields that a person states for a new project; the others are predicted as the server will
 * set them.
 */
export type NewProject = Pick<
  Of<'project'>,
  'name' | 'language' | 'organization' | 'type' | 'group'
> &
  Partial<
    Pick<Of<'project'>, 'description' | 'isPublic' | 'allowDownloads' | 'automaticBuilds' | 'owner'>
  >;

type Project = Of<'project'>;

/**
 * Creates a project: on this device at once, on the server as soon as it can be reached.
 *
 * @returns its id, good everywhere from now on, once the change is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function createProject(data: Data, fields: NewProject): Promise<string> {
  return data.add('project', fields, ['changes.project.create', { name: fields.name.trim() }]);
}

/** Sets name, language or description. Resolves and throws as `createProject`. */
export async function editProject(
  data: Data,
  project: Project,
  fields: Partial<Pick<Project, 'name' | 'language' | 'description'>>,
): Promise<void> {
  const to = fields.name?.trim() ?? project.name;
  const says: Says =
    to !== project.name
      ? ['changes.project.rename', { from: project.name, to }]
      : ['changes.project.edit', { name: project.name }];
  await data.edit('project', project.id, fields, says);
}

/**
 * One change each, so that a refused one does not hold back the others; none for what is archived
 * by now.
 */
export async function archive(data: Data, projects: readonly Project[]): Promise<void> {
  const dateArchived = new Date(data.clock()).toISOString();
  const left = projects.filter(({ id }) => !data.find.one('project', id)?.dateArchived);
  await oneChangeEach(left, ({ id, name }) =>
    data.edit('project', id, { dateArchived }, ['changes.project.archive', { name }]),
  );
}

/** One change each, as `archive`. */
export async function reactivate(data: Data, projects: readonly Project[]): Promise<void> {
  await oneChangeEach(projects, ({ id, name }) =>
    data.edit('project', id, { dateArchived: null }, ['changes.project.reactivate', { name }]),
  );
}

/** Makes the viewer its owner. */
export async function claim(data: Data, { id, name }: Project): Promise<void> {
  await data.edit('project', id, { owner: data.viewerId() }, ['changes.project.claim', { name }]);
}

export async function setOwner(data: Data, { id, name }: Project, owner: string): Promise<void> {
  const says: Says = ['changes.project.owner', { name, owner: data.nameOf('user', owner) }];
  await data.edit('project', id, { owner }, says);
}

export async function setGroup(data: Data, { id, name }: Project, group: string): Promise<void> {
  const says: Says = ['changes.project.group', { name, group: data.nameOf('group', group) }];
  await data.edit('project', id, { group }, says);
}

/** The project's settings that are on or off. */
export type ProjectSwitch = 'isPublic' | 'allowDownloads' | 'automaticBuilds';

export async function setSwitch(
  data: Data,
  { id, name }: Project,
  which: ProjectSwitch,
  on: boolean,
): Promise<void> {
  await data.edit('project', id, { [which]: on }, [`changes.project.${which}`, { name }]);
}
