import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useChanges, useFind } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { isUnderWay } from './command/use-command.ts';
import { useTaskGroups } from './task-groups.ts';
import type { GroupedTask } from './task-groups.ts';
import { useStated } from './task-query.ts';
import { flowPathOf } from './task.tsx';

interface Props {
  /** Id of the product that the page shows. */
  readonly product: string;
  /** The person gave a command here. */
  readonly hasActed: boolean;
}

/**
 * The way on to the task after this one, among those that My Tasks showed; where none is left, says
 * so to who has done theirs.
 */
export function NextTask({ product, hasActed }: Props) {
  const t = useText();
  const find = useFind();
  const { next, query, isKnown, isOtherLeft } = useNextTask(product);
  if (next !== null)
    return (
      <Link className="ui button" to={flowPathOf(next, find) + query}>
        {t('flow.nextTask')}
      </Link>
    );
  if (!hasActed || !isKnown) return null;
  return (
    <span className="no-next-task" role="status">
      {t(isOtherLeft ? 'flow.noNextTaskFiltered' : 'flow.noNextTask')}{' '}
      <Link to={`/tasks${query}`}>{t('tasks.title')}</Link>
    </span>
  );
}

interface NextProduct {
  readonly next: Of<'product'> | null;
  /** What narrows My Tasks. */
  readonly query: string;
  readonly isKnown: boolean;
  /** Something else waits that the filters keep out. */
  readonly isOtherLeft: boolean;
}

/**
 * Finds the product of the task after that of `product`, as My Tasks lists them, and from the last
 * one on the first. Those whose command is under way are done as far as the person is concerned.
 */
function useNextTask(product: string): NextProduct {
  const { list, all, shown, query } = useTaskGroups(useStated());
  const { rows } = useChanges();
  const given = new Set(rows.filter(isUnderWay).map(({ about }) => about.id));
  const isLeft = ({ id }: Of<'product'>) => id !== product && !given.has(id);
  const products = ownProducts(shown);
  const here = products.findIndex(({ id }) => id === product);
  const onwards = [...products.slice(here + 1), ...products.slice(0, here + 1)];
  return {
    next: onwards.find(isLeft) ?? null,
    query,
    isKnown: list.state === 'ready',
    isOtherLeft: ownProducts(all).some(isLeft),
  };
}

/** The products that wait for the person. */
const ownProducts = (tasks: readonly GroupedTask[]): readonly Of<'product'>[] =>
  tasks.flatMap(({ group, product }) => (group === 'handed-over' ? [] : (product ?? [])));
