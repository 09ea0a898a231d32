import type { Effects } from './effects.ts';

/** An import is checked in full when it is made, and run in the background (domain 8.4). */
export const projectImport: Effects = {
  created: async ({ services, write }, { id }) => {
    const job = { name: 'work-off-import', data: { import: id } } as const;
    await services.jobs.enqueue(write, job, { key: id });
  },
};
