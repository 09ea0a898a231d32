import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { limits } from '#protocol/limits.ts';
import { useData } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../../app/page/late/late-part.tsx';
import type { ListAddress } from '../../app/page/list-state.ts';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { ToForm, useIsAdminHere, useMakesProjectsHere } from '../../app/page/here.tsx';
import type { BulkBarProps } from './bulk-bar.tsx';
import type { NoProjectsProps } from './no-projects.tsx';
import { countOf, lists } from '../lists.ts';
import type { ProjectFilters, ProjectList } from '../lists.ts';

const loadNoProjects = loadWithTexts(async () => (await import('./no-projects.tsx')).NoProjects);
const loadFilterBar = loadWithTexts(async () => (await import('./filter-bar.tsx')).FilterBar);
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

interface FilterPlaceProps {
  readonly list: ProjectList;
  /** What the list keeps without filters. */
  readonly kept: ListFilter<'project'>;
  readonly filters: ProjectFilters;
  readonly setFilters: ListAddress['setFilters'];
}

/** The place of the filters, which come once somebody wants them, or the address has some. */
export function FilterPlace(props: FilterPlaceProps) {
  const t = useText();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const number = countOf(props.filters);
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
      <div id={id} className="filter-place">
        {(isOpen || number > 0) && (
          <LatePart
            load={loadFilterBar}
            props={{
              ...props,
              isOpen,
              onClose: () => {
                setOpen(false);
                button.current?.focus();
              },
              onGone: () => {
                button.current?.focus();
              },
            }}
          />
        )}
      </div>
    </>
  );
}

/** The title of a list is the way to the others. */
export function ListMenu({ list }: { readonly list: ProjectList }) {
  const t = useText();
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const offered = Object.values(lists).filter(({ name }) => name !== 'active' || isAdmin);
  return (
    <MenuButton
      className="title-menu"
      align="left"
      label={t('projects.switcher.label', { list: t(list.title) })}
      entries={offered.map(({ name, title }) => ({
        id: name,
        label: t(title),
        isChosen: name === list.name,
        href: `/projects/${name}`,
        run: () => void go(`/projects/${name}`),
      }))}
    >
      {t(list.title)}
      <Icon name="down" />
    </MenuButton>
  );
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
