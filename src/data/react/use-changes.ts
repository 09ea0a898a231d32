import type { ChangesView, ChangeActions } from '../model/views.ts';
import { useSyncExternalStore } from 'react';
import { useData } from './use-data.ts';

export interface UseChangesResult extends ChangesView, ChangeActions {}

/** The person's changes on this device, with their states. */
export function useChanges(): UseChangesResult {
  const { changes } = useData();
  const view = useSyncExternalStore(changes.subscribe, changes.view);
  const { status, waiting, attention } = view;
  return {
    ...{ ...changes, status, waiting, attention },
    get rows() {
      return view.rows;
    },
  };
}
