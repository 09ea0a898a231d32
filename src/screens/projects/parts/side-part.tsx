import { useState } from 'react';
import type { ReactNode } from 'react';
import { useIsNarrow } from '#ui/ui-environment.tsx';
import './side-part.css';

interface Props {
  readonly title: string;
  /** Where it can be closed, it is open all the same until someone closes it. */
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/**
 * A part of the right column. Where that stands below the left one it can be closed, and so can its
 * fellows.
 */
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
