/** The filters of lists of projects and of tasks, by their names in the address. */
export const PROJECT_FILTERS = ['status', 'language', 'owner', 'group', 'product'] as const;

export type ProjectFilterName = (typeof PROJECT_FILTERS)[number];
export type ProjectFilters = Readonly<Record<ProjectFilterName, readonly string[]>>;

/** The values of one filter that count. */
export const FILTER_VALUES_MOST = 20;
/** Characters beyond these of a filter in an address are not looked at. */
const FILTER_CHARACTERS_MOST = 2_100;

/** Stands in the address for whoever reads it. */
export const ME = 'me';

/** Takes every filter out of an address. */
export const NO_FILTERS = Object.fromEntries(PROJECT_FILTERS.map((name) => [name, '']));

/**
 * Reads the filters of an address: of each the first values count, each once.
 *
 * @param stated what the address has under a name; '' where it has nothing
 */
export function readProjectFilters(stated: (name: ProjectFilterName) => string): ProjectFilters {
  const valuesOf = (name: ProjectFilterName) => {
    const values = stated(name)
      .slice(0, FILTER_CHARACTERS_MOST)
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
    return [...new Set(values)].slice(0, FILTER_VALUES_MOST);
  };
  return Object.fromEntries(
    PROJECT_FILTERS.map((name) => [name, valuesOf(name)]),
  ) as unknown as ProjectFilters;
}

/** Does the same as `readProjectFilters` for `viewer`, whose own id is `me`. */
export function projectFiltersFor(
  viewer: string,
  stated: (name: ProjectFilterName) => string,
): ProjectFilters {
  return readProjectFilters((name) =>
    stated(name)
      .split(',')
      .map((value) => (value.trim() === viewer ? ME : value))
      .join(),
  );
}

/** Counts the values that are chosen. */
export const countFilters = (filters: ProjectFilters): number =>
  PROJECT_FILTERS.reduce((sum, name) => sum + filters[name].length, 0);
