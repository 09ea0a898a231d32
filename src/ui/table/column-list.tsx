import { useEffect, useRef } from 'react';
import { useText } from '../text/text.ts';

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

/** A checklist of columns, and the way back to the defaults. */
export function ColumnList({ columns, chosen, onChoose, onDefaults }: Props) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('input')?.focus();
  }, []);
  const toggle = (column: string) => {
    const wanted = chosen.includes(column)
      ? chosen.filter((other) => other !== column)
      : [...chosen, column];
    onChoose(columns.map((choice) => choice.id).filter((name) => wanted.includes(name)));
  };
  return (
    <div
      ref={list}
      className="menu-list menu-right column-list"
      role="group"
      aria-label={t('columns.choose')}
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
  );
}
