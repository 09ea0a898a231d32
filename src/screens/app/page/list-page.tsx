import { useEffect, useId, useRef, useState } from 'react';
import type { ComponentType, FocusEvent, ReactNode, RefObject } from 'react';
import { limits } from '#protocol/limits.ts';
import type { TypeName } from '#schema/index.ts';
import { useChanges } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { CheckBox, SearchField } from '#ui/form/controls.tsx';
import { Hint } from '#ui/value/values.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { ColumnChooser, Pager, PartsHeader, SortHeader } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useIsNarrow } from '#ui/ui-environment.tsx';
import { WithoutRows } from './device/not-here.tsx';
import { LatePart, loadWithTexts } from './late/late-part.tsx';
import type { ListAddress, RowSelection } from './list-state.ts';
import { usePageTitle } from './page-title.ts';
import type { ViewBarProps } from './views/view-bar.tsx';

const loadColumnList = loadWithTexts(
  async () => (await import('#ui/table/column-list.tsx')).ColumnList,
);
const loadSortChoice = loadWithTexts(
  async () => (await import('#ui/table/sort-choice.tsx')).SortChoice,
);
const loadViewBar = loadWithTexts(async () => (await import('./views/view-bar.tsx')).ViewBar);

interface Column {
  readonly title: string;
  /** Null: nothing sorts by it. */
  readonly sort: string | null;
  /** Its cells list records of their own, which have these parts and an order of their own. */
  readonly within?: Omit<Parameters<typeof PartsHeader>[0], 'children'>;
}

interface TableProps {
  readonly className: string;
  readonly columns: readonly Column[];
  readonly order: string;
  readonly onOrder: (order: string) => void;
  /** Rows that can be selected begin with a box. */
  readonly selection?: RowSelection;
  /** The columns that can be chosen, by their ids. */
  readonly choice?: {
    readonly columns: readonly { readonly id: string; readonly label: string }[];
    readonly chosen: readonly string[];
    readonly onChoose: (chosen: readonly string[]) => void;
    readonly onDefaults: () => void;
  };
  readonly element?: RefObject<HTMLTableElement>;
  readonly onFocus?: (event: FocusEvent) => void;
  readonly onBlur?: () => void;
}

interface Props {
  /** The name of the page and of its table. */
  readonly title: string;
  /** Stands for the title in the page's head. */
  readonly heading?: ReactNode;
  /** How many there are, beside the title; not shown until the list is here. */
  readonly count: ReactNode;
  readonly list: Pick<ListView<TypeName>, 'state' | 'serverError' | 'total' | 'asOf'> & {
    readonly rows: readonly { readonly id: string }[];
  };
  /** Shown where the list is here and has no rows; what a function brings comes when it is wanted. */
  readonly empty: ReactNode | (() => Promise<ComponentType>);
  readonly table: TableProps;
  /** Search and pages, of a list that has them. */
  readonly address?: ListAddress;
  /** The texts of the search. */
  readonly search?: Readonly<Record<'label' | 'help' | 'about' | 'found', string>> & {
    /** See `SearchField`. */
    readonly prepare?: (typed: string) => void;
    /** True while filters keep something out: what is found is said as after a search. */
    readonly isNarrowed?: boolean;
  };
  readonly filters?: ReactNode;
  /** Stands beside the title. */
  readonly actions?: ReactNode;
  /** The bodies of the table. */
  readonly children: ReactNode;
}

/** A page that is a list: its head, and the table or what stands in its place. */
export function ListPage(props: Props) {
  const { title, heading = title, count, list, address, search, filters, table, children } = props;
  const { actions } = props;
  const language = useLanguage();
  const { status, serverError = list.serverError, sendNow } = useChanges();
  const isNarrow = useIsNarrow();
  usePageTitle(title);
  useLastPage(list, address);
  const { columns, order, onOrder } = table;
  const isCounted = count !== null && (list.state === 'ready' || list.rows.length > 0);
  const hasSearch = address !== undefined && search !== undefined;
  const isSortable = list.rows.length > 0 && columns.some(({ sort }) => sort !== null);
  const hasSortChoice = isNarrow && (hasSearch || isSortable);
  const sortChoice = (
    <div className="sort-choice">
      <LatePart load={loadSortChoice} props={{ columns, order, onOrder }} />
    </div>
  );
  return (
    <>
      <PageHead
        title={
          <>
            {heading}{' '}
            {isCounted && (
              <span className="title-count">
                {typeof count === 'number' ? count.toLocaleString(language) : count}
              </span>
            )}
          </>
        }
        asOf={status === 'offline' ? list.asOf : null}
        serverError={list.rows.length > 0 ? serverError : undefined}
        onTryAgain={sendNow}
        {...(hasSearch
          ? {
              actions: (
                <>
                  {actions}
                  <SearchField
                    label={search.label}
                    value={address.search}
                    waitMs={limits.searchDebounceMs}
                    onSearch={address.setSearch}
                    prepare={search.prepare}
                  />
                  <Hint text={search.help} isBeside>
                    <Icon name="info" label={search.about} />
                  </Hint>
                </>
              ),
            }
          : { actions })}
        {...(hasSearch || filters !== undefined || hasSortChoice
          ? {
              filters: (
                <>
                  {filters}
                  {hasSortChoice && sortChoice}
                </>
              ),
            }
          : {})}
      />
      {search !== undefined && (
        <div role="status" className="out-of-sight">
          {(address?.search !== '' || search.isNarrowed) && list.state === 'ready' && search.found}
        </div>
      )}
      {list.rows.length > 0 ? (
        <ListTable title={title} rows={list.rows} {...table}>
          {children}
        </ListTable>
      ) : (
        <WithoutRows list={list} empty={props.empty} />
      )}
      {address !== undefined && (
        <Pager
          page={address.page}
          pageSize={address.pageSize}
          total={list.total}
          onPage={address.setPage}
        />
      )}
    </>
  );
}

/** A page beyond the last one, which rows that left may have been on, gives way to the last. */
export function useLastPage(
  list: { readonly state: string; readonly total: number },
  address?: ListAddress,
): void {
  const { page = 1, pageSize = 1, setPage } = address ?? {};
  const last = Math.max(1, Math.ceil(list.total / pageSize));
  const isBeyond = list.state === 'ready' && page > last;
  useEffect(() => {
    if (isBeyond) setPage?.(last);
  }, [isBeyond, last, setPage]);
}

/** Whether the panel of the filters is open, and what closes it. */
export interface FilterPanelState {
  readonly isOpen: boolean;
  /** Called by Escape and by Done. */
  readonly onClose: () => void;
  /** Called when what had the focus has gone. */
  readonly onGone: () => void;
}

interface FilterPlaceProps<P> {
  /** How many values are chosen. */
  readonly number: number;
  /** The bar of the filters: the same function at every render. */
  readonly load: () => Promise<ComponentType<P & FilterPanelState>>;
  readonly props: P;
  /** What saves the list as it is shown; null: there is nothing to save. */
  readonly views: ViewBarProps | null;
  /** Stands beside them. */
  readonly children?: ReactNode;
}

/** The place of a list's filters, which come once somebody wants them, or the address has some. */
export function FilterPlace<P extends object>({
  number,
  load,
  props,
  views,
  children,
}: FilterPlaceProps<P>) {
  const t = useText();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const focusButton = () => {
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="ui button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name="filter" />
        {number === 0 ? t('projects.filter') : t('projects.filterSet', { number })}
      </button>
      {/* The list goes on without what saves it. */}
      {views !== null && <LatePart load={loadViewBar} props={views} frame={() => null} />}
      {children}
      <div id={id} className="filter-place">
        {(isOpen || number > 0) && (
          <LatePart
            load={load}
            props={{
              ...props,
              isOpen,
              onClose: () => {
                setOpen(false);
                focusButton();
              },
              onGone: focusButton,
            }}
          />
        )}
      </div>
    </>
  );
}

interface ListTableProps extends TableProps {
  readonly title: string;
  readonly rows: readonly { readonly id: string }[];
  readonly children: ReactNode;
}

function ListTable({
  title,
  rows,
  className,
  columns,
  order,
  onOrder,
  selection,
  choice,
  element,
  onFocus,
  onBlur,
  children,
}: ListTableProps) {
  const t = useText();
  const ids = rows.map(({ id }) => id);
  return (
    <table
      className={`ui unstackable table ${className}`}
      role="table"
      aria-label={title}
      ref={element}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <thead role="rowgroup">
        <tr role="row">
          {selection !== undefined && (
            <th role="columnheader" className="tight">
              <CheckBox
                label={t('projectTable.selectAll')}
                state={selectedOf(ids, selection.ids)}
                onChange={(isSelected) => {
                  selection.setAll(ids, isSelected);
                }}
              />
            </th>
          )}
          {columns.map(({ title, sort, within }) =>
            within === undefined ? (
              <SortHeader key={title} sortKey={sort} order={order} onOrder={onOrder}>
                {title}
              </SortHeader>
            ) : (
              <PartsHeader key={title} {...within}>
                {title}
              </PartsHeader>
            ),
          )}
          {choice === undefined ? (
            <td role="cell" className="tight" />
          ) : (
            <th role="columnheader" className="end">
              <ColumnChooser>
                <LatePart load={loadColumnList} props={choice} />
              </ColumnChooser>
            </th>
          )}
        </tr>
      </thead>
      {children}
    </table>
  );
}

function selectedOf(ids: readonly string[], selected: ReadonlySet<string>) {
  const count = ids.filter((id) => selected.has(id)).length;
  if (count === 0) return 'none';
  return count === ids.length ? 'all' : 'some';
}
