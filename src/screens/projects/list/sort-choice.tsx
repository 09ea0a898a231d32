import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { columns, projectColumns } from '../lists.ts';
import type { ColumnName } from '../lists.ts';

interface Props {
  readonly columns: readonly ColumnName[];
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

/** Stands in for the column heads where the table has become cards. */
export function SortChoice({ columns: shown, order, onOrder }: Props) {
  const t = useText();
  const descends = order.startsWith('-');
  const key = descends ? order.slice(1) : order;
  return (
    <div className="sort-choice">
      <label>
        {t('projectTable.sortBy')}{' '}
        <select
          value={key}
          onChange={(event) => {
            onOrder(event.target.value);
          }}
        >
          <option value="name">{t('projectTable.columns.project')}</option>
          {projectColumns(shown).map((column) => (
            <option key={column} value={columns[column].sort ?? column}>
              {t(columns[column].title)}
            </option>
          ))}
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
    </div>
  );
}
