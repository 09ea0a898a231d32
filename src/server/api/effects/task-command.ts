import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { Act } from '../act.ts';
import { noWorkflows } from '../actions.ts';
import { goneProblem } from '../gone.ts';
import { isSeen } from '../origin.ts';
import type { Effects } from './effects.ts';

/** A command to a task (wire 11.7). The task lives as long as the visit of its state does. */
export const taskCommand: Effects = {
  complete: async (act, { fields }) => {
    const { userTask } = fields;
    if (typeof userTask === 'string') await requireTask(act, userTask);
    return fields;
  },
  instead: async ({ write }, record) => {
    const { userTask, state, command } = record as unknown as Of<'taskCommand'>;
    const task = await write.one('userTask', userTask);
    const product = task?.product ? await write.one('product', task.product) : null;
    const present = product?.workflowState ?? null;
    const commands = task?.commands ?? [];
    if (state !== present) throw moved(present, commands);
    if (!commands.includes(command)) {
      throw new ProblemError({ code: 'action-not-allowed', meta: { allowed: commands } });
    }
    throw noWorkflows();
  },
};

async function requireTask(act: Act, id: string): Promise<void> {
  if (await isSeen(act, 'userTask', id)) return;
  if ((await goneProblem(act.write, act.viewer, 'userTask', id)) !== null) throw moved(null, []);
  throw new ProblemError({ code: 'not-found' });
}

function moved(state: string | null, commands: readonly string[]): ProblemError {
  const current = { 'workflow-state': state, commands };
  return new ProblemError({ code: 'workflow-state-changed', meta: { current } });
}
