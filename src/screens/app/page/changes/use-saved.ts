import { useCallback, useContext } from 'react';
import { useData } from '#data/react/hooks.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useOnline } from '../device/use-online.ts';
import { ChangesContext } from './changes-context.ts';

interface Saved {
  /** The text when the server can be reached; null: the page says it by itself. */
  readonly success: string | null;
  readonly undo?: () => void;
  /** Names the setting that was changed: what was said of it before goes. */
  readonly setting?: string;
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
  const savedHere = t(useOnline() ? 'sync.savedHereNoServer' : 'sync.savedHere');
  return useCallback(
    ({ success, undo, setting }) => {
      const more = {
        ...(undo === undefined ? {} : { action: { label: t('common.undo'), run: undo } }),
        ...(setting === undefined ? {} : { setting }),
      };
      if (changes.view().status !== 'offline') {
        if (success !== null) show({ tone: 'success', title: success, ...more });
        return;
      }
      const isDue = isSavedHereDue(clock());
      if (isDue || undo !== undefined)
        show({
          tone: 'info',
          title: isDue ? savedHere : t('sync.willBeSent'),
          ...more,
        });
    },
    [t, show, changes, clock, isSavedHereDue, savedHere],
  );
}
