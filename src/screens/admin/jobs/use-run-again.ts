import { useState } from 'react';
import { jobPaths } from '#protocol/jobs.ts';
import { useData } from '#data/react/hooks.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { OnlineFailure, useOnlineCommand } from '../../app/page/use-online-command.ts';

export interface RunAgain {
  /** Has the server try a failed job at once, and says whether it does. */
  readonly run: (id: string) => Promise<void>;
  /** The ids of the jobs for which that was asked, and no answer is there yet. */
  readonly asked: ReadonlySet<string>;
}

/** @param onDone the lists are other ones now */
export function useRunAgain(onDone: () => void): RunAgain {
  const t = useText();
  const data = useData();
  const show = useToast();
  const reasonOf = useProblemText();
  const send = useOnlineCommand<unknown>();
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const failureOf = ({ problem }: OnlineFailure): string => {
    if (problem === null) return t('admin.jobs.notCertain');
    return problem.code === 'not-found' ? t('admin.jobs.gone') : reasonOf(problem);
  };
  return {
    asked,
    run: async (id) => {
      setAsked((present) => new Set([...present, id]));
      try {
        await send(id, () => data.online.command(jobPaths.runAgain(id)));
        show({ tone: 'success', title: t('admin.jobs.begun') });
      } catch (error) {
        if (!(error instanceof OnlineFailure)) throw error;
        show({ tone: 'error', title: t('admin.jobs.notBegun'), detail: failureOf(error) });
      } finally {
        setAsked((present) => new Set([...present].filter((other) => other !== id)));
        onDone();
      }
    },
  };
}
