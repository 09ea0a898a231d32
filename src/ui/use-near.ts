import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** How far beyond the edge of what scrolls things are drawn ahead. */
const AHEAD = '600px 0px';

interface Near<E> {
  readonly element: RefObject<E>;
  readonly isNear: boolean;
  /** How tall it was when it was last drawn; null: it never was. */
  readonly drawnPx: number | null;
}

/**
 * Whether an element is near what is in view, so that what is far need not be in the page.
 *
 * @param isWatched false: it is in the page wherever it is, and nobody looks
 */
export function useNear<E extends HTMLElement>(isWatched: boolean): Near<E> {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  const [drawnPx, setDrawn] = useState<number | null>(null);

  useEffect(() => {
    const { current } = element;
    if (!isWatched || current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const nears = entries.at(-1)?.isIntersecting === true;
        // What has the focus stays, or the next key would go nowhere.
        if (!nears && current.contains(document.activeElement)) return;
        if (!nears && current.childElementCount > 0) setDrawn(current.offsetHeight);
        setNear(nears);
      },
      { root: scrollerOf(current), rootMargin: AHEAD },
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, [isWatched]);
  return { element, isNear, drawnPx };
}

/** What scrolls `element`; null where the page itself does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  const above = element.parentElement;
  if (above === null) return null;
  return /auto|scroll/.test(getComputedStyle(above).overflowY) ? above : scrollerOf(above);
}
