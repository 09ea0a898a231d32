import { useId } from 'react';
import type { ReactNode } from 'react';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

/** Something with a sentence about it on hover and focus. */
export function Hint({ text, children }: Props) {
  const id = useId();
  return (
    <span className="hint" tabIndex={0} aria-describedby={id}>
      {children}
      <span role="tooltip" id={id} className="hint-text">
        {text}
      </span>
    </span>
  );
}
