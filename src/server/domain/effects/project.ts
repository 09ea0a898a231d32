import type { Of } from '#schema/index.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from '../notifications/notify.ts';

/** A new project gets its repository; its new owner and the one before are notified (J6). */
export const project: Effects = {
  created: (context, { id }) => setUp(context, id),
  changed: async (context, before, after, fields) => {
    const { id, workflowProjectUrl } = after as unknown as Of<'project'>;
    // A task that failed at the engine under the old name may succeed under the new (domain 8.2).
    const isCalledOtherwise = 'name' in fields || 'language' in fields;
    if (isCalledOtherwise && workflowProjectUrl === null) await setUp(context, id);
    if ('owner' in fields)
      await notifyOwners(
        context,
        before as unknown as Of<'project'>,
        after as unknown as Of<'project'>,
      );
  },
};

/** Notifies the present owner and the one before, unless the project is archived. */
export async function notifyOwners(
  context: ChangeContext,
  { owner: former }: Of<'project'>,
  { id, name: projectName, owner, dateArchived, organization }: Of<'project'>,
): Promise<void> {
  if (dateArchived !== null) return;
  const linkUrl = `/projects/${id}`;
  const about = { organization, linkUrl };
  if (owner !== null) {
    const values = { projectName, userName: await nameOf(context, context.viewer.id) };
    await notify(context, owner, { id: 'projectOwnershipReceived', values, ...about });
  }
  const values = { projectName, userName: owner === null ? '' : await nameOf(context, owner) };
  await notify(context, former, { id: 'projectOwnershipPassed', values, ...about });
}

async function setUp({ services, write }: ChangeContext, project: string): Promise<void> {
  await services.jobs.enqueue(
    write,
    { name: 'set-up-project', data: { project } },
    { key: project },
  );
}
