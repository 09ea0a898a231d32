import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** Things are drawn ahead as far as this beyond the edge of the element that scrolls. */
const AHEAD = '600px 0px';

/** So many come or go in one frame: more would hold up the page of who scrolls fast. */
const DRAWN_A_FRAME = 4;

/** The listeners that are notified next, those that come before those that go. */
const due = { come: new Map<NearListener, true>(), go: new Map<NearListener, false>() };
let isUnderWay = false;

type NearListener = (isNear: boolean) => void;

function notifyInTurn(tell: NearListener, isNear: boolean): void {
  callOff(tell);
  if (isNear) due.come.set(tell, true);
  else due.go.set(tell, false);
  if (isUnderWay) return;
  isUnderWay = true;
  requestAnimationFrame(notifyNext);
}

function callOff(tell: NearListener): void {
  due.come.delete(tell);
  due.go.delete(tell);
}

function notifyNext(): void {
  const next = [...due.come, ...due.go].slice(0, DRAWN_A_FRAME);
  isUnderWay = next.length > 0;
  if (isUnderWay) requestAnimationFrame(notifyNext);
  for (const [tell, isNear] of next) {
    callOff(tell);
    tell(isNear);
  }
}

interface Near<E> {
  readonly element: RefObject<E>;
  readonly isNear: boolean;
  /** The height when it was last drawn; null: it never was. */
  readonly drawnPx: number | null;
}

/**
 * Says whether an element is near what is in view, so that what is far need not be in the page.
 *
 * @param isWatched false: it is in the page wherever it is, and nobody looks
 */
export function useNear<E extends HTMLElement>(isWatched: boolean): Near<E> {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  const [drawnPx, setDrawn] = useState<number | null>(null);
  const isThere = useRef(false);

  useEffect(() => {
    const { current } = element;
    if (!isWatched || current === null) return undefined;
    const tell = (nears: boolean) => {
      // The element that has the focus stays, or the next key would go nowhere.
      if (!nears && current.contains(document.activeElement)) return;
      if (!nears) setDrawn(current.offsetHeight);
      isThere.current = nears;
      setNear(nears);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const nears = entries.at(-1)?.isIntersecting === true;
        if (nears === isThere.current) callOff(tell);
        else notifyInTurn(tell, nears);
      },
      { root: scrollerOf(current), rootMargin: AHEAD },
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      callOff(tell);
    };
  }, [isWatched]);
  return { element, isNear, drawnPx };
}

/** Finds the element that scrolls `element`; null where the page itself does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  const above = element.parentElement;
  if (above === null) return null;
  return /auto|scroll/.test(getComputedStyle(above).overflowY) ? above : scrollerOf(above);
}
