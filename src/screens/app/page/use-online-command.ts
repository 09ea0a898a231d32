import { useRef } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { OnlineResult } from '#data/model/views.ts';

/** A command that needs a connection was refused, or nobody answered. */
export class OnlineFailure extends Error {
  /** Why it was refused; null: there was no answer, and whether it was done is not certain. */
  readonly problem: ErrorObject | null;

  constructor(problem: ErrorObject | null) {
    super(problem?.detail ?? problem?.code ?? 'No answer');
    this.name = 'OnlineFailure';
    this.problem = problem;
  }
}

type Send<T> = () => Promise<OnlineResult<T>>;

/**
 * Sends commands that need a connection. The same once more, after no answer, is the same request,
 * and so is done once: `of` says what makes it the same.
 *
 * @throws OnlineFailure
 */
export function useOnlineCommand<T>(): (of: string, prepare: () => Send<T>) => Promise<T> {
  const unanswered = useRef<{ readonly of: string; readonly send: Send<T> } | null>(null);
  return async (of, prepare) => {
    const send = unanswered.current?.of === of ? unanswered.current.send : prepare();
    unanswered.current = { of, send };
    const answer = await send();
    if (answer.is === 'no-answer') throw new OnlineFailure(null);
    unanswered.current = null;
    if (answer.is === 'refused') throw new OnlineFailure(answer.problem);
    return answer.value;
  };
}
