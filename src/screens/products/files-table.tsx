import { CardTable } from '#ui/table/card-table.tsx';
import type { ColumnTableProps } from '#ui/table/column-table.tsx';
import './files-table.css';

/** A table of builds, files or history. */
export function FilesTable({ className = '', ...table }: ColumnTableProps) {
  return <CardTable {...table} className={`files-table ${className}`} />;
}
