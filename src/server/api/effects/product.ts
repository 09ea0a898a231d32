import { ProblemError } from '#protocol/problem.ts';
import type { AnyRecord } from '#schema/index.ts';
import type { Act } from '../act.ts';
import { noWorkflows } from '../actions.ts';
import type { Effects } from './effects.ts';

/** A product needs its project's repository, and the workflow that makes it. */
export const product: Effects = {
  ready: async (act, record) => {
    await requireRepository(act, record);
    throw noWorkflows();
  },
  removing: requireRepository,
};

async function requireRepository({ write }: Act, { project }: AnyRecord): Promise<void> {
  const of = await write.one('project', project as string);
  if (of?.workflowProjectUrl === null) throw new ProblemError({ code: 'not-ready' });
}
