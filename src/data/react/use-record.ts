import { useCallback, useSyncExternalStore } from 'react';
import type { Of, TypeName } from '#schema/index.ts';
import type { ChangeState } from '../model/change.ts';
import { useData } from './use-data.ts';

/** One record as a screen sees it. `loading` ends as soon as the device or the server knows. */
export interface RecordView<T extends TypeName> {
  /** `gone`: it was here and was removed or lost to sight; `not-here`: nobody here knows it. */
  readonly state: 'loading' | 'here' | 'not-here' | 'gone';
  readonly record: Of<T> | null;
  /** Of the change of it that needs the person most; null when all are done. */
  readonly change: ChangeState | null;
}

/** The record, kept true; the same object until something of it changes. Null id: `not-here`. */
export function useRecord<T extends TypeName>(type: T, id: string | null): RecordView<T> {
  const { records } = useData();
  const subscribe = useCallback(
    (listener: () => void) => records.subscribe(type, id, listener),
    [records, type, id],
  );
  return useSyncExternalStore(subscribe, () => records.view(type, id));
}
