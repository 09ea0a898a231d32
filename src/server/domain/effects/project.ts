import type { Of } from '#schema/index.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from '../notifications/notify.ts';

/** A new project gets its repository; whoever becomes its owner, or no longer is, is told (J6). */
export const project: Effects = {
  created: (act, { id }) => setUp(act, id),
  changed: async (act, before, after, fields) => {
    const { id, workflowProjectUrl } = after as unknown as Of<'project'>;
    // What the engine could not do under the old name it may under the new (domain 8.2).
    const isCalledOtherwise = 'name' in fields || 'language' in fields;
    if (isCalledOtherwise && workflowProjectUrl === null) await setUp(act, id);
    if ('owner' in fields)
      await notifyOwners(
        act,
        before as unknown as Of<'project'>,
        after as unknown as Of<'project'>,
      );
  },
};

/** Tells whoever owns it now, and whoever did, unless it is put away. */
export async function notifyOwners(
  act: ChangeContext,
  { owner: former }: Of<'project'>,
  { id, name: projectName, owner, dateArchived, organization }: Of<'project'>,
): Promise<void> {
  if (dateArchived !== null) return;
  const linkUrl = `/projects/${id}`;
  const about = { organization, linkUrl };
  if (owner !== null) {
    const values = { projectName, userName: await nameOf(act, act.viewer.id) };
    await notify(act, owner, { id: 'projectOwnershipReceived', values, ...about });
  }
  const values = { projectName, userName: owner === null ? '' : await nameOf(act, owner) };
  await notify(act, former, { id: 'projectOwnershipPassed', values, ...about });
}

async function setUp({ services, write }: ChangeContext, project: string): Promise<void> {
  await services.jobs.enqueue(
    write,
    { name: 'set-up-project', data: { project } },
    { key: project },
  );
}
