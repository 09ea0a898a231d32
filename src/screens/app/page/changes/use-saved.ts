import { useCallback, useContext } from 'react';
import { useData } from '#data/react/hooks.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from './changes-context.ts';

interface Saved {
  /** The text when the server can be reached; null: the page says it by itself. */
  readonly success: string | null;
  readonly undo?: () => void;
}

/**
 * Says that something was done. Offline nothing is agreed yet: at most once a minute it says where the
 * change is; in between only what can be undone shows, with its way back.
 */
export function useSaved(): (saved: Saved) => void {
  const t = useText();
  const show = useToast();
  const { changes } = useData();
  const { clock } = useUiEnvironment();
  const { isSavedHereDue } = useContext(ChangesContext);
  return useCallback(
    ({ success, undo }) => {
      const action = undo === undefined ? {} : { action: { label: t('common.undo'), run: undo } };
      if (changes.view().status !== 'offline') {
        if (success !== null) show({ tone: 'success', title: success, ...action });
        return;
      }
      const isDue = isSavedHereDue(clock());
      if (isDue || undo !== undefined)
        show({
          tone: 'info',
          title: isDue ? t('sync.savedHere') : t('sync.willBeSent'),
          ...action,
        });
    },
    [t, show, changes, clock, isSavedHereDue],
  );
}
