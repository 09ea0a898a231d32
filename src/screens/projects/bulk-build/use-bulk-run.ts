import { useContext, useEffect, useRef, useState } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { BulkAction } from '#rules/product.ts';
import { oneChangeEach } from '#data/actions/one-change-each.ts';
import { runProductAction, runTogether } from '#data/actions/products.ts';
import type { Choice } from './use-offer.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useCloseToasts, useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../../app/page/changes/changes-context.ts';
import { refusedIn } from '../../products/refused-in.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';

/** The runs that were requested together, until their verdict. */
interface BulkRunRequest {
  readonly id: string;
  readonly action: BulkAction;
  readonly count: number;
}

export interface BulkRun {
  readonly isBusy: boolean;
  /** The server's refusal; nothing was started then. */
  readonly refusal: ErrorObject | null;
  readonly run: (products: readonly Choice[], action: BulkAction) => Promise<void>;
}

/** The subject of a refusal's toast: it goes with what is refused. */
const BULK_RUN = 'bulk-run';

const RESTS: ReadonlySet<string> = new Set(['offline', 'sign-in', 'problem']);

/**
 * Starts a workflow of many products together and says what came of it; without a connection each
 * is requested by itself. `onStarted` is called when they are started, or wait to be sent.
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
  const [request, setRequest] = useState<BulkRunRequest | null>(null);
  const [refused, setRefused] = useState<ChangeRow | null>(null);

  /** Says whether nothing more will come of it. */
  const announce = ({ id, action, count }: BulkRunRequest): boolean => {
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
      // A later result is announced like that of any change.
      answered.delete(id);
      saved({ success: null });
    } else show({ tone: 'success', title: t('products.actions.dispatched', { name, count }) });
    onStarted();
    return true;
  };
  const announcing = useRef(announce);
  useEffect(() => {
    announcing.current = announce;
  });
  useEffect(() => {
    if (request === null) return undefined;
    const check = () => {
      if (announcing.current(request)) setRequest(null);
    };
    check();
    return data.changes.subscribe(check);
  }, [request, data]);

  useEffect(
    () => () => {
      closeToasts(BULK_RUN);
    },
    [closeToasts],
  );

  const ask = async (products: readonly Choice[], action: BulkAction) => {
    if (data.changes.view().status === 'offline') {
      await oneChangeEach(products, ({ product, names }) =>
        runProductAction(data, product, action, names),
      );
      saved({ success: null });
      onStarted();
      return;
    }
    const ids = products.map(({ product }) => product.id);
    const id = await runTogether(data, ids, action);
    answered.add(id);
    setRequest({ id, action, count: products.length });
  };
  const run: BulkRun['run'] = async (products, action) => {
    setKeeping(true);
    closeToasts(BULK_RUN);
    // The refused request gives way to the one in its place.
    const putBack = refused === null ? null : await data.changes.discard(refused.id);
    const isKept = await attempt(t('errors.generic'), () => ask(products, action));
    if (isKept) setRefused(null);
    else await putBack?.();
    setKeeping(false);
  };
  return { isBusy: isKeeping || request !== null, refusal: refused?.problem ?? null, run };
}
