import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { ProductIcon } from '#ui/picture/product-icon.tsx';
import { RelativeTime } from '#ui/value/relative-time.tsx';
import { Cell, SortHeader } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { columns as known } from '../lists.ts';
import type { ColumnName } from '../lists.ts';

/** The order of the products inside each card of a list, and the way to change it. */
export interface ProductOrder {
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

interface Props {
  readonly project: string;
  readonly columns: readonly ColumnName[];
  readonly order: ProductOrder;
  readonly width: number;
  readonly dimmed: string;
}

const SHOWN = 5;

/** The products of a project in its card: the first few, the others on demand. */
export function ProductLines({ project, columns, order, width, dimmed }: Props) {
  const t = useText();
  const { rows } = useList('product', { project }, { sort: 'dateCreated' });
  const [showsAll, setShowsAll] = useState(false);
  if (columns.length === 0) return null;
  const sorted = inOrder(rows, order.order);
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  const hidden = rows.length - shown.length;
  return (
    <tr role="row" className={`product-row ${dimmed}`}>
      <td role="cell" className="empty-on-cards" />
      <td role="cell" colSpan={width}>
        {rows.length === 0 ? (
          <div className="no-products">{t('projectTable.noProducts')}</div>
        ) : (
          <table className="product-table" role="table" aria-label={t('projectTable.products')}>
            <thead role="rowgroup">
              <tr role="row">
                <SortHeader sortKey={null} {...order}>
                  {t('projectTable.products')}
                </SortHeader>
                {columns.map((column) => (
                  <SortHeader key={column} sortKey={known[column].sort} {...order}>
                    {t(known[column].title)}
                  </SortHeader>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {shown.map((product) => (
                <Line key={product.id} product={product} columns={columns} />
              ))}
            </tbody>
          </table>
        )}
        {hidden > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setShowsAll(true);
            }}
          >
            {t('projectTable.showMore', { number: hidden })}
          </button>
        )}
      </td>
    </tr>
  );
}

interface LineProps extends Pick<Props, 'columns'> {
  readonly product: Of<'product'>;
}

function Line({ product, columns }: LineProps) {
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  return (
    <tr role="row">
      <td role="cell" className="product-name">
        <ProductIcon name={name} />
        <Link to={`/products/${product.id}/files`}>{name}</Link>
      </td>
      {columns.map((column) => (
        <Cell key={column} label={t(known[column].title)}>
          {valueOf(product, column)}
        </Cell>
      ))}
    </tr>
  );
}

function valueOf(product: Of<'product'>, column: ColumnName): ReactNode {
  if (column === 'buildVersion') return product.versionBuilt ?? '-';
  const at = column === 'buildDate' ? product.dateBuilt : product.dateUpdated;
  return <RelativeTime at={at} empty="-" />;
}

/** Sorts by version as people count, 1.9 before 1.10, or by date; what has neither stands last. */
function inOrder(rows: readonly Of<'product'>[], order: string): readonly Of<'product'>[] {
  const key = order.replace('-', '');
  if (key !== 'versionBuilt' && key !== 'dateBuilt') return rows;
  const way = key === order ? 1 : -1;
  return [...rows].sort(({ [key]: a }, { [key]: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a.localeCompare(b, 'en', { numeric: true }) * way;
  });
}
