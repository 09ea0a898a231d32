import { taskFormOf } from '#protocol/task-forms.ts';
import type { TaskForms } from '#protocol/task-forms.ts';
import { APPROVE } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useFind } from '#data/react/hooks.ts';
import { isNeedy, isUnderWay } from '../flow/command/use-command.ts';
import { flowOf } from '../flow/task.tsx';
import type { TaskRow } from './task-rows.ts';

/** Why a task cannot be approved with others. */
type ApprovalObstacle = 'sent' | 'attention' | 'archived' | 'form';

/** A task that can be approved, with its names in a sentence. */
export interface Approvable {
  readonly task: Of<'userTask'>;
  readonly names: { readonly product: string; readonly project: string };
}

export interface Approvals {
  readonly may: readonly (Approvable & { readonly row: TaskRow })[];
  readonly mayNot: readonly { readonly row: TaskRow; readonly why: ApprovalObstacle }[];
}

/**
 * Parts `rows` by whether Approve can be given to each as its page would let it be given, and without
 * more; those that somebody else has dealt with meanwhile are left out. Without `forms`, none is known.
 */
export function useApprovals(rows: readonly TaskRow[], forms: TaskForms | null): Approvals {
  const find = useFind();
  const { rows: changes } = useChanges();
  const sent = new Set(changes.filter(isUnderWay).map(({ about }) => about.id));
  const needy = new Set(changes.filter(isNeedy).map(({ about }) => about.id));

  if (forms === null) return { may: [], mayNot: [] };

  const obstacleOf = (task: Of<'userTask'>, product: Of<'product'>): ApprovalObstacle | null => {
    if (sent.has(product.id)) return 'sent';
    if (needy.has(product.id)) return 'attention';
    if ((find.one('project', product.project)?.dateArchived ?? null) !== null) return 'archived';
    const form = taskFormOf(forms, flowOf(product, find), task.status ?? '');
    const command = form.commands.find(({ name }) => name === APPROVE);
    return command?.comment === 'optional' ? null : 'form';
  };
  const known = rows.flatMap((row) => {
    const task = row.task === null ? null : find.one('userTask', row.task.id);
    const product = row.product === null ? null : find.one('product', row.product.id);
    if (task === null || product === null || !task.commands.includes(APPROVE)) return [];
    const names = { product: row.definition, project: row.project?.name ?? '' };
    return [{ row, task, names, why: obstacleOf(task, product) }];
  });
  return {
    may: known.filter(({ why }) => why === null),
    mayNot: known.flatMap(({ row, why }) => (why === null ? [] : [{ row, why }])),
  };
}
