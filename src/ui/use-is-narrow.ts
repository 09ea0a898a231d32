import { useSyncExternalStore } from 'react';

/** Below this width the style sheets put two columns into one. */
const NARROW = '(max-width: 767.98px)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

/** Says whether the window is too narrow for two columns. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}
