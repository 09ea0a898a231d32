import { useCallback, useSyncExternalStore } from 'react';
import type { Find } from '#rules/find.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';

type Task = Of<'userTask'>;

/** A task with what its row shows of others. */
export interface TaskRow {
  readonly task: Task;
  readonly product: Of<'product'> | null;
  readonly definition: string;
  readonly project: Of<'project'> | null;
  readonly zone: string | null;
}

/** The rows of `tasks`, drawn anew when something in them that is of another record changes. */
export function useTaskRows(tasks: readonly Task[]): readonly TaskRow[] {
  const { find, records } = useData();
  const rows = tasks.map((task) => rowOf(task, find));
  const others = JSON.stringify(rows.flatMap(othersOf));
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = (JSON.parse(others) as ReturnType<typeof othersOf>).map(([type, id]) =>
        records.subscribe(type, id, listener),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    [records, others],
  );
  useSyncExternalStore(subscribe, () =>
    JSON.stringify(tasks.map((task) => ({ ...rowOf(task, find), task: task.id }))),
  );
  return rows;
}

function rowOf(task: Task, find: Find): TaskRow {
  const product = task.product === null ? null : find.one('product', task.product);
  const definition =
    product === null ? null : find.one('productDefinition', product.productDefinition);
  const assignee = task.assigned ?? task.user;
  return {
    task,
    product,
    definition: definition?.name ?? '',
    project: product === null ? null : find.one('project', product.project),
    zone: assignee === null ? null : (find.one('user', assignee)?.timezone ?? null),
  };
}

/** The records that a row is about beside its task, here or not yet. */
function othersOf({ task, product }: TaskRow): (readonly [TypeName, string | null])[] {
  return [
    ['product', task.product],
    ['productDefinition', product?.productDefinition ?? null],
    ['project', product?.project ?? null],
    ['user', task.assigned ?? task.user],
  ];
}
