import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

interface Props<T> {
  readonly rows: readonly T[];
  readonly label: string;
  /** How tall a row is that was never drawn. */
  readonly rowPx: number;
  /** The row that is to be there even if it is far from view; -1: none. */
  readonly wanted?: number;
  /** A row with the role of a list item. */
  readonly children: (row: T, index: number) => ReactNode;
}

const SLICE = 30;
/** How far beyond the edge of what scrolls rows are drawn ahead. */
const AHEAD = '600px 0px';

/** A list of any length: only slices near what is in view are in the page, the others leave their height. */
export function Slices<T>({ rows, label, rowPx, wanted = -1, children }: Props<T>) {
  const starts = Array.from({ length: Math.ceil(rows.length / SLICE) }, (_, i) => i * SLICE);
  return (
    <div role="list" aria-label={label}>
      {starts.map((start) => {
        const slice = rows.slice(start, start + SLICE);
        return (
          <Slice
            key={start}
            isWanted={start === 0 || (wanted >= start && wanted < start + SLICE)}
            heightPx={slice.length * rowPx}
          >
            {() => slice.map((row, i) => children(row, start + i))}
          </Slice>
        );
      })}
    </div>
  );
}

interface SliceProps {
  readonly isWanted: boolean;
  readonly heightPx: number;
  readonly children: () => ReactNode;
}

function Slice({ isWanted, heightPx, children }: SliceProps) {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [drawnPx, setDrawn] = useState<number | null>(null);

  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
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
  }, []);

  const isDrawn = isNear || isWanted;
  return (
    <div ref={element} style={isDrawn ? undefined : { height: drawnPx ?? heightPx }}>
      {isDrawn && children()}
    </div>
  );
}

/** What scrolls `element`; null where the page itself does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  const above = element.parentElement;
  if (above === null) return null;
  return /auto|scroll/.test(getComputedStyle(above).overflowY) ? above : scrollerOf(above);
}
