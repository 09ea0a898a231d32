import type { ReactNode } from 'react';
import { SortHeader } from '#ui/table.tsx';
import { useText } from '#ui/text.ts';
import type { TextKey } from '#ui/text.ts';
import './files-table.css';

interface Props {
  /** What it is called by who reads it out. */
  readonly label: string;
  readonly columns: readonly TextKey[];
  readonly caption?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A table that becomes cards where it is narrow. */
export function FilesTable({ label, columns, caption, className = '', children }: Props) {
  const t = useText();
  return (
    <table
      className={`ui unstackable table files-table ${className}`}
      role="table"
      aria-label={label}
    >
      {caption !== undefined && <caption>{caption}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <SortHeader key={column} sortKey={null} order="" onOrder={() => undefined}>
              {t(column)}
            </SortHeader>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}
