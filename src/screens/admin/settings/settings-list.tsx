import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { contains, compareTexts } from '#rules/record/display.ts';
import type { TypeName } from '#schema/index.ts';
import type { ListView } from '#data/model/views.ts';
import { useRecord } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { RecordBadge, recordMarks } from '../../app/page/changes/record-badge.tsx';
import { NoResults } from '../../app/page/empty/no-results.tsx';
import { ListPage } from '../../app/page/list-page.tsx';
import { useListAddress } from '../../app/page/list-state.ts';

/** So many rows are looked through by eye. */
const SEARCHED_FROM = 10;

interface Named {
  readonly id: string;
  readonly name: string | null;
}

interface Props<T extends Named> {
  readonly title: string;
  readonly list: Pick<ListView<TypeName>, 'state' | 'asOf'> & { readonly rows: readonly T[] };
  readonly columns: readonly string[];
  readonly actions?: ReactNode;
  /** Shown where there is none at all. */
  readonly empty: ReactNode;
  readonly rowOf: (record: T) => ReactNode;
}

/** A list of the settings, by name: searched where there are many, with a page for each 20. */
export function SettingsList<T extends Named>(props: Props<T>) {
  const { title, list, columns, actions, empty, rowOf } = props;
  const t = useText();
  const address = useListAddress('name');
  const { search, page, pageSize, order } = address;
  const isDescending = order.startsWith('-');
  const found = list.rows
    .filter(({ name }) => contains([name ?? ''], search))
    .sort((a, b) => compareTexts(a.name, b.name, isDescending));
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  const isSearched = list.rows.length >= SEARCHED_FROM || search !== '';
  return (
    <ListPage
      title={title}
      count={found.length}
      list={{ ...list, rows: shown, total: found.length }}
      empty={
        list.rows.length === 0 ? empty : <NoResults search={search} setSearch={address.setSearch} />
      }
      actions={actions}
      address={address}
      {...(isSearched
        ? {
            search: {
              label: t('admin.settings.search'),
              help: t('admin.settings.searchHelp'),
              about: t('admin.settings.searchWhat'),
              found: t('admin.settings.found', { count: found.length }),
            },
          }
        : {})}
      table={{
        className: 'project-table settings-table',
        columns: [
          { title: t('fields.name'), sort: 'name' },
          ...columns.map((column) => ({ title: column, sort: null })),
        ],
        order,
        onOrder: address.setOrder,
      }}
    >
      {shown.map(rowOf)}
    </ListPage>
  );
}

interface RowProps {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string;
  /** A quiet line below the name. */
  readonly about?: string | null;
  /** Where the record is edited. */
  readonly to: string;
  readonly cells: readonly { readonly title: string; readonly content: ReactNode }[];
  /** Stands before the pencil. */
  readonly actions?: ReactNode;
}

export function SettingsRow({ type, id, name, about = null, to, cells, actions }: RowProps) {
  const t = useText();
  const { change } = useRecord(type, id);
  return (
    <tbody role="rowgroup" {...recordMarks({ type, id, change })}>
      <tr role="row">
        <Cell label={t('fields.name')} className="name-cell">
          <Link to={to}>
            <bdi>{name === '' ? t('admin.settings.noName') : name}</bdi>
          </Link>{' '}
          <RecordBadge record={id} change={change} />
          {about !== null && <div className="caption clipped">{about}</div>}
        </Cell>
        {cells.map(({ title, content }) => (
          <Cell key={title} label={title}>
            {content}
          </Cell>
        ))}
        <td role="cell" className="end">
          <span className="row-actions">
            {actions}
            <Link
              className="icon-button"
              to={to}
              aria-label={t('admin.settings.editNamed', { name })}
            >
              <Icon name="edit" />
            </Link>
          </span>
        </td>
      </tr>
    </tbody>
  );
}
