import { useCallback } from 'react';
import { ProblemError } from '#protocol/problem.ts';
import { NotSavedError } from '#data/model/change.ts';
import { useHealth } from '#data/react/hooks.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useProblemText } from './changes/problem-text.ts';
import { OnlineFailure } from './use-online-command.ts';

/** Says why something was not done, and what may help. */
export interface AttemptFailure {
  /** The reason in the reader's words. */
  readonly reason: string;
  /** Field of the form, by its name on the wire; null: it is about all of it. */
  readonly field: string | null;
  /** True if nothing was kept, for want of space: making room may help. */
  readonly isFull: boolean;
}

/**
 * Says what the trouble with `error` is. Anything that is neither a refusal nor a missing answer is a
 * bug, and keeps flying.
 */
export function useTroubleOf(): (error: unknown) => AttemptFailure {
  const t = useText();
  const reasonOf = useProblemText();
  return useCallback(
    (error) => {
      if (error instanceof ProblemError || error instanceof OnlineFailure) {
        const { problem } = error;
        if (problem === null)
          return { reason: t('login.failed.no-answer'), field: null, isFull: false };
        const field = problem.source?.pointer?.split('/').at(-1) ?? null;
        return { reason: reasonOf(problem), field, isFull: false };
      }
      if (!(error instanceof NotSavedError)) throw error;
      return {
        reason: t(`errors.notSaved.${error.why}`),
        field: null,
        isFull: error.why === 'full',
      };
    },
    [t, reasonOf],
  );
}

/**
 * Does what changes something; when this device cannot keep it or a rule forbids it, says so under
 * `title`, with a way on where there is one.
 *
 * @returns whether it was done
 */
export function useAttempt(): (title: string, act: () => Promise<unknown>) => Promise<boolean> {
  const t = useText();
  const show = useToast();
  const { freeSpace } = useHealth();
  const troubleOf = useTroubleOf();
  return useCallback(
    async function attempt(title, act): Promise<boolean> {
      try {
        await act();
        return true;
      } catch (error) {
        // Why it was forbidden is said in words that come late; without them, in the problem's own.
        if (error instanceof ProblemError) await speakLate().catch(() => undefined);
        const { reason, isFull } = troubleOf(error);
        const again = async () => {
          await freeSpace();
          await attempt(title, act);
        };
        const action = { label: t('errors.makeRoom'), run: () => void again() };
        show({ tone: 'error', title, detail: reason, ...(isFull ? { action } : {}) });
        return false;
      }
    },
    [t, show, freeSpace, troubleOf],
  );
}
