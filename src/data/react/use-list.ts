import type { ListFilter, ListOptions, ListView } from '../model/views.ts';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { TypeName } from '#schema/index.ts';
import { useData } from './use-data.ts';

/** A list, computed on the device and kept up to date; types that are not kept here are fetched. */
export function useList<T extends TypeName>(
  type: T,
  filter: ListFilter<T>,
  options: ListOptions = {},
): ListView<T> {
  const { lists } = useData();
  const key = JSON.stringify([type, filter, options]);
  // The key says everything about the list; filter and options are new objects at every render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const list = useMemo(() => lists.open(type, filter, options), [lists, key]);
  const subscribe = useCallback((listener: () => void) => list.subscribe(listener), [list]);
  return useSyncExternalStore(subscribe, () => list.view());
}
