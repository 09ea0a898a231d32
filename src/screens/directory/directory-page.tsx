import { useContext, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { isDay, nextDay, startOfDay } from '#base/day.ts';
import { isUuid } from '#base/id.ts';
import { fold } from '#base/unicode.ts';
import { compareTexts } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { limits } from '#protocol/limits.ts';
import { useData, useFind, useList, useServerList, toldOr } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { EmptyBox, Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { TimeZoneContext } from '#ui/value/values.tsx';
import { useIsNarrow, useUiEnvironment } from '#ui/ui-environment.tsx';
import { ListPage } from '../app/page/list-page.tsx';
import { useListAddress } from '../app/page/list-state.ts';
import type { ListAddress } from '../app/page/list-state.ts';
import { LanguagePicker } from '../projects/fields/language-picker.tsx';
import { ProjectCard } from '../projects/list/project-card.tsx';
import { useProjectColumns } from '../projects/lists.ts';
import type { ColumnName } from '../projects/lists.ts';
import { PastDayField } from './day-field.tsx';
import './directory.css';

const AT_FIRST: readonly ColumnName[] = ['organization', 'language', 'buildVersion'];

/** The filters of the directory, by their names in the address. */
const FILTERS = ['language', 'product', 'organization', 'from', 'to'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

/** A filter as the address has it; what cannot be one counts as none. */
function filterIn(address: ListAddress, name: keyof Filters): string {
  const value = address.filter(name);
  switch (name) {
    case 'language':
      return value.trim().slice(0, 100);
    case 'product':
    case 'organization':
      return isUuid(value) ? value : '';
    case 'from':
    case 'to':
      return isDay(value) ? value : '';
  }
}

/** The first moment (ISO) of `day`. */
const beginOf = (day: string, zone: string | null) => new Date(startOfDay(day, zone)).toISOString();

/** The last moment (ISO) of `day`. */
const endOf = (day: string, zone: string | null) =>
  new Date(startOfDay(nextDay(day), zone) - 1).toISOString();

const none = () => undefined;

/** `/directory`: the public projects of all organizations */
export function Directory() {
  const t = useText();
  const { lists } = useData();
  const address = useListAddress('name');
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, filterIn(address, name)]),
  ) as unknown as Filters;
  const { shown: shownColumns, productOrder, ...table } = useProjectColumns('directory', AT_FIRST);
  const { isTold, ...found } = useDirectory(address, filters);
  const { total, rows } = found;
  const isFiltered = FILTERS.some((name) => filters[name] !== '');
  const isNarrowed = isFiltered || address.search !== '';
  const clear = () => {
    address.setFilters({ search: '', ...Object.fromEntries(FILTERS.map((name) => [name, ''])) });
  };
  return (
    <ListPage
      title={t('sidebar.directory')}
      count={isTold ? total : t('sync.onDevice', { number: total })}
      list={found}
      empty={
        <EmptyBox
          icon="globe"
          title={t(isNarrowed ? 'common.noResults' : 'directory.empty')}
          action={
            isNarrowed ? (
              <Button onClick={clear}>{t('directory.clear')}</Button>
            ) : (
              <Link className="ui button" to="/projects/own">
                {t('projects.switcher.dropdown.myProjects')}
              </Link>
            )
          }
        >
          {t('directory.emptyText')}
        </EmptyBox>
      }
      address={address}
      search={{
        label: t('projectTable.search'),
        help: t('projectTable.searchHelp'),
        about: t('projectTable.searchWhat'),
        found: t('projectTable.found', { count: total }),
        prepare: (typed) => {
          lists.prepareSearch(typed);
        },
      }}
      filters={
        <div className="directory-filters">
          <FilterFields filters={filters} address={address} onClear={isFiltered ? clear : null} />
          {!isTold && found.state === 'ready' && (
            <Note tone="info">{t('directory.notComplete')}</Note>
          )}
        </div>
      }
      table={{
        className: 'project-table directory-table',
        ...table,
        order: address.order,
        onOrder: address.setOrder,
      }}
    >
      {rows.map((project) => (
        <ProjectCard
          key={project.id}
          project={project}
          isFar={false}
          isLate={false}
          columns={shownColumns}
          productOrder={productOrder}
          search={address.search}
          isDimmed={false}
          isSelected={false}
          onSelect={null}
          onArchiving={none}
        />
      ))}
    </ListPage>
  );
}

/** A page of the directory as the server tells it; while it is away, of what is on this device. */
function useDirectory(
  { search, order, page, pageSize }: ListAddress,
  filters: Filters,
): ListView<'project'> & { readonly isTold: boolean } {
  const zone = useContext(TimeZoneContext);
  const { language, product, organization, from, to } = filters;
  const special = [
    ['search-term', search],
    ['language', language === '' ? '' : `like:${language}`],
    ['any-product-definition-id', product],
    ['organization-id', organization],
    ['project-updated-date', from === '' ? '' : `ge:${beginOf(from, zone)}`],
    ['project-updated-date', to === '' ? '' : `le:${endOf(to, zone)}`],
  ] as const;
  const told = useServerList('project', {
    filter: { isPublic: true, dateArchived: { isNull: true } },
    special: special.filter(([, value]) => value !== ''),
    sort: order,
    page: { offset: page, limit: pageSize },
  });
  const here = useDirectoryHere(search, order, filters);
  const rows = here.rows.slice((page - 1) * pageSize, page * pageSize);
  return toldOr(told, { ...here, rows, total: here.rows.length });
}

/** The public projects on this device: of one's own organizations, and those looked at before. */
function useDirectoryHere(search: string, order: string, filters: Filters): ListView<'project'> {
  const zone = useContext(TimeZoneContext);
  const find = useFind();
  const here = useList(
    'project',
    { isPublic: true, dateArchived: { isNull: true } },
    { sort: order, anywhere: true, ...(search === '' ? {} : { search }) },
  );
  const { language, product, organization, from, to } = filters;
  // Once and not for each project: to find where a day begins in a zone takes a millisecond.
  const begin = from === '' ? '' : beginOf(from, zone);
  const end = to === '' ? '' : endOf(to, zone);
  const wanted = fold(language.trim());
  const keeps = (project: Of<'project'>): boolean => {
    const updated = project.dateUpdated ?? '';
    return (
      fold(project.language).includes(wanted) &&
      (organization === '' || project.organization === organization) &&
      (begin === '' || updated >= begin) &&
      (end === '' || updated <= end) &&
      (product === '' ||
        find
          .all('product', { project: project.id })
          .some(({ productDefinition }) => productDefinition === product))
    );
  };
  return { ...here, rows: here.rows.filter(keeps) };
}

interface FieldsProps {
  readonly filters: Filters;
  readonly address: ListAddress;
  /** Null while no filter is set. */
  readonly onClear: (() => void) | null;
}

/** The filters in a row; where it is narrow, in a panel that a button opens. */
function FilterFields(props: FieldsProps) {
  const t = useText();
  const isNarrow = useIsNarrow();
  const number = FILTERS.filter((name) => props.filters[name] !== '').length;
  if (!isNarrow) return <Fields {...props} />;
  return (
    <details className="directory-panel">
      <summary className="ui button">
        {number === 0 ? t('directory.filters') : t('directory.filtersSet', { number })}
      </summary>
      <Fields {...props} />
    </details>
  );
}

function Fields({ filters, address, onClear }: FieldsProps) {
  const t = useText();
  const { setFilters } = address;
  const { rows: definitions } = useList('productDefinition', {}, { sort: 'name' });
  const organizations = useOrganizationsWithPublic();
  return (
    <div className="ui form directory-fields">
      <LanguageFilter
        value={filters.language}
        onChange={(language) => {
          setFilters({ language });
        }}
      />
      <Choice
        label={t('directory.product')}
        all={t('directory.allProducts')}
        value={filters.product}
        options={definitions}
        onChange={(product) => {
          setFilters({ product });
        }}
      />
      <Choice
        label={t('projectTable.columns.organization')}
        all={t('directory.allOrganizations')}
        value={filters.organization}
        options={organizations}
        onChange={(organization) => {
          setFilters({ organization });
        }}
      />
      <PastDayField
        label={t('directory.from')}
        value={filters.from}
        latest={filters.to}
        onChange={(from) => {
          setFilters({ from });
        }}
      />
      <PastDayField
        label={t('directory.to')}
        value={filters.to}
        earliest={filters.from}
        onChange={(to) => {
          setFilters({ to });
        }}
      />
      {onClear !== null && <Button onClick={onClear}>{t('directory.clear')}</Button>}
    </div>
  );
}

/** The organizations that have public projects, as far as anybody tells. */
function useOrganizationsWithPublic(): readonly Of<'organization'>[] {
  const told = useServerList('organization', WITH_PUBLIC);
  const here = useList('project', { isPublic: true, dateArchived: { isNull: true } }, ANYWHERE);
  const find = useFind();
  const known = useMemo(
    () =>
      [...new Set(here.rows.map(({ organization }) => organization))]
        .flatMap((id) => find.one('organization', id) ?? [])
        .sort((a, b) => compareTexts(a.name, b.name)),
    [here.rows, find],
  );
  return told.state === 'ready' ? told.rows : known;
}

const ANYWHERE = { anywhere: true } as const;
const WITH_PUBLIC = {
  filter: {},
  special: [['with-public-projects', 'true']],
  sort: 'name',
  page: { offset: 1, limit: limits.pageSizeMost },
} as const;

interface LanguageProps {
  readonly value: string;
  readonly onChange: (language: string) => void;
}

/** A language to filter by: what is typed counts once the typing rests. */
function LanguageFilter({ value, onChange }: LanguageProps) {
  const { later } = useUiEnvironment();
  const [typed, setTyped] = useState(value);
  const [before, setBefore] = useState(value);
  // The address changed otherwise: by Back, or when the filters were cleared.
  if (before !== value) {
    setBefore(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    return later(() => {
      onChange(typed.trim());
    }, limits.searchDebounceMs);
  }, [later, typed, value, onChange]);
  return (
    <div
      onBlur={({ relatedTarget }) => {
        // Whoever follows a link has found it: a filter that comes later would lead back here.
        if (relatedTarget instanceof HTMLAnchorElement) setTyped(value);
        else if (typed.trim() !== value) onChange(typed.trim());
      }}
    >
      <LanguagePicker value={typed} isOptional onChange={setTyped} />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The name of the choice that keeps everything. */
  readonly all: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string | null }[];
  readonly onChange: (id: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(tied) => (
        <select
          {...tied}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">{all}</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {value !== '' && !options.some(({ id }) => id === value) && (
            <option value={value}>…</option>
          )}
        </select>
      )}
    </Field>
  );
}
