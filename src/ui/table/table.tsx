import type { ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';

/** "name", or "-name" when it descends. */
export type Order = string;

/** The order after a click on the header of `key`: ascending first, then the other way. */
export function nextOrder(order: Order, key: string): Order {
  return order === key ? `-${key}` : key;
}

interface Props {
  readonly sortKey: string | null;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly children: string;
}

/** A column's head; a button where the column can be sorted by. */
export function SortHeader({ sortKey, order, onOrder, children }: Props) {
  const isAscending = order === sortKey;
  const isDescending = order === `-${sortKey ?? ''}`;
  if (sortKey === null)
    return (
      <th role="columnheader" scope="col">
        {children}
      </th>
    );
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}
    >
      <button
        type="button"
        className="sort-button"
        onClick={() => {
          onOrder(nextOrder(order, sortKey));
        }}
      >
        {children}
        {isAscending && <Icon name="arrowUp" />}
        {isDescending && <Icon name="arrowDown" />}
      </button>
    </th>
  );
}

interface CellProps {
  /** The column's name, shown where the table has become cards. */
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Cell({ label, children, className = '' }: CellProps) {
  return (
    <td role="cell" className={className}>
      <span className="cell-label" aria-hidden>
        {label}
      </span>
      <span className="cell-value">{children}</span>
    </td>
  );
}
