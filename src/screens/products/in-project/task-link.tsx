import { Link } from 'react-router-dom';
import { useFind } from '#data/react/hooks.ts';
import type { Of } from '#schema/index.ts';
import { flowPathOf, useStateName } from '../../flow/task.tsx';

interface Props {
  readonly task: Of<'userTask'>;
  readonly product: Of<'product'>;
}

/** Leads to a task, and is called as its step is. */
export function TaskLink({ task, product }: Props) {
  const find = useFind();
  const nameOf = useStateName();
  return <Link to={flowPathOf(product, find)}>{nameOf(task.status ?? '')}</Link>;
}
