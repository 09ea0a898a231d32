import { useEffect, useRef, useState } from 'react';
import { limits } from '#protocol/limits.ts';
import { countFilters } from '#rules/record/project-query.ts';
import type { ProjectFilters } from '#rules/record/project-query.ts';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../../app/page/late/late-part.tsx';
import { ToForm, useIsAdminHere, useMakesProjectsHere } from '../../app/page/here.tsx';
import { FilterPlace } from '../../app/page/list-page.tsx';
import type { ListAddress } from '../../app/page/list-state.ts';
import type { BulkBarProps } from './bulk-bar.tsx';
import type { NoProjectsProps } from './no-projects.tsx';
import type { ProjectList } from '../lists.ts';
import { ListMenu } from './menus.tsx';

const loadNoProjects = loadWithTexts(async () => (await import('./no-projects.tsx')).NoProjects);
const loadFilterBar = loadWithTexts(
  async () => (await import('./project-filters.tsx')).ProjectFilterBar,
);
const loadBulkBar = loadWithTexts(async () => (await import('./bulk-bar.tsx')).BulkBar);

/**
 * The place of what can be done to the selected projects, which comes with the first selection. It
 * says how many there are, and clears them, also where the rest cannot be had.
 */
export function BulkBarPlace(props: Omit<BulkBarProps, 'selected'>) {
  const { selection, shown, total } = props;
  const t = useText();
  const { find } = useData();
  const place = useRef<HTMLDivElement>(null);
  const selected = [...selection.ids].flatMap((id) => find.one('project', id) ?? []);
  const count = selected.length;
  const [isUsed, setUsed] = useState(false);
  if (count > 0 && !isUsed) setUsed(true);
  const hidden = selected.filter(({ id }) => !shown.includes(id)).length;
  const leftOut = count < limits.bulkMost ? 0 : Math.max(0, total - count);
  useEffect(() => {
    // What was pressed is gone with the selection.
    if (isUsed && count === 0 && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true });
  }, [isUsed, count]);
  return (
    <div ref={place} tabIndex={-1} className={`bulk-bar ${count > 0 ? 'has-selection' : ''}`}>
      <span role="status">
        {count > 0 && t('projects.bulk.selected', { count })}
        {hidden > 0 && ` ${t('projects.bulk.notShown', { number: hidden })}`}
        {leftOut > 0 && ` ${t('projects.bulk.leftOut', { count: leftOut })}`}
      </span>
      {count > 0 && (
        <button type="button" className="link-button" onClick={selection.clear}>
          {t('projects.bulk.clear')}
        </button>
      )}
      {isUsed && (
        <LatePart
          load={loadBulkBar}
          props={{ ...props, selected }}
          frame={(trouble) => (count > 0 ? trouble : null)}
        />
      )}
    </div>
  );
}

interface ProjectFilterPlaceProps extends ListHeadingProps {
  /** What the list keeps without filters. */
  readonly kept: ListFilter<'project'>;
  readonly filters: ProjectFilters;
  readonly address: ListAddress;
}

/** The place of the filters, and of what saves them as a view. */
export function ProjectFilterPlace(props: ProjectFilterPlaceProps) {
  const { list, view, kept, filters, address } = props;
  const { search, order, setFilters } = address;
  const number = countFilters(filters);
  const isUsual = number === 0 && search === '' && order === list.order;
  return (
    <FilterPlace
      number={number}
      load={loadFilterBar}
      props={{ list, kept, filters, setFilters }}
      views={
        view === null && isUsual
          ? null
          : {
              of: { shows: 'projects', list: list.name },
              usualOrder: list.order,
              view,
              shown: { filters, search, sort: order },
              setFilters,
            }
      }
    />
  );
}

interface ListHeadingProps {
  readonly list: ProjectList;
  /** The view that is open; null: none is. */
  readonly view: Of<'savedView'> | null;
}

/** The title of a list, or of the view that is open, with the way to the other lists. */
export function ListHeading({ list, view }: ListHeadingProps) {
  return <ListMenu list={list} view={view?.name ?? null} />;
}

/** The ways to new projects, for those who have them. */
export function ListLinks() {
  const t = useText();
  const mayAdd = useMakesProjectsHere();
  const mayImport = useIsAdminHere();
  return (
    <div className="button-row">
      {mayImport && (
        <ToForm to="/projects/import" icon="arrowUp">
          {t('projects.import')}
        </ToForm>
      )}
      {mayAdd && (
        <ToForm to="/projects/new" icon="add">
          {t('header.addProject')}
        </ToForm>
      )}
    </div>
  );
}

/** Stands in place of a list without projects. */
export function EmptyList(props: NoProjectsProps) {
  return <LatePart load={loadNoProjects} props={props} />;
}
