import { isHandedOver } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';

type Task = Of<'userTask'>;

export interface OwnTasks extends ListView<'userTask'> {
  /** Tasks that wait for authors; they count neither as rows nor in the total. */
  readonly handedOver: readonly Task[];
  readonly organization: string | null;
}

const OF_NONE = { isNull: true } as const;
const OLDEST_FIRST = { sort: 'dateUpdated' } as const;

/**
 * Lists what waits for the person in the organization in view, or in all, the oldest first. Tasks
 * that have lost their product are of no organization: they show in each.
 */
export function useOwnTasks(): OwnTasks {
  const { id: user } = useViewer();
  const organization = useOrganization();
  const isNarrow = organization !== null;
  const scope = isNarrow ? { 'product.project.organization': organization } : {};
  const tasks = useList('userTask', { user, ...scope }, OLDEST_FIRST);
  const { rows } = useList('userTask', { user, product: OF_NONE }, OLDEST_FIRST);
  const all = !isNarrow || rows.length === 0 ? tasks.rows : [...tasks.rows, ...rows].sort(byAge);
  const own = all.filter((task) => !isHandedOver(task));
  return {
    ...tasks,
    organization,
    rows: own,
    total: own.length,
    handedOver: all.filter(isHandedOver),
  };
}

/** A record that says since when it waits. */
export type Dated = Pick<Task, 'dateUpdated'>;

/** Sorts the oldest first. */
export function byAge(a: Dated, b: Dated): number {
  const [one, other] = [a.dateUpdated ?? '', b.dateUpdated ?? ''];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
