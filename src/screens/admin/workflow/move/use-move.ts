import { useRef, useState } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { Move } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { preparedMove } from '#data/actions/workflows.ts';
import type { PreparedMove } from '#data/actions/workflows.ts';
import { useData } from '#data/react/hooks.ts';

/** Says why it was not moved; `no-answer`: that is not certain. */
export type MoveTrouble =
  { readonly is: 'no-answer' } | { readonly is: 'refused'; readonly problem: ErrorObject };

interface Moving {
  readonly isSending: boolean;
  readonly trouble: MoveTrouble | null;
  readonly send: (move: Move) => Promise<void>;
}

/** Moves the product's workflow; the same move, sent again after no answer, happens once. */
export function useMove(product: Of<'product'>, onMoved: (state: string) => void): Moving {
  const data = useData();
  const unanswered = useRef<PreparedMove | null>(null);
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<MoveTrouble | null>(null);

  const send: Moving['send'] = async (move) => {
    const before = unanswered.current;
    const prepared = before?.isOf(move) === true ? before : preparedMove(data, product.id, move);
    unanswered.current = prepared;
    setSending(true);
    setTrouble(null);
    const answer = await prepared.send();
    setSending(false);
    if (answer.is !== 'no-answer') unanswered.current = null;
    if (answer.is === 'told') onMoved(move.state);
    else setTrouble(answer);
  };
  return { isSending, trouble, send };
}
