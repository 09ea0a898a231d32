import { isHandedOver } from '#rules/task.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';

interface OwnTasks extends ListView<'userTask'> {
  /** Tasks that wait for authors; they count neither as rows nor in the total. */
  readonly handedOver: readonly Of<'userTask'>[];
  readonly organization: string | null;
}

const OF_NONE = { isNull: true } as const;

/**
 * Lists what waits for the person in the organization in view, or in all, the newest first. Tasks
 * that have lost their product are of no organization: they show in each.
 */
export function useOwnTasks(): OwnTasks {
  const { id: user } = useViewer();
  const organization = useOrganization();
  const isNarrow = organization !== null;
  const sort = { sort: '-dateUpdated' };
  const scope = isNarrow ? { 'product.project.organization': organization } : {};
  const tasks = useList('userTask', { user, ...scope }, sort);
  const { rows } = useList('userTask', { user, product: OF_NONE }, sort);
  const all = !isNarrow || rows.length === 0 ? tasks.rows : [...tasks.rows, ...rows].sort(byNewest);
  const own = all.filter((task) => !isHandedOver(task));
  return {
    ...tasks,
    organization,
    rows: own,
    total: own.length,
    handedOver: all.filter(isHandedOver),
  };
}

function byNewest(a: Of<'userTask'>, b: Of<'userTask'>): number {
  return (a.dateUpdated ?? '') < (b.dateUpdated ?? '') ? 1 : -1;
}
