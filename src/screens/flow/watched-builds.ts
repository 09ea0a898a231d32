import { useCallback, useSyncExternalStore } from 'react';
import type { Of } from '#schema/index.ts';
import type { Data } from '#data/model/data.ts';
import { useData } from '#data/react/hooks.ts';

/** What ends the watching of each build, by its id: as long as the tab, whichever page it shows. */
const watched = new WeakMap<Data, Map<string, () => void>>();
const listeners = new Set<() => void>();

function watchesOf(data: Data): Map<string, () => void> {
  const there = watched.get(data) ?? new Map<string, () => void>();
  watched.set(data, there);
  return there;
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Calls `onEnd` once, when the build has ended; not where it is removed before that. */
export function watchBuild(
  data: Data,
  id: string,
  onEnd: (build: Of<'productBuild'>) => void,
): void {
  stopWatching(data, id);
  const { records } = data;
  const unsubscribe = records.subscribe('productBuild', id, () => {
    const { state, record } = records.view('productBuild', id);
    const isUnderWay = record === null ? state !== 'gone' : record.success === null;
    if (isUnderWay) return;
    stopWatching(data, id);
    if (record !== null) onEnd(record);
  });
  watchesOf(data).set(id, unsubscribe);
  notifyListeners();
}

export function stopWatching(data: Data, id: string): void {
  watchesOf(data).get(id)?.();
  watchesOf(data).delete(id);
  notifyListeners();
}

/** Says whether the build is watched in this tab. */
export function useIsWatched(id: string): boolean {
  const data = useData();
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return useSyncExternalStore(subscribe, () => watchesOf(data).has(id));
}
