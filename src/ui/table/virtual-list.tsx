import { useCallback, useImperativeHandle, useRef } from 'react';
import type { ReactNode, Ref } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import './virtual-list.css';

/** What the page that has a list tells it. */
export interface VirtualListHandle {
  readonly scrollTo: (index: number, where: 'center' | 'end') => void;
}

/** Where a person has scrolled to. */
interface Scrolled {
  readonly isUp: boolean;
  readonly isAtEnd: boolean;
}

interface Props {
  readonly label: string;
  readonly count: number;
  /** The number of the first row: rows before it are gone, and the others keep their heights. */
  readonly first?: number;
  /** The height of a row that fits on one line, in pixels: no row is lower. */
  readonly rowPx: number;
  /** The language of the rows, where it is not the page's. */
  readonly lang?: string;
  readonly handle?: Ref<VirtualListHandle>;
  readonly onScrolled?: (scrolled: Scrolled) => void;
  readonly children: (index: number) => ReactNode;
}

const BEYOND = 20;
/** The room below the last row in which one counts as at the end, in pixels. */
const NEAR_PX = 8;

/** Rows of which only those in view are drawn, so that there may be very many; each may wrap. */
export function VirtualList(props: Props) {
  const { label, count, first = 0, rowPx, lang, handle, onScrolled, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const keyOf = useCallback((index: number) => first + index, [first]);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: BEYOND,
    getItemKey: keyOf,
  });
  useImperativeHandle(
    handle,
    () => ({
      scrollTo: (index, where) => {
        rows.scrollToIndex(index, { align: where });
      },
    }),
    [rows],
  );
  return (
    <div
      ref={box}
      className="virtual-list"
      role="region"
      aria-label={label}
      lang={lang}
      // The keyboard scrolls what has the focus.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        const isAtEnd = scrollHeight - clientHeight - scrollTop < NEAR_PX;
        onScrolled?.({ isUp: scrollTop < lastTop.current - 1, isAtEnd });
        lastTop.current = scrollTop;
      }}
    >
      <div role="list" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={count}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
