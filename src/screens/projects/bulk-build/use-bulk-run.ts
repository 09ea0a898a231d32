import { useContext, useEffect, useRef, useState } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { BulkAction } from '#rules/product.ts';
import { runProductAction, runTogether } from '#data/actions/products.ts';
import type { Choice } from './use-offer.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/use-data.ts';
import { useText } from '#ui/text/text.ts';
import { useCloseToasts, useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../../app/page/changes/changes-context.ts';
import { refusedIn } from '../../products/refused-in.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';

/** What was asked for together, until its verdict. */
interface BulkRunRequest {
  readonly id: string;
  readonly action: BulkAction;
  readonly count: number;
}

export interface BulkRun {
  readonly isBusy: boolean;
  /** What the server said no with; nothing was started then. */
  readonly refusal: ErrorObject | null;
  readonly run: (products: readonly Choice[], action: BulkAction) => Promise<void>;
}

/** What the toast of a refusal is about: it goes with what is refused. */
const BULK_RUN = 'bulk-run';

const RESTS: ReadonlySet<string> = new Set(['offline', 'sign-in', 'problem']);

/**
 * Starts a workflow of many products together and says what came of it; without a connection each
 * is asked for by itself. `onStarted` hears when they are started, or wait to be sent.
 */
export function useBulkRun(onStarted: () => void): BulkRun {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const show = useToast();
  const saved = useSaved();
  const closeToasts = useCloseToasts();
  const { answered } = useContext(ChangesContext);
  const [isKeeping, setKeeping] = useState(false);
  const [asked, setAsked] = useState<BulkRunRequest | null>(null);
  const [refused, setRefused] = useState<ChangeRow | null>(null);

  /** Whether nothing more is to be heard of it. */
  const hear = ({ id, action, count }: BulkRunRequest): boolean => {
    const { rows, status } = data.changes.view();
    const row = rows.find((one) => one.id === id);
    // It was taken back in another tab.
    if (row === undefined) return true;
    const isUnderWay = row.state === 'waiting' || row.state === 'sending';
    if (isUnderWay && !RESTS.has(status)) return false;
    if (!isUnderWay && row.state !== 'done') {
      const number = refusedIn(row.problem).length;
      const detail = t('projects.bulk.buildModal.nothingStarted', { number, count });
      show({ tone: 'error', title: t('errors.generic'), detail, about: BULK_RUN });
      setRefused(row);
      return true;
    }
    const name = t(`products.actions.${action}`);
    if (isUnderWay) {
      // What comes of it later is told as of any change.
      answered.delete(id);
      saved({ success: null });
    } else show({ tone: 'success', title: t('products.actions.dispatched', { name, count }) });
    onStarted();
    return true;
  };
  const hearing = useRef(hear);
  useEffect(() => {
    hearing.current = hear;
  });
  useEffect(() => {
    if (asked === null) return undefined;
    const look = () => {
      if (hearing.current(asked)) setAsked(null);
    };
    look();
    return data.changes.subscribe(look);
  }, [asked, data]);

  useEffect(
    () => () => {
      closeToasts(BULK_RUN);
    },
    [closeToasts],
  );

  const ask = async (products: readonly Choice[], action: BulkAction) => {
    if (data.changes.view().status === 'offline') {
      for (const { product, names } of products)
        await runProductAction(data, product, action, names);
      saved({ success: null });
      onStarted();
      return;
    }
    const ids = products.map(({ product }) => product.id);
    const id = await runTogether(data, ids, action);
    answered.add(id);
    setAsked({ id, action, count: products.length });
  };
  const run: BulkRun['run'] = async (products, action) => {
    setKeeping(true);
    closeToasts(BULK_RUN);
    // What was refused gives way to what is asked for in its place.
    const putBack = refused === null ? null : await data.changes.discard(refused.id);
    const isKept = await attempt(t('errors.generic'), () => ask(products, action));
    if (isKept) setRefused(null);
    else await putBack?.();
    setKeeping(false);
  };
  return { isBusy: isKeeping || asked !== null, refusal: refused?.problem ?? null, run };
}
