import { useEffect } from 'react';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import type { OnlineQuery } from './use-online-query.ts';

const REFRESH_EVERY_MS = 10_000;

/**
 * Asks anew ten seconds after each answer, while the page is in view and there is a connection; a
 * server that is slow to answer is not asked again meanwhile.
 */
export function useRefreshing({
  refresh,
  known,
  isOffline,
  isAsking,
}: Pick<OnlineQuery<unknown>, 'refresh' | 'known' | 'isOffline' | 'isAsking'>): void {
  const { later } = useUiEnvironment();
  const isOn = known.is === 'told' && !isOffline && !isAsking;
  useEffect(() => {
    if (!isOn) return undefined;
    let callOff: () => void = () => undefined;
    const wait = () => {
      callOff = later(() => {
        // Nobody looks at a page in the background.
        if (document.visibilityState === 'visible') refresh();
        else wait();
      }, REFRESH_EVERY_MS);
    };
    wait();
    return () => {
      callOff();
    };
  }, [later, refresh, isOn]);
}
