import type { Of } from '#schema/index.ts';
import type { Effects } from './effects.ts';
import { nameOf, notify } from '../notifications/notify.ts';

/** A new author is notified (J8), unless the project is archived. */
export const author: Effects = {
  created: async (context, record) => {
    const { user, project } = record as unknown as Of<'author'>;
    const of = await context.write.one('project', project);
    if (of?.dateArchived !== null) return;
    await notify(context, user, {
      id: 'authorAdded',
      organization: of.organization,
      values: { projectName: of.name, userName: await nameOf(context, context.viewer.id) },
      linkUrl: `/projects/${of.id}`,
    });
  },
};
