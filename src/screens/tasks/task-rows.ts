import { compareFolded, fold } from '#base/unicode.ts';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import { useFind } from '#data/react/hooks.ts';
import { useTaskGroups } from '../flow/task-groups.ts';
import type { GroupedTask } from '../flow/task-groups.ts';

/** What waits, with what its row shows of other records. */
export interface TaskRow extends GroupedTask {
  /** That of the task, or of the product that others have. */
  readonly id: string;
  readonly state: string | null;
  /** '' where there is none. */
  readonly comment: string;
  readonly since: string | null;
  readonly definition: string;
  readonly project: Of<'project'> | null;
  /** The time zone of who is to do it. */
  readonly zone: string | null;
}

/**
 * The groups that have rows, in the order of the page, each with its rows in `order`, as far as the
 * address leaves them in sight.
 *
 * @param stated what the address has under a name; '' where it has nothing
 */
export function useTaskRows(order: string, stated: (name: string) => string) {
  const tasks = useTaskGroups(stated);
  const find = useFind();
  const rows = tasks.shown.map((item) => rowOf(item, find));
  const groups = [...new Set(rows.map(({ group }) => group))].map((group) => ({
    group,
    rows: ordered(
      rows.filter((row) => row.group === group),
      order,
    ),
  }));
  return { ...tasks, groups };
}

function rowOf(item: GroupedTask, find: Find): TaskRow {
  const { product } = item;
  const of = product === null ? NO_NAMES : namesOf(product, find);
  return {
    ...item,
    ...of,
    ...(item.task === null ? ofProduct(item, find) : ofTask(item.task, find)),
  };
}

const NO_NAMES = { definition: '', project: null } as const;

const namesOf = ({ productDefinition, project }: Of<'product'>, find: Find) => ({
  definition: find.one('productDefinition', productDefinition)?.name ?? '',
  project: find.one('project', project),
});

type OfTask = Pick<TaskRow, 'id' | 'state' | 'comment' | 'since' | 'zone'>;

const ofTask = (task: Of<'userTask'>, find: Find): OfTask => ({
  id: task.id,
  state: task.status,
  comment: task.comment ?? '',
  since: task.dateUpdated,
  zone: zoneOf(task.assigned ?? task.user, find),
});

/** What others have is told by the product itself. */
const ofProduct = ({ product }: GroupedTask, find: Find): OfTask => ({
  id: product?.id ?? '',
  state: product?.workflowState ?? null,
  comment: '',
  since: product?.dateUpdated ?? null,
  zone: zoneOf(product?.assigned ?? null, find),
});

function zoneOf(user: string | null, find: Find): string | null {
  return user === null ? null : (find.one('user', user)?.timezone ?? null);
}

/** `--wait` is what waits longest first, as the rows come. */
function ordered(rows: readonly TaskRow[], order: string): readonly TaskRow[] {
  const descends = order.startsWith('-');
  const key = order.replaceAll('-', '');
  if (key === 'wait') return order === '-wait' ? [...rows].reverse() : rows;
  const nameOf = (row: TaskRow) =>
    fold(key === 'product' ? row.definition : (row.project?.name ?? ''));
  const sorted = [...rows].sort((a, b) => compareFolded(nameOf(a), nameOf(b)));
  return descends ? sorted.reverse() : sorted;
}
