import { useSearchParams } from 'react-router-dom';
import { readProjectFilters } from '#rules/record/project-query.ts';
import { writeViewQuery } from '#rules/record/view-query.ts';

/**
 * Writes what narrows My Tasks, which the pages of its tasks have in their address too.
 *
 * @param stated what an address has under a name; '' where it has nothing
 * @returns '' where nothing does; else it begins with a question mark
 */
export function taskQueryOf(stated: (name: string) => string): string {
  const filters = readProjectFilters(stated);
  const query = new URLSearchParams(writeViewQuery({ filters, search: '', sort: '' }));
  const view = stated('view');
  if (view !== '') query.set('view', view);
  return query.size === 0 ? '' : `?${String(query)}`;
}

/** What the address of this page has under a name; '' where it has nothing. */
export function useStated(): (name: string) => string {
  const [query] = useSearchParams();
  return (name) => query.get(name) ?? '';
}

/** The address of My Tasks, narrowed as the person came from there. */
export const useTasksPath = (): string => `/tasks${taskQueryOf(useStated())}`;
