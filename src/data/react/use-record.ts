import type { RecordView } from '../model/views.ts';
import { useCallback, useSyncExternalStore } from 'react';
import type { TypeName } from '#schema/index.ts';
import { useData } from './use-data.ts';

/**
 * The record, kept up to date; the same object until something in it changes. Null id: `not-here`.
 */
export function useRecord<T extends TypeName>(type: T, id: string | null): RecordView<T> {
  const { records } = useData();
  const subscribe = useCallback(
    (listener: () => void) => records.subscribe(type, id, listener),
    [records, type, id],
  );
  return useSyncExternalStore(subscribe, () => records.view(type, id));
}
