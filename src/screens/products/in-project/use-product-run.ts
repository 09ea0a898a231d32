import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { PRODUCT_ACTIONS } from '#rules/product.ts';
import type { ProductActionName } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { runProductAction } from '#data/actions/products.ts';
import type { ProductNames, RollBackTo } from '#data/actions/products.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';

/** A rebuild, republish, roll back or cancel that the person requested. */
interface Run {
  readonly row: ChangeRow;
  readonly action: ProductActionName | 'rollBack';
}

interface Running {
  /** The one that is on its way: no other can be requested meanwhile. */
  readonly underWay: Run | null;
  readonly run: (action: ProductActionName) => Promise<void>;
  readonly rollBack: (to: RollBackTo) => Promise<void>;
}

const UNDER_WAY: ReadonlySet<ChangeState> = new Set(['waiting', 'sending']);

const silent = () => () => undefined;

/**
 * Starts and cancels workflows of `product`, and says so once the server has agreed; a refusal
 * shows like those of all changes.
 *
 * @param change the state of the product's changes: rows are looked at only when there are some
 */
export function useProductRun(
  product: Of<'product'>,
  change: ChangeState | null,
  names: ProductNames,
): Running {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const show = useToast();
  const saved = useSaved();
  /** Runs that were there before the one that this page requested. */
  const [before, setBefore] = useState<ReadonlySet<string> | null>(null);
  const runs = useRuns(product.id, change !== null || before !== null);
  const own = before === null ? null : (runs.find(({ row }) => !before.has(row.id)) ?? null);

  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (own?.row.state !== 'done' || reported.current === own.row.id) return;
    reported.current = own.row.id;
    const name = t(`products.actions.${own.action}`);
    const outcome = own.action === 'cancel' ? 'cancelled' : 'executed';
    show({ tone: 'success', title: t(`products.actions.${outcome}`, { name }) });
  }, [own, show, t]);

  const start = async (action: ProductActionName, to: RollBackTo | null) => {
    const known = new Set(data.changes.view().rows.map(({ id }) => id));
    const isDone = await attempt(t('errors.generic'), () =>
      runProductAction(data, product, action, names, to),
    );
    if (!isDone) return;
    setBefore(known);
    if (data.changes.view().status === 'offline') saved({ success: null });
  };
  return {
    underWay: runs.find(({ row }) => UNDER_WAY.has(row.state)) ?? null,
    run: (action) => start(action, null),
    rollBack: (to) => start('republish', to),
  };
}

/** Lists the requests for the product, newest first; none while `isWatching` is false. */
function useRuns(product: string, isWatching: boolean): readonly Run[] {
  const { changes } = useData();
  const view = useSyncExternalStore(isWatching ? changes.subscribe : silent, () =>
    isWatching ? changes.view() : null,
  );
  return useMemo(
    () =>
      (view?.rows ?? []).flatMap((row) => {
        const action = PRODUCT_ACTIONS.find((name) => name === row.typed.action);
        if (row.about.id !== product || action === undefined) return [];
        const isRollBack = typeof row.typed.build === 'string';
        return [{ row, action: isRollBack ? ('rollBack' as const) : action }];
      }),
    [view, product],
  );
}
