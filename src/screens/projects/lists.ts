import { useState } from 'react';
import { ME } from '#rules/record/project-query.ts';
import type { ProjectFilters } from '#rules/record/project-query.ts';
import type { Of } from '#schema/index.ts';
import type { ListFilter } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { useSetting } from '#ui/ui-environment.tsx';

export type ListName = Of<'savedView'>['list'];

/** One of the five project lists: the screen is the same. */
export interface ProjectList {
  readonly name: ListName;
  readonly title: TextKey;
  readonly keeps: (viewer: string) => ListFilter<'project'>;
  readonly order: string;
  readonly columns: readonly ColumnName[];
  /** The key under which its columns and order are kept on this device. */
  readonly key: string;
  readonly bulk: 'archive' | 'reactivate' | null;
  /** Says whether a project shows dimmed in it. */
  readonly dims: (project: Of<'project'>) => boolean;
}

const isArchived = ({ dateArchived }: Of<'project'>): boolean => dateArchived !== null;
const usual = ['owner', 'group', 'language', 'buildVersion', 'productUpdated'] as const;

export const lists: Readonly<Record<ListName, ProjectList>> = {
  all: {
    name: 'all',
    title: 'projects.switcher.dropdown.all',
    keeps: () => ({}),
    order: 'name',
    columns: usual,
    key: 'all-projects',
    bulk: null,
    dims: isArchived,
  },
  own: {
    name: 'own',
    title: 'projects.switcher.dropdown.myProjects',
    keeps: (viewer) => ({ owner: viewer, dateArchived: { isNull: true } }),
    order: 'name',
    columns: usual,
    key: 'my-projects',
    bulk: 'archive',
    dims: isArchived,
  },
  organization: {
    name: 'organization',
    title: 'projects.switcher.dropdown.orgProjects',
    keeps: () => ({ dateArchived: { isNull: true } }),
    order: 'name',
    columns: usual,
    key: 'organization',
    bulk: 'archive',
    dims: isArchived,
  },
  active: {
    name: 'active',
    title: 'projects.switcher.dropdown.activeProjects',
    keeps: () => ({ dateActive: { notNull: true } }),
    order: '-dateActive',
    columns: ['owner', 'group', 'language', 'buildVersion', 'buildDate', 'dateActive'],
    key: 'active-projects',
    bulk: null,
    dims: isArchived,
  },
  archived: {
    name: 'archived',
    title: 'projects.switcher.dropdown.archived',
    keeps: () => ({ dateArchived: { notNull: true } }),
    order: 'name',
    columns: usual,
    key: 'archived',
    bulk: 'reactivate',
    dims: (project) => !isArchived(project),
  },
};

/**
 * The columns that the chooser offers, in the order of the table; `sort` where one can sort by it.
 */
export const columns = {
  owner: { title: 'projectTable.columns.owner', sort: 'owner.name', of: 'project' },
  organization: {
    title: 'projectTable.columns.organization',
    sort: 'organization.name',
    of: 'project',
  },
  language: { title: 'projectTable.columns.language', sort: 'language', of: 'project' },
  group: { title: 'projectTable.columns.group', sort: 'group.name', of: 'project' },
  dateCreated: { title: 'projectTable.columns.dateCreated', sort: 'dateCreated', of: 'project' },
  dateUpdated: { title: 'projectTable.columns.dateUpdated', sort: 'dateUpdated', of: 'project' },
  dateActive: { title: 'projectTable.columns.dateActive', sort: 'dateActive', of: 'project' },
  buildVersion: { title: 'projectTable.columns.buildVersion', sort: 'versionBuilt', of: 'product' },
  buildDate: { title: 'projectTable.columns.buildDate', sort: 'dateBuilt', of: 'product' },
  productUpdated: { title: 'projectTable.columns.productUpdated', sort: null, of: 'product' },
} as const satisfies Readonly<
  Record<string, { title: TextKey; sort: string | null; of: 'project' | 'product' }>
>;

export type ColumnName = keyof typeof columns;
const columnNames = Object.keys(columns).filter(isColumn);

function isColumn(name: unknown): name is ColumnName {
  return typeof name === 'string' && Object.hasOwn(columns, name);
}

/** Those of `shown` that are about projects. */
export function projectColumns(shown: readonly ColumnName[]): readonly ColumnName[] {
  return shown.filter((column) => columns[column].of === 'project');
}

/** Those of `shown` that are about the products of a project. */
export function productColumns(shown: readonly ColumnName[]): readonly ColumnName[] {
  return shown.filter((column) => columns[column].of === 'product');
}

const areColumns = (value: unknown): value is readonly ColumnName[] =>
  Array.isArray(value) && value.every(isColumn);

/**
 * The columns of a table of projects, which the person chooses and this device keeps under `key`, and
 * the order of the products within each row, until the list is left.
 */
export function useProjectColumns(key: string, atFirst: readonly ColumnName[]) {
  const t = useText();
  const [shown, setShown] = useSetting(`slipway.columns.${key}`, atFirst, areColumns);
  const [productOrder, onOrder] = useState('');
  const headOf = (id: ColumnName) => ({ title: t(columns[id].title), sort: columns[id].sort });
  const ofProducts = productColumns(shown);
  const within = { parts: ofProducts.map(headOf), order: productOrder, onOrder };
  return {
    shown,
    productOrder,
    columns: [
      { title: t('projectTable.columns.project'), sort: 'name' },
      ...projectColumns(shown).map(headOf),
      ...(ofProducts.length === 0
        ? []
        : [{ title: t('projectTable.products'), sort: null, within }]),
    ],
    choice: {
      columns: columnNames.map((id) => ({ id, label: t(columns[id].title) })),
      chosen: shown,
      onChoose: (chosen: readonly string[]) => {
        setShown(chosen.filter(isColumn));
      },
      onDefaults: () => {
        setShown(null);
      },
    },
  };
}

/**
 * Returns `list`, what a list keeps, as far as `filters` keep it: of each filter some value has to
 * hold.
 */
export function narrowed(
  list: ListFilter<'project'>,
  filters: ProjectFilters,
  viewer: string,
): ListFilter<'project'> {
  const owners = filters.owner.map((owner) => (owner === ME ? viewer : owner));
  // One's own projects have no other owner.
  const ownersHere = owners.filter((owner) => owner === (list.owner ?? owner));
  const wanted = {
    'products.status': filters.status,
    language: filters.language,
    owner: owners,
    group: filters.group,
    'products.productDefinition': filters.product,
  };
  const set = Object.entries(wanted)
    .filter(([, values]) => values.length > 0)
    .map(([path, values]) => [path, { anyOf: path === 'owner' ? ownersHere : values }] as const);
  return { ...list, ...Object.fromEntries(set) };
}
