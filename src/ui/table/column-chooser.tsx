import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

/** The gear that opens a checklist of columns. */
export function ColumnChooser({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false)
        setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
    };
  }, [isOpen]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu-button" ref={root} onKeyDown={onKey}>
      <button
        type="button"
        ref={button}
        className="icon-button"
        aria-label={t('columns.choose')}
        title={t('columns.choose')}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="gear" />
      </button>
      {isOpen && children}
    </div>
  );
}
