import type { Of } from '#schema/index.ts';
import type { Act } from '../act.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from '../../notifications/notify.ts';

/** A new project gets its repository; whoever becomes its owner, or no longer is, is told (J6). */
export const project: Effects = {
  created: (act, { id }) => setUp(act, id),
  changed: async (act, before, after, fields) => {
    const { id, name, owner, dateArchived, workflowProjectUrl } = after as unknown as Of<'project'>;
    // What the engine could not do under the old name it may under the new (domain 8.2).
    const isCalledOtherwise = 'name' in fields || 'language' in fields;
    if (isCalledOtherwise && workflowProjectUrl === null) await setUp(act, id);
    if (!('owner' in fields) || dateArchived !== null) return;
    const linkUrl = `/projects/${id}`;
    if (owner !== null) {
      const userName = await nameOf(act, act.viewer.id);
      const values = { projectName: name, userName };
      await notify(act, owner, { id: 'projectOwnershipReceived', values, linkUrl });
    }
    const userName = owner === null ? '' : await nameOf(act, owner);
    const former = before.owner as string | null;
    const values = { projectName: name, userName };
    await notify(act, former, { id: 'projectOwnershipPassed', values, linkUrl });
  },
};

async function setUp({ parts, write }: Act, project: string): Promise<void> {
  await parts.jobs.later(write, { name: 'set-up-project', data: { project } }, { key: project });
}
