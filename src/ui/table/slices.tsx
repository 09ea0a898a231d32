import type { ReactNode } from 'react';
import { useNear } from './table.tsx';

interface Props<T> {
  readonly rows: readonly T[];
  readonly label: string;
  /** The assumed height of a row that was never drawn. */
  readonly rowPx: number;
  /** The row that is to be there even if it is far from view; -1: none. */
  readonly wanted?: number;
  /** A row with the role of a list item. */
  readonly children: (row: T, index: number) => ReactNode;
}

const SLICE = 30;

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
  const { element, isNear, drawnPx } = useNear<HTMLDivElement>(true);
  const isDrawn = isNear || isWanted;
  return (
    <div ref={element} style={isDrawn ? undefined : { height: drawnPx ?? heightPx }}>
      {isDrawn && children()}
    </div>
  );
}
