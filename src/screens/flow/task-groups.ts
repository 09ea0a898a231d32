import { countFilters, projectFiltersFor } from '#rules/record/project-query.ts';
import type { ProjectFilters } from '#rules/record/project-query.ts';
import { passesFilters } from '#rules/task/task-filter.ts';
import { TASK_GROUPS, taskGroupOf } from '#rules/task/task-group.ts';
import type { TaskGroup } from '#rules/task/task-group.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList, useViewer } from '#data/react/hooks.ts';
import { useOpenView } from '../app/page/here.tsx';
import { byAge, useOwnTasks } from './own-tasks.ts';
import type { Dated, OwnTasks } from './own-tasks.ts';
import { taskQueryOf } from './task-query.ts';

/** My Tasks, as a saved view names it. */
const TASK_LIST = { shows: 'tasks', list: 'all' } as const;

const OTHERS = { anyOf: ['authors', 'admins'] } as const;

/** What waits for the person, or for others with a product of theirs. */
export interface GroupedTask {
  readonly group: TaskGroup;
  /** Null: only others can do something. */
  readonly task: Of<'userTask'> | null;
  /** Null: the task has lost it. */
  readonly product: Of<'product'> | null;
}

interface TaskGroups {
  readonly list: OwnTasks;
  /** In the order of the groups, and in each the oldest first. */
  readonly all: readonly GroupedTask[];
  readonly filters: ProjectFilters;
  /** How many values of the filters are chosen. */
  readonly filterCount: number;
  /** What narrows the list, for the addresses of its tasks (`taskQueryOf`). */
  readonly query: string;
  /** The list, as saved views of it name it. */
  readonly savedAs: typeof TASK_LIST;
  /** The saved view that is open; null: none is. */
  readonly view: Of<'savedView'> | null;
  /** Those of `all` that the filters leave in sight. */
  readonly shown: readonly GroupedTask[];
}

/**
 * Puts one's own tasks into their groups, with the products of one's projects that others have.
 *
 * @param stated what the address has under a name; '' where it has nothing
 */
export function useTaskGroups(stated: (name: string) => string): TaskGroups {
  const viewer = useViewer();
  const find = useFind();
  const list = useOwnTasks();
  const { organization } = list;
  const scope = organization === null ? {} : { 'project.organization': organization };
  const waiting = useList(
    'product',
    { 'project.owner': viewer.id, waitingFor: OTHERS, ...scope },
    { sort: 'dateUpdated' },
  );
  const tasks = [...list.rows, ...list.handedOver];
  const own = new Set(tasks.map(({ product }) => product));
  const items = [
    ...tasks.map((task) => ({
      task,
      product: task.product === null ? null : find.one('product', task.product),
    })),
    ...waiting.rows.flatMap((product) => (own.has(product.id) ? [] : [{ task: null, product }])),
  ].map((item) => ({ ...item, group: taskGroupOf(viewer, item.product, item.task, find) }));
  const all = TASK_GROUPS.flatMap((group) =>
    items.filter((item) => item.group === group).sort((a, b) => byAge(datesOf(a), datesOf(b))),
  );
  const view = useOpenView(TASK_LIST, stated('view'));
  const filters = projectFiltersFor(viewer.id, stated);
  const shown = all.filter((item) => passesFilters(item, filters, viewer.id, find));
  return {
    list,
    all,
    filters,
    filterCount: countFilters(filters),
    query: taskQueryOf(stated),
    savedAs: TASK_LIST,
    view,
    shown,
  };
}

const NEVER: Dated = { dateUpdated: null };

const datesOf = ({ task, product }: Omit<GroupedTask, 'group'>): Dated => task ?? product ?? NEVER;
