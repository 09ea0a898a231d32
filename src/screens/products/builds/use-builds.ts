import { BUILD_STATUS_WORDS, buildStatusOf } from '#rules/product-status.ts';
import type { BuildStatusWord } from '#rules/product-status.ts';
import type { Of } from '#schema/index.ts';
import { toldOr, useList, useOrganizations, useServerList } from '#data/react/hooks.ts';
import type { ListFilter, ListView, ServerListQuery } from '#data/model/views.ts';
import type { ListAddress } from '../../app/page/list-state.ts';

type Build = Of<'productBuild'>;

type Trigger = NonNullable<Build['triggeredBy']>;

/** Whose builds are listed: `id` is that of the record. */
export type BuildsScope =
  | { readonly of: 'product' | 'project'; readonly id: string }
  /** Null: every organization of the viewer's. */
  | { readonly of: 'organization'; readonly id: string | null };

const TRIGGERS = ['person', 'upload', 'rebuild', 'retry'] as const satisfies readonly Trigger[];

/** The names of the filters, in the address as on the wire (wire 5.2), with the words of each. */
export const BUILD_FILTERS = { status: BUILD_STATUS_WORDS, 'triggered-by': TRIGGERS } as const;

/** What is looked for; a filter without a word lets all through. */
export interface BuildFilters {
  readonly status: readonly BuildStatusWord[];
  readonly 'triggered-by': readonly Trigger[];
}

/** Lets every build through. */
export const NO_BUILD_FILTERS: BuildFilters = { status: [], 'triggered-by': [] };

/** Reads the filters from the address; words that no build has are left out. */
export function buildFiltersIn({ filter }: ListAddress): BuildFilters {
  const wordsOf = <W extends string>(name: string, words: readonly W[]) => {
    const wanted = filter(name).split(',');
    return words.filter((word) => wanted.includes(word));
  };
  return {
    status: wordsOf('status', BUILD_FILTERS.status),
    'triggered-by': wordsOf('triggered-by', BUILD_FILTERS['triggered-by']),
  };
}

/** Says whether some filter is set. */
export const isFiltering = (filters: BuildFilters): boolean => specialOf(filters).length > 0;

const specialOf = (filters: BuildFilters) =>
  (['status', 'triggered-by'] as const).flatMap((name) =>
    filters[name].length === 0 ? [] : [[name, `in:${filters[name].join()}`] as const],
  );

const NEWEST_FIRST = '-dateCreated';

interface Builds extends ListView<'productBuild'> {
  /** The server told these; otherwise they are those of this device. */
  readonly isTold: boolean;
  /** The server gives no answer, so that there may be more. */
  readonly isPart: boolean;
}

/** What a row shows beside the build itself. */
const WITH_BUILDS: Readonly<Record<BuildsScope['of'], readonly string[]>> = {
  product: ['productArtifacts', 'startedBy'],
  project: ['productArtifacts', 'startedBy', 'product.productDefinition'],
  organization: [
    'productArtifacts',
    'startedBy',
    'product.productDefinition',
    'product.project.organization',
  ],
};

type BuildsQuery = Required<
  Pick<ServerListQuery<'productBuild'>, 'filter' | 'special' | 'organization' | 'include'>
>;

/** Returns how the server is asked for the builds of `scope`. */
function queryOf({ of, id }: BuildsScope): BuildsQuery {
  return {
    filter: of === 'product' ? { product: id } : {},
    special: of === 'project' ? [['project-id', id]] : [],
    organization: of === 'organization' ? id : null,
    include: WITH_BUILDS[of],
  };
}

/** Returns the filter that finds the builds of `scope` on the device, where others' may be too. */
function filterOf(
  scope: BuildsScope,
  all: readonly Of<'organization'>[],
): ListFilter<'productBuild'> {
  switch (scope.of) {
    case 'product':
      return { product: scope.id };
    case 'project':
      return { 'product.project': scope.id };
    case 'organization':
      return {
        'product.project.organization': scope.id ?? { anyOf: all.map(({ id }) => id) },
      };
  }
}

/**
 * A page of the builds of `scope`, the newest first. The server tells it; before it does, and while
 * it is away, what is on the device stands for it.
 */
export function useBuilds(
  scope: BuildsScope,
  filters: BuildFilters,
  { page, pageSize }: Pick<ListAddress, 'page' | 'pageSize'>,
): Builds {
  const { special, ...query } = queryOf(scope);
  const told = useServerList('productBuild', {
    ...query,
    special: [...special, ...specialOf(filters)],
    sort: NEWEST_FIRST,
    page: { offset: page, limit: pageSize },
  });
  const filter = filterOf(scope, useOrganizations());
  const all = useList('productBuild', filter, { sort: NEWEST_FIRST, anywhere: true });
  const found = all.rows.filter(isWanted(filters));
  const rows = found.slice((page - 1) * pageSize, page * pageSize);
  const here = { ...all, rows, total: found.length };
  const isComing = told.state === 'loading' && told.rows.length === 0 && rows.length > 0;
  const shown = isComing ? { ...here, isTold: false } : toldOr(told, here);
  return { ...shown, isPart: told.state === 'no-answer' };
}

const isWanted =
  ({ status, 'triggered-by': triggers }: BuildFilters) =>
  (build: Build): boolean =>
    (status.length === 0 || status.includes(buildStatusOf(build))) &&
    (triggers.length === 0 || (build.triggeredBy !== null && triggers.includes(build.triggeredBy)));
