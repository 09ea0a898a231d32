import { useCallback } from 'react';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';

/** Removes someone by `remove`, with the way back that it gives. */
export function usePersonRemoving() {
  const t = useText();
  const attempt = useAttempt();
  const saved = useSaved();
  return useCallback(
    async (name: string, remove: () => Promise<() => Promise<void>>) => {
      let back: () => Promise<void> = () => Promise.resolve();
      const isDone = await attempt(t('errors.generic'), async () => {
        back = await remove();
      });
      if (!isDone) return;
      saved({
        success: t('project.personRemoved', { name }),
        undo: () => void attempt(t('errors.generic'), back),
      });
    },
    [t, attempt, saved],
  );
}
