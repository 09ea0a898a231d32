import { useEffect, useMemo, useState } from 'react';
import { BULK_ACTIONS, mayRunActions, reasonAgainst } from '#rules/product.ts';
import type { BulkAction } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { startableIn } from '#data/actions/products.ts';
import type { ProductNames, Startable } from '#data/actions/products.ts';
import { useChanges, useData, useList, useViewer } from '#data/react/hooks.ts';
import type { refusedIn } from '../../products/refused-in.ts';

/** A product of the selected projects. */
export interface Choice {
  readonly product: Of<'product'>;
  readonly definition: string;
  readonly names: ProductNames;
}

export interface Offer {
  /** Nothing is known yet. */
  readonly isAwaited: boolean;
  /** The server did not say: it decides when it gets the request. */
  readonly isFromDevice: boolean;
  /** All products of the selected projects, by project. */
  readonly choices: readonly Choice[];
  /** Those by which something can be started. */
  readonly actions: readonly BulkAction[];
  /** A reason of the action's, or the code of a refusal; null: it may be started for the product. */
  readonly whyNot: (action: BulkAction, product: Of<'product'>) => string | null;
}

type Answer = { readonly is: 'awaited' } | { readonly is: 'here'; readonly may: Startable | null };

/**
 * Finds what can be started for the products of `projects`: as the device knows it now, and as the
 * server said; those that it has `refused` since are left out.
 */
export function useOffer(
  projects: readonly Of<'project'>[],
  refused: ReturnType<typeof refusedIn>,
): Offer {
  const { find } = useData();
  const viewer = useViewer();
  const isOffline = useChanges().status === 'offline';
  const answer = useAnswer(projects);
  const choices = useChoices(projects);
  const may = answer.is === 'here' ? answer.may : null;
  const isAwaited = answer.is === 'awaited' && !isOffline;

  const whyNot: Offer['whyNot'] = (action, product) => {
    const said = refused.find(({ id }) => id === product.id);
    if (said !== undefined) return said.why;
    if (!mayRunActions(viewer, product, find)) return 'forbidden';
    const reason = reasonAgainst(action, product, find);
    if (reason !== null || may === null) return reason;
    return may[action]?.includes(product.id) === true ? null : 'action-not-allowed';
  };
  const actions = BULK_ACTIONS.filter((action) =>
    choices.some(({ product }) => whyNot(action, product) === null),
  );
  return { isAwaited, isFromDevice: may === null, choices, actions, whyNot };
}

/** Asks once; what changes meanwhile comes by the feed. */
function useAnswer(projects: readonly Of<'project'>[]): Answer {
  const data = useData();
  const [answer, setAnswer] = useState<Answer>({ is: 'awaited' });
  const [ids] = useState(() => projects.map(({ id }) => id));
  useEffect(() => {
    let isOver = false;
    void startableIn(data, ids).then((may) => {
      if (!isOver) setAnswer({ is: 'here', may });
    });
    return () => {
      isOver = true;
    };
  }, [data, ids]);
  return answer;
}

function useChoices(projects: readonly Of<'project'>[]): readonly Choice[] {
  const { find } = useData();
  const { rows } = useList('product', {}, { sort: 'project.name', anywhere: true });
  return useMemo(() => {
    const named = new Map(projects.map(({ id, name }) => [id, name]));
    return rows.flatMap((product) => {
      const project = named.get(product.project);
      const definition = product.productDefinition;
      const name = find.one('productDefinition', definition)?.name ?? '';
      return project === undefined
        ? []
        : [{ product, definition, names: { product: name, project } }];
    });
  }, [projects, rows, find]);
}
