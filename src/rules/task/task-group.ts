import type { Product } from '#schema/product.ts';
import type { UserTask } from '#schema/user-task.ts';
import type { Find } from '../find.ts';
import { productStatusOf } from '../product-status.ts';
import { APPROVE, isHandedOver, publishes } from './task.ts';
import type { Viewer } from '../viewer.ts';

/** The groups of My Tasks, in the order in which they stand there. */
export const TASK_GROUPS = ['failed', 'to-verify', 'to-approve', 'to-do', 'handed-over'] as const;

export type TaskGroup = (typeof TASK_GROUPS)[number];

/**
 * Returns the group of what `viewer` has to do with `product`.
 *
 * @param product null for a task that has lost its product
 * @param task the viewer's own; null where it is for others to go on
 */
export function taskGroupOf(
  viewer: Viewer,
  product: Product | null,
  task: Pick<UserTask, 'status' | 'commands'> | null,
  find: Find,
): TaskGroup {
  if (task === null || isHandedOver(task)) return 'handed-over';
  if (product === null) return 'to-do';
  if (productStatusOf(viewer, product, find).is === 'failed') return 'failed';
  if (!task.commands.includes(APPROVE)) return 'to-do';
  return publishes(task.status ?? '', APPROVE) ? 'to-verify' : 'to-approve';
}
