import type { Problem } from '#protocol/problem.ts';
import { useFind } from '#data/react/hooks.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { refusedIn } from './refused-in.ts';
import './refused-together.css';

/** Says why something may not be started for a product, by its reason or the code of its refusal. */
export function useWhyNot(): (why: string) => string {
  const t = useText();
  const textOf = useTextOf();
  return (why) =>
    textOf(`products.reasons.${why}`, textOf(`problems.${why}`, t('problems.action-not-allowed')));
}

/** Names a product by its definition and its project. */
export function useProductName(): (id: string) => string {
  const t = useText();
  const find = useFind();
  return (id) => {
    const product = find.one('product', id);
    if (product === null) return t('values.notHere');
    const definition = find.one('productDefinition', product.productDefinition)?.name ?? '';
    return `${definition}, ${find.one('project', product.project)?.name ?? ''}`;
  };
}

/** The products for which nothing of a run was started, each with its reason; nothing where there are none. */
export function RefusedTogether({ problem }: { readonly problem: Pick<Problem, 'meta'> }) {
  const nameOf = useProductName();
  const sayWhyNot = useWhyNot();
  const refused = refusedIn(problem);
  if (refused.length === 0) return null;
  return (
    <ul className="refused-together">
      {refused.map(({ id, why }) => (
        <li key={id}>
          <bdi>{nameOf(id)}</bdi>
          <span className="soft">{sayWhyNot(why)}</span>
        </li>
      ))}
    </ul>
  );
}
