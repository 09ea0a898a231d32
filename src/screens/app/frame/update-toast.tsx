import { createContext, useContext, useEffect } from 'react';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';

/** Tells when a newer version of the app is on this device. */
export interface Updates {
  /** Calls `listener` with what makes it take over and reloads the page; returns what ends that. */
  readonly subscribe: (listener: (takeOver: () => void) => void) => () => void;
}

export const UpdatesContext = createContext<Updates | null>(null);

/** Offers to reload when a newer version is there. */
export function UpdateToast() {
  const t = useText();
  const show = useToast();
  const updates = useContext(UpdatesContext);
  useEffect(
    () =>
      updates?.subscribe((takeOver) => {
        show({
          tone: 'warning',
          title: t('update.title'),
          detail: t('update.detail'),
          action: { label: t('update.reload'), run: takeOver },
        });
      }),
    [updates, show, t],
  );
  return null;
}
