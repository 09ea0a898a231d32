import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';

/** The names in a sentence about the command. */
interface Names {
  readonly product: string;
  readonly project: string;
}

/** "Transfer to Authors" → "transfer-to-authors". */
const keyOf = (command: string): string => command.toLowerCase().replaceAll(' ', '-');

/**
 * Asks the server to take `command` for a task. A request: it waits for the connection, carries the
 * state that it was given in, and is refused when the product has moved on by then.
 *
 * @param comment kept as typed; blank is none
 * @returns its id once the request is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function sendTaskCommand(
  data: Data,
  task: Of<'userTask'>,
  command: string,
  comment: string,
  names: Names,
): Promise<string> {
  const state = task.status ?? '';
  const fields = {
    command,
    comment: comment.trim() === '' ? null : comment,
    state,
    userTask: task.id,
  };
  // The product outlives the task: the result of the request still shows on it.
  const basedOn =
    task.product === null
      ? null
      : {
          record: { type: 'product', id: task.product } as const,
          values: { workflowState: state },
        };
  return data.add('taskCommand', fields, [`changes.command.${keyOf(command)}`, { ...names }], {
    basedOn,
  });
}
