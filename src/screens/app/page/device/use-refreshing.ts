import { useEffect } from 'react';
import { useUiEnvironment } from '#ui/ui-environment.tsx';

const REFRESH_EVERY_MS = 10_000;

/** Calls `refresh` every ten seconds while the page is in view, for as long as `isOn`. */
export function useRefreshing(refresh: () => void, isOn: boolean): void {
  const { later } = useUiEnvironment();
  useEffect(() => {
    if (!isOn) return undefined;
    let callOff: () => void = () => undefined;
    const wait = () => {
      callOff = later(() => {
        // Nobody looks at a page in the background.
        if (document.visibilityState === 'visible') refresh();
        wait();
      }, REFRESH_EVERY_MS);
    };
    wait();
    return () => {
      callOff();
    };
  }, [later, refresh, isOn]);
}
