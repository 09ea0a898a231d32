import { useRef } from 'react';

/**
 * Runs `act` one at a time: a call that comes while one goes on does nothing. A second click may
 * come before the first has been drawn.
 */
export function useOneAtATime<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  const isUnderWay = useRef(false);
  return async (...args) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      await act(...args);
    } finally {
      isUnderWay.current = false;
    }
  };
}
