import type { TaskCommand } from '#schema/task-command.ts';
import type { Find } from './find.ts';
import type { Viewer } from './viewer.ts';

/** Commands are given to tasks of one's own. */
export function mayCommand(
  viewer: Viewer,
  { userTask }: Pick<TaskCommand, 'userTask'>,
  find: Find,
): boolean {
  return find.one('userTask', userTask)?.user === viewer.id;
}

/**
 * Says whether `command` in `state` ends the workflow for good, so that the person has to confirm
 * it.
 */
export function endsTheWork(state: string, command: string): boolean {
  return command === 'Reject' && (state === 'Approval' || state === 'Approval Pending');
}
