import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { useText } from './text.ts';

interface ColumnChoice {
  readonly id: string;
  readonly label: string;
}

interface Props {
  readonly columns: readonly ColumnChoice[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly onDefaults: () => void;
}

/** The gear that opens a checklist of columns. */
export function ColumnChooser({ columns, chosen, onChoose, onDefaults }: Props) {
  const t = useText();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector('input')?.focus();
    const leave = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false)
        setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
    };
  }, [isOpen]);

  const toggle = (column: string) => {
    const wanted = chosen.includes(column)
      ? chosen.filter((other) => other !== column)
      : [...chosen, column];
    onChoose(columns.map((choice) => choice.id).filter((name) => wanted.includes(name)));
  };
  return (
    <div className="menu-button" ref={root}>
      <button
        type="button"
        ref={button}
        className="icon-button"
        aria-label={t('columns.choose')}
        title={t('columns.choose')}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="gear" />
      </button>
      {isOpen && (
        <div
          className="menu-list menu-right column-list"
          id={id}
          role="group"
          aria-label={t('columns.choose')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setOpen(false);
            button.current?.focus();
          }}
        >
          {columns.map((column) => (
            <label key={column.id} className="menu-entry">
              <input
                type="checkbox"
                checked={chosen.includes(column.id)}
                onChange={() => {
                  toggle(column.id);
                }}
              />
              {column.label}
            </label>
          ))}
          <button type="button" className="menu-entry menu-defaults" onClick={onDefaults}>
            {t('columns.defaults')}
          </button>
        </div>
      )}
    </div>
  );
}
