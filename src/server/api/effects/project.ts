import type { Of } from '#schema/index.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from './notify.ts';

/** Whoever becomes the owner of a project, or no longer is, is told (J6). */
export const project: Effects = {
  changed: async (act, before, after, fields) => {
    const { id, name, owner, dateArchived } = after as unknown as Of<'project'>;
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
