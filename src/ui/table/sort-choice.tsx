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
  // A key may begin with a minus itself: what is newest stands first in its ascending order.
  const isAscending = columns.some(({ sort }) => sort === order);
  const key = isAscending ? order : order.slice(1);
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
        aria-label={isAscending ? t('projectTable.ascending') : t('projectTable.descending')}
        onClick={() => {
          onOrder(isAscending ? `-${key}` : key);
        }}
      >
        <Icon name={isAscending ? 'arrowUp' : 'arrowDown'} />
      </button>
    </>
  );
}
