import { useRef } from 'react';

/**
 * `act`, one at a time: what is asked for while it goes on is not done. A second click may come before
 * the first has been drawn.
 */
export function useOneAtATime<Given extends readonly unknown[]>(
  act: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  const isUnderWay = useRef(false);
  return async (...given) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      await act(...given);
    } finally {
      isUnderWay.current = false;
    }
  };
}
