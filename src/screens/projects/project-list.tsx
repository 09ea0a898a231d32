import { startTransition, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useChanges, useList, useViewer } from '#data/react/hooks.ts';
import { ErrorBox, NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { CheckBox } from '#ui/form/check-box.tsx';
import { ColumnChooser } from '#ui/table/column-chooser.tsx';
import { Hint } from '#ui/overlay/hint.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Pager } from '#ui/table/pager.tsx';
import { momentOf } from '#ui/value/relative-time.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { useSetting } from '#ui/ui-environment.tsx';
import { SortHeader } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useIsNarrow } from '#ui/use-is-narrow.ts';
import { LatePart, loadWithTexts } from '../app/page/late/late-part.tsx';
import { usePageTitle } from '../app/page/page-title.ts';
import { useIsAdminHere } from '../app/page/use-here.ts';
import { BulkBar } from './list/bulk-bar.tsx';
import { ListLinks } from './list/list-links.tsx';
import { columnNames, columns, isColumn, lists, projectColumns } from './lists.ts';
import type { ColumnName, ListName, ProjectList as List } from './lists.ts';
import { ProjectCard } from './list/project-card.tsx';
import type { ProductOrder } from './list/product-lines.tsx';
import { useAddress } from './list/use-address.ts';
import { useLingering } from './list/use-lingering.ts';
import { useSelection } from './list/use-selection.ts';

const loadColumnList = loadWithTexts(
  async () => (await import('#ui/table/column-list.tsx')).ColumnList,
);
const loadSortChoice = loadWithTexts(
  async () => (await import('./list/sort-choice.tsx')).SortChoice,
);
const loadNoProjects = loadWithTexts(
  async () => (await import('./list/no-projects.tsx')).NoProjects,
);

/** Rows beyond these are drawn as they come into view. */
const DRAWN_AT_ONCE = 50;
/** The rows that one sees without scrolling: a search waits for no row that is new beyond these. */
const DRAWN_FIRST = 6;

/** Says whether all that `wanted` names may be drawn: once the rows in view were. */
function useHasFirst(wanted: string): boolean {
  const [drawn, setDrawn] = useState('');
  useEffect(() => {
    startTransition(() => {
      setDrawn(wanted);
    });
  }, [wanted]);
  return drawn === wanted;
}

/** The order of the products in every card, until the list is left. */
function useProductOrder(): ProductOrder {
  const [order, onOrder] = useState('');
  return useMemo(() => ({ order, onOrder }), [order]);
}

const isColumns = (value: unknown): value is readonly ColumnName[] =>
  Array.isArray(value) && value.every(isColumn);

/** `/projects/{own|organization|all|active|archived}` */
export function ProjectList({ name }: { readonly name: ListName }) {
  // Another list or organization begins anew: selection, paging, what lingers.
  return <OneList key={`${name} ${useOrganization() ?? ''}`} list={lists[name]} />;
}

function OneList({ list }: { readonly list: List }) {
  const t = useText();
  const language = useLanguage();
  const viewer = useViewer();
  const organization = useOrganization();
  const address = useAddress(list);
  const { status, sendNow } = useChanges();
  const [shownColumns, setColumns] = useSetting(
    `slipway.columns.${list.key}`,
    list.columns,
    isColumns,
  );
  const filter = {
    ...list.keeps(viewer.id),
    ...(organization === null ? {} : { organization }),
  };
  const { search, order, page, pageSize } = address;
  const found = useList('project', filter, {
    sort: order,
    ...(search === '' ? {} : { search }),
    page: { offset: page, limit: pageSize },
  });
  const hasFirst = useHasFirst([search, order, page, pageSize].join(' '));
  const lingering = useLingering(found.rows);
  const { rows } = lingering;
  const shown = useMemo(() => rows.map(({ id }) => id), [rows]);
  const selection = useSelection(shown);
  const productOrder = useProductOrder();
  const isNarrow = useIsNarrow();
  const title = t(list.title);
  usePageTitle(title);

  const isOffline = status === 'offline';
  const last = Math.max(1, Math.ceil(found.total / pageSize));
  const { setPage } = address;
  const isBeyond = found.state === 'ready' && page > last;
  useEffect(() => {
    if (isBeyond) setPage(last);
  }, [isBeyond, last, setPage]);
  return (
    <>
      <PageHead
        title={<ListMenu list={list} total={found.total} isOffline={isOffline} />}
        context={
          isOffline && found.asOf !== null ? (
            <span className="caption">
              {t('sync.asOf', { time: momentOf(found.asOf, language) })}
            </span>
          ) : undefined
        }
        actions={
          <>
            <SearchField
              label={t('projectTable.search')}
              value={search}
              waitMs={limits.searchDebounceMs}
              onSearch={address.setSearch}
            />
            <Hint text={t('projectTable.searchHelp')}>
              <Icon name="info" label={t('projectTable.searchWhat')} />
            </Hint>
          </>
        }
        filters={
          <>
            <BulkBar
              list={list}
              selection={selection}
              shown={shown}
              total={found.total}
              filter={filter}
              search={search}
              onArchived={lingering.keep}
            />
            <ListLinks />
            {isNarrow && (
              <LatePart
                load={loadSortChoice}
                props={{ columns: shownColumns, order, onOrder: address.setOrder }}
              />
            )}
          </>
        }
      />
      <div role="status" className="out-of-sight">
        {search !== '' &&
          found.state === 'ready' &&
          t('projectTable.found', { count: found.total })}
      </div>
      {found.state === 'loading' && rows.length === 0 && <Skeleton rows={6} />}
      {found.state === 'not-here' && <NotOnDevice onTryAgain={sendNow} />}
      {found.state === 'error' && rows.length === 0 && (
        <ErrorBox title={t('errors.listTitle')}>{t('errors.listText')}</ErrorBox>
      )}
      {found.state === 'ready' && rows.length === 0 && (
        <LatePart load={loadNoProjects} props={{ list, search, onClear: address.setSearch }} />
      )}
      {rows.length > 0 && (
        <table className="ui unstackable table project-table" role="table" aria-label={title}>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" className="tight">
                <CheckBox
                  label={t('projectTable.selectAll')}
                  state={selectedOf(rows, selection.ids)}
                  onChange={(isSelected) => {
                    selection.setAll(shown, isSelected);
                  }}
                />
              </th>
              <SortHeader sortKey="name" order={order} onOrder={address.setOrder}>
                {t('projectTable.columns.project')}
              </SortHeader>
              {projectColumns(shownColumns).map((column) => (
                <SortHeader
                  key={column}
                  sortKey={columns[column].sort}
                  order={order}
                  onOrder={address.setOrder}
                >
                  {t(columns[column].title)}
                </SortHeader>
              ))}
              <th role="columnheader" className="end">
                <ColumnChooser>
                  <LatePart
                    load={loadColumnList}
                    props={{
                      columns: columnNames.map((id) => ({ id, label: t(columns[id].title) })),
                      chosen: shownColumns,
                      onChoose: (chosen) => {
                        setColumns(chosen.filter(isColumn));
                      },
                      onDefaults: () => {
                        setColumns(null);
                      },
                    }}
                  />
                </ColumnChooser>
              </th>
            </tr>
          </thead>
          {rows.map((project, index) => (
            <ProjectCard
              key={project.id}
              project={project}
              isFar={index >= DRAWN_AT_ONCE}
              isLate={index >= DRAWN_FIRST && !hasFirst}
              columns={shownColumns}
              productOrder={productOrder}
              search={search}
              isDimmed={list.dims(project)}
              isSelected={selection.ids.has(project.id)}
              onSelect={selection.set}
              onArchiving={lingering.keep}
            />
          ))}
        </table>
      )}
      <Pager page={page} pageSize={pageSize} total={found.total} onPage={address.setPage} />
    </>
  );
}

function selectedOf(rows: readonly Of<'project'>[], ids: ReadonlySet<string>) {
  const selected = rows.filter(({ id }) => ids.has(id)).length;
  if (selected === 0) return 'none';
  return selected === rows.length ? 'all' : 'some';
}

interface MenuProps {
  readonly list: List;
  readonly total: number;
  readonly isOffline: boolean;
}

/** The title is the way to the other lists. */
function ListMenu({ list, total, isOffline }: MenuProps) {
  const t = useText();
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const offered = Object.values(lists).filter(({ name }) => name !== 'active' || isAdmin);

  return (
    <>
      <MenuButton
        className="title-menu"
        align="left"
        label={t('projects.switcher.label', { list: t(list.title) })}
        entries={offered.map(({ name, title }) => ({
          id: name,
          label: t(title),
          isChosen: name === list.name,
          run: () => void go(`/projects/${name}`),
        }))}
      >
        {t(list.title)}
        <Icon name="down" />
      </MenuButton>{' '}
      <span className="title-count">
        {isOffline ? t('sync.onDevice', { number: total }) : total}
      </span>
    </>
  );
}
