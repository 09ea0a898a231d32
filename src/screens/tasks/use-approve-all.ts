import { useEffect, useRef, useState } from 'react';
import { APPROVE } from '#rules/task/task.ts';
import { oneChangeEach } from '#data/actions/one-change-each.ts';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import { useData } from '#data/react/hooks.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { isUnderWay } from '../flow/command/use-command.ts';
import type { Approvable } from './use-approvals.ts';

/** In these states nothing is sent at the moment. */
const RESTS: ReadonlySet<string> = new Set(['offline', 'sign-in', 'problem']);

/** What was approved together, until its verdicts. */
interface Batch {
  /** Ids of the products. */
  readonly products: ReadonlySet<string>;
  /** Changes that were there before. */
  readonly before: ReadonlySet<string>;
}

/**
 * Approves each task by a change of its own, and says how many the server has agreed to; what it
 * refuses is told as with any change. `onEnd` is called once that is known, or they wait to be sent.
 */
export function useApproveAll(onEnd: () => void) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const show = useToast();
  const saved = useSaved();
  const [batch, setBatch] = useState<Batch | null>(null);
  const [isKeeping, setKeeping] = useState(false);

  const announce = ({ products, before }: Batch): boolean => {
    const { rows, status } = data.changes.view();
    const own = rows.filter(({ id, about }) => products.has(about.id) && !before.has(id));
    const isWaiting = own.some(isUnderWay);
    if (isWaiting && !RESTS.has(status)) return false;
    const count = own.filter(({ state }) => state === 'done').length;
    if (isWaiting) saved({ success: null });
    else if (count > 0) show({ tone: 'success', title: t('tasks.approve.done', { count }) });
    onEnd();
    return true;
  };
  const announcing = useRef(announce);
  useEffect(() => {
    announcing.current = announce;
  });
  useEffect(() => {
    if (batch === null) return undefined;
    const check = () => {
      if (announcing.current(batch)) setBatch(null);
    };
    check();
    return data.changes.subscribe(check);
  }, [batch, data]);

  const approve = useOneAtATime(async (approved: readonly Approvable[]) => {
    setKeeping(true);
    const before = new Set(data.changes.view().rows.map(({ id }) => id));
    const products = new Set<string>();
    const send = async ({ task, names }: Approvable) => {
      await sendTaskCommand(data, task, APPROVE, '', names);
      products.add(task.product ?? '');
    };
    await attempt(t('errors.generic'), () => oneChangeEach(approved, send));
    if (products.size > 0) setBatch({ products, before });
    setKeeping(false);
  });
  return { approve, isBusy: isKeeping || batch !== null };
}
