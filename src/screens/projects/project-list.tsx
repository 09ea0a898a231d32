import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { countFilters, projectFiltersFor } from '#rules/record/project-query.ts';
import type { Of } from '#schema/index.ts';
import type { ListFilter, ListView } from '#data/model/views.ts';
import {
  useChanges,
  useData,
  useList,
  useServerList,
  useViewer,
  toldOr,
} from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useFilterHere, useListAbove, useOpenView } from '../app/page/here.tsx';
import { ListPage } from '../app/page/list-page.tsx';
import { useListAddress, useRowKeys, useSelection } from '../app/page/list-state.ts';
import type { ListAddress } from '../app/page/list-state.ts';
import {
  BulkBarPlace,
  EmptyList,
  ListHeading,
  ListLinks,
  ProjectFilterPlace,
} from './list/list-bar.tsx';
import { lists, narrowed, useProjectColumns } from './lists.ts';
import type { ListName, ProjectList as List } from './lists.ts';
import { ProjectCard } from './list/project-card.tsx';

type Project = Of<'project'>;

/** A list of more rows is long: it draws those that fill a window, and others as they come into view. */
const SHORT_MOST = 50;
const DRAWN_AT_ONCE = 20;
/** The rows that fill a phone: a search waits for none beyond these, and others follow at once. */
const DRAWN_FIRST = 3;

/**
 * Says whether all `count` rows that `wanted` names may be drawn: once those in view were, if there
 * are others.
 */
function useHasFirst(wanted: string, count: number): boolean {
  const [drawn, setDrawn] = useState('');
  const isAll = count <= DRAWN_FIRST;
  const { painted } = useUiEnvironment();
  useEffect(() => {
    if (isAll) return undefined;
    return painted(() => {
      startTransition(() => {
        setDrawn(wanted);
      });
    });
  }, [wanted, isAll, painted]);
  return isAll || drawn === wanted;
}

/** `/projects/{own|organization|all|active|archived}` */
export function ProjectList({ name }: { readonly name: ListName }) {
  // Another list or organization begins anew: selection, paging, what lingers.
  return <OneList key={`${name} ${useFilterHere().organization ?? ''}`} list={lists[name]} />;
}

function OneList({ list }: { readonly list: List }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const here = useFilterHere();
  const address = useListAddress(list.order);
  useListAbove();
  const isOffline = useChanges().status === 'offline';
  const { shown: shownColumns, productOrder, ...table } = useProjectColumns(list.key, list.columns);
  const kept = { ...list.keeps(viewer.id), ...here };
  const filters = projectFiltersFor(viewer.id, address.filter);
  const isFiltered = countFilters(filters) > 0;
  const filter = narrowed(kept, filters, viewer.id);
  const view = useOpenView({ shows: 'projects', list: list.name }, address.filter('view'));
  const { search, order, page, pageSize } = address;
  const found = useProjects(filter, address);
  const lingering = useLingering(found.rows);
  const { rows } = lingering;
  const isLong = rows.length > SHORT_MOST;
  const wanted = JSON.stringify([search, order, page, pageSize, filters]);
  const hasFirst = useHasFirst(wanted, rows.length);
  const shown = useMemo(() => rows.map(({ id }) => id), [rows]);
  const keys = useRowKeys(wanted, shown);
  const selection = useSelection(shown);
  const { total } = found;
  return (
    <ListPage
      title={view?.name ?? t(list.title)}
      heading={<ListHeading list={list} view={view} />}
      count={isOffline ? t('sync.onDevice', { number: total }) : total}
      list={{ ...found, rows }}
      empty={<EmptyList list={list} address={address} isFiltered={isFiltered} />}
      address={address}
      search={{
        label: t('projectTable.search'),
        help: t('projectTable.searchHelp'),
        about: t('projectTable.searchWhat'),
        found: t('projectTable.found', { count: total }),
        isNarrowed: isFiltered,
        prepare: (typed) => {
          data.lists.prepareSearch(typed);
        },
      }}
      filters={
        <>
          <ProjectFilterPlace
            list={list}
            view={view}
            kept={kept}
            filters={filters}
            address={address}
          />
          <BulkBarPlace
            list={list}
            selection={selection}
            shown={shown}
            total={found.isTold ? rows.length : total}
            filter={filter}
            search={search}
            onArchived={lingering.keep}
          />
          <ListLinks />
        </>
      }
      table={{
        className: `project-table columns-${table.columns.length} ${isLong ? 'is-long' : ''}`,
        ...table,
        order,
        onOrder: address.setOrder,
        selection,
      }}
    >
      {rows.map((project, index) => (
        <ProjectCard
          key={keys[index]}
          project={project}
          isFar={isLong && index >= DRAWN_AT_ONCE}
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
    </ListPage>
  );
}

/**
 * A page of the projects in view. A super admin's device keeps those of one organization: with all
 * in view the server tells the page, and while it is away, what is here stands for it.
 */
function useProjects(
  filter: ListFilter<'project'>,
  { search, order, page, pageSize }: ListAddress,
): ListView<'project'> & { readonly isTold: boolean } {
  const { isSuperAdmin } = useViewer();
  const isAll = isSuperAdmin && filter.organization === undefined;
  const at = { sort: order, page: { offset: page, limit: pageSize } };
  const told = useServerList(
    'project',
    isAll ? { filter, ...at, special: search === '' ? [] : [['search-term', search]] } : null,
  );
  const here = useList('project', filter, {
    ...at,
    ...(search === '' ? {} : { search }),
    ...(isAll ? { anywhere: true } : {}),
  });
  return toldOr(told, here);
}

interface Lingering {
  /** The list with those that just left it still in their places. */
  readonly rows: readonly Project[];
  /** Keeps `projects` where they are although they no longer belong. */
  readonly keep: (projects: readonly Project[]) => void;
}

/**
 * Keeps a project that was just archived or reactivated where it was, so that it can be undone,
 * until the list is left.
 */
function useLingering(found: readonly Project[]): Lingering {
  const { find } = useData();
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>(new Map());

  const rows = [...found];
  const present = new Set(found.map(({ id }) => id));
  for (const [id, place] of [...places].sort(([, a], [, b]) => a - b)) {
    const project = present.has(id) ? null : find.one('project', id);
    if (project !== null) rows.splice(place, 0, project);
  }
  const drawn = useRef(rows);
  useEffect(() => {
    drawn.current = rows;
  });
  const keep = useCallback((projects: readonly Project[]) => {
    const kept = projects
      .map(({ id }) => [id, drawn.current.findIndex((row) => row.id === id)] as const)
      .filter(([, place]) => place >= 0);
    setPlaces((before) => new Map([...before, ...kept]));
  }, []);
  return { rows: places.size === 0 ? found : rows, keep };
}
