import { ColumnTable } from '#ui/table/column-table.tsx';
import type { ColumnTableProps } from '#ui/table/column-table.tsx';
import './files-table.css';

/** A table that becomes cards where it is narrow. */
export function FilesTable({ className = '', ...table }: ColumnTableProps) {
  return <ColumnTable {...table} className={`files-table ${className}`} />;
}
