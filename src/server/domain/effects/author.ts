import type { Of } from '#schema/index.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from '../notifications/notify.ts';

/** A new author is told (J8), unless the project is put away. */
export const author: Effects = {
  created: async (act, record) => {
    const { user, project } = record as unknown as Of<'author'>;
    const of = await act.write.one('project', project);
    if (of?.dateArchived !== null) return;
    await notify(act, user, {
      id: 'authorAdded',
      organization: of.organization,
      values: { projectName: of.name, userName: await nameOf(act, act.viewer.id) },
      linkUrl: `/projects/${of.id}`,
    });
  },
};
