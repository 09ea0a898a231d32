import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import './chart-frame.css';

export interface ChartFrameProps {
  readonly title: string;
  /** Says what the figures leave out. */
  readonly note?: ReactNode;
  /** The same figures; made when they are looked at. */
  readonly table: () => ReactNode;
}

/** What every chart has around it: its name, and its figures below. */
export function ChartFrame({
  title,
  note,
  table,
  children,
}: ChartFrameProps & { readonly children: ReactNode }) {
  const t = useText();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note !== undefined && <p className="caption">{note}</p>}
      {children}
      <details
        className="chart-figures"
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
        }}
      >
        <summary>{t('charts.figures')}</summary>
        {isOpen && table()}
      </details>
    </section>
  );
}
