import { Icon } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

interface Props {
  readonly columns: readonly { readonly title: string; readonly sort: string | null }[];
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

/** Stands in for the column heads where the table has become cards. */
export function SortChoice({ columns, order, onOrder }: Props) {
  const t = useText();
  const descends = order.startsWith('-');
  const key = descends ? order.slice(1) : order;
  return (
    <>
      <label>
        {t('projectTable.sortBy')}{' '}
        <select
          value={key}
          onChange={(event) => {
            onOrder(event.target.value);
          }}
        >
          {columns.map(
            ({ title, sort }) =>
              sort !== null && (
                <option key={sort} value={sort}>
                  {title}
                </option>
              ),
          )}
        </select>
      </label>
      <button
        type="button"
        className="icon-button"
        aria-label={descends ? t('projectTable.descending') : t('projectTable.ascending')}
        onClick={() => {
          onOrder(descends ? key : `-${key}`);
        }}
      >
        <Icon name={descends ? 'arrowDown' : 'arrowUp'} />
      </button>
    </>
  );
}
