import { ColumnTable } from './column-table.tsx';
import type { ColumnTableProps } from './column-table.tsx';
import './card-table.css';

/** A table whose rows become cards where it is narrow. */
export function CardTable({ className = '', ...table }: ColumnTableProps) {
  return <ColumnTable {...table} className={`card-table ${className}`} />;
}
