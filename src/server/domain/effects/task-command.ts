import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { sendEvent } from '../workflow/running/run-workflow.ts';
import { movedOn } from '../workflow/refusal.ts';
import { runningOf } from '../workflow/running/running-workflow.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { goneProblem } from '../writes/gone.ts';
import { isVisible } from '../writes/origin.ts';
import { presentRecord } from '#protocol/present.ts';
import type { Effects } from './effects.ts';

/** A command to a task (wire 11.7). The task lives as long as the visit of its state does. */
export const taskCommand: Effects = {
  complete: async (context, { fields }) => {
    const { userTask } = fields;
    if (typeof userTask === 'string') await requireTask(context, userTask);
    return fields;
  },
  instead: async (context, record) => {
    const given = record as unknown as Of<'taskCommand'>;
    const { userTask, state, command, comment, releaseVersion, releaseNotes } = given;
    const task = await context.write.one('userTask', userTask);
    const product = task?.product ?? null;
    const running = product === null ? null : await runningOf(context.write, product);
    const present = running?.snapshot.state ?? null;
    if (running === null || state !== present) throw movedOn(present, task?.commands);
    const outcome = await sendEvent(context, running, {
      is: 'command',
      command,
      comment,
      by: context.viewer.id,
      release: { version: blankToNull(releaseVersion), notes: blankToNull(releaseNotes) },
    });
    const stateAfter = outcome === null || outcome.is === 'cancelled' ? null : outcome.state;
    return presentRecord('taskCommand', { ...given, stateAfter });
  },
};

const blankToNull = (text: string | null) => (text?.trim() === '' ? null : text);

async function requireTask(context: ChangeContext, id: string): Promise<void> {
  if (await isVisible(context, 'userTask', id)) return;
  if ((await goneProblem(context.write, context.viewer, 'userTask', id)) !== null)
    throw movedOn(null);
  throw new ProblemError({ code: 'not-found' });
}
