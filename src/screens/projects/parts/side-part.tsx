import { useState } from 'react';
import type { ReactNode } from 'react';
import { useIsNarrow } from '#ui/use-is-narrow.ts';
import './side-part.css';

interface Props {
  readonly title: string;
  /** Where it folds, it is open all the same until someone folds it. */
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** A part of the right column. Where that stands below the left one it folds, and so do its fellows. */
export function SidePart({ title, isOpenAtFirst = false, children }: Props) {
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      className="side-part"
      open={!isNarrow || isOpen}
      onToggle={({ currentTarget }) => {
        if (isNarrow) setOpen(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
