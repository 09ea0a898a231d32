import type { Of } from '#schema/index.ts';
import { publishes } from '#rules/task/task.ts';
import type { Data } from '../model/data.ts';

/** The names in a sentence about the command. */
interface Names {
  readonly product: string;
  readonly project: string;
}

/** The version and the notes of a release, as typed. */
export interface ReleaseSaid {
  readonly version: string;
  readonly notes: string;
}

/** "Transfer to Authors" → "transfer-to-authors". */
const keyOf = (command: string): string => command.toLowerCase().replaceAll(' ', '-');

/**
 * Asks the server to take `command` for a task. A request: it waits for the connection, carries the
 * state that it was given in, and is refused when the product has moved on by then.
 *
 * @param comment kept as typed; blank is none
 * @param release goes with the command that publishes alone; blank is none there too
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
  release: ReleaseSaid | null = null,
): Promise<string> {
  const state = task.status ?? '';
  const fields = {
    command,
    comment: comment.trim() === '' ? null : comment,
    state,
    userTask: task.id,
    ...(release !== null && publishes(state, command) ? releaseFields(release) : {}),
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

/** An earlier server takes neither; what is blank is not sent. */
function releaseFields({ version, notes }: ReleaseSaid) {
  return {
    ...(version.trim() === '' ? {} : { releaseVersion: version }),
    ...(notes.trim() === '' ? {} : { releaseNotes: notes }),
  };
}
