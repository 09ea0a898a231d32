import type { TaskCommand } from '#schema/task-command.ts';
import type { UserTask } from '#schema/user-task.ts';
import type { Find } from '../find.ts';
import type { Viewer } from '../viewer.ts';

/** Commands are given to tasks of one's own. */
export function mayCommand(
  viewer: Viewer,
  { userTask }: Pick<TaskCommand, 'userTask'>,
  find: Find,
): boolean {
  return find.one('userTask', userTask)?.user === viewer.id;
}

/** Says whether `command` in `state` has the product built, from what is in the repository then. */
export function startsBuild(state: string, command: string): boolean {
  if (buildsAgain(state, command)) return true;
  return state === 'App Builder Configuration' && command !== 'Transfer to Authors';
}

/** Says whether `command` in `state` has the product built anew. */
export function buildsAgain(state: string, command: string): boolean {
  return command === 'Continue' && state === 'Synchronize Data';
}

/** The command of whoever agrees to what others did. */
export const APPROVE = 'Approve';

/** Says whether `command` in `state` publishes what was built (W33). */
export function publishes(state: string, command: string): boolean {
  return command === APPROVE && state === 'Verify and Publish';
}

/**
 * Says whether `command` in `state` ends the workflow for good, so that the person has to confirm
 * it.
 */
export function endsTheWork(state: string, command: string): boolean {
  return command === 'Reject' && (state === 'Approval' || state === 'Approval Pending');
}

/** The command of an owner who ends what authors do meanwhile (W18, W26, W28). */
export const TAKE_BACK = 'Take Back';

/**
 * Says whether `task` is left to an owner whose authors do the work meanwhile: all that they can do
 * is to take it back (W18, W26, W28).
 */
export function isHandedOver({ commands }: Pick<UserTask, 'commands'>): boolean {
  return commands.length === 1 && commands[0] === TAKE_BACK;
}

/** Says whether the author whose `task` it is may upload once they have continued it (W25). */
export function allowsUploadNext({
  status,
  commands,
}: Pick<UserTask, 'status' | 'commands'>): boolean {
  return status === 'Author Download' && commands.includes('Continue');
}
