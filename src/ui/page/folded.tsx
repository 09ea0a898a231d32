import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { useText } from '../text/text.ts';

interface Props {
  /** The number of lines that show at first. */
  readonly lines: number;
  readonly children: ReactNode;
}

/** Shows the first lines of a text, and the rest on request. */
export function Folded({ lines, children }: Props) {
  const t = useText();
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);

  useLayoutEffect(() => {
    const { current } = text;
    if (current === null || isOpen) return undefined;
    const look = () => {
      setLong(current.scrollHeight > current.clientHeight + 1);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, [isOpen, children]);

  const folded: CSSProperties = { overflow: 'hidden', maxHeight: `${lines}lh` };
  return (
    <>
      <div
        ref={text}
        id={id}
        style={{ whiteSpace: 'pre-line', ...(isOpen ? {} : folded) }}
        // A link further down that gets the focus would scroll the hidden part.
        onFocus={(event) => {
          if (isLong && event.target !== event.currentTarget) setOpen(true);
        }}
      >
        {children}
      </div>
      {isLong && (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'common.showLess' : 'common.showAll')}
        </button>
      )}
    </>
  );
}
