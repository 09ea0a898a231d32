import { PROJECT_FILTERS, readProjectFilters } from './project-query.ts';
import type { ProjectFilters } from './project-query.ts';

/** What a saved view keeps of a list. */
export interface ViewQuery {
  readonly filters: ProjectFilters;
  /** '' where nothing is searched. */
  readonly search: string;
  /** The order; '' is the list's own. */
  readonly sort: string;
}

/** Characters of a search that count. */
const SEARCH_MOST = 250;

/**
 * Writes the query of an address: each parameter that says something, once, in this order. The page
 * of the list is left out.
 */
export function writeViewQuery({ filters, search, sort }: ViewQuery): string {
  const stated = [
    ...PROJECT_FILTERS.map((name) => [name, filters[name].join()] as const),
    ['search', cut(search)] as const,
    ['sort', sort.trim()] as const,
  ];
  return String(
    new URLSearchParams(stated.filter(([, value]) => value !== '').map((it) => [...it])),
  );
}

const cut = (search: string): string =>
  Array.from(search.trim()).slice(0, SEARCH_MOST).join('').trimEnd();

/** Reads the query of an address; what it knows nothing of is passed over. */
export function readViewQuery(query: string): ViewQuery {
  const stated = new URLSearchParams(query);
  const valueOf = (name: string) => stated.get(name) ?? '';
  return {
    filters: readProjectFilters(valueOf),
    search: valueOf('search'),
    sort: valueOf('sort'),
  };
}

/** Says whether `query` is as `writeViewQuery` writes it. */
export const isViewQuery = (query: string): boolean =>
  writeViewQuery(readViewQuery(query)) === query;
