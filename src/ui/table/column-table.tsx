import type { ReactNode } from 'react';
import { useText } from '../text/text.ts';
import type { TextKey } from '../text/text.ts';

export interface ColumnTableProps {
  /** The name that a screen reader says. */
  readonly label: string;
  readonly columns: readonly TextKey[];
  /** The columns of figures: their heads end where the figures do. */
  readonly figures?: readonly TextKey[];
  readonly caption?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A table whose columns are only named: nothing sorts by them. */
export function ColumnTable(props: ColumnTableProps) {
  const { label, columns, figures = [], caption, className = '', children } = props;
  const t = useText();
  return (
    <table className={`ui unstackable table ${className}`} role="table" aria-label={label}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column}
              role="columnheader"
              scope="col"
              className={figures.includes(column) ? 'figure' : undefined}
            >
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}
