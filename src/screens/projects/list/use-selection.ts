import { useCallback, useEffect, useRef, useState } from 'react';

export interface RowSelection {
  readonly ids: ReadonlySet<string>;
  /** Sets one; with `isRange`, everything between the last one touched and this. */
  readonly set: (id: string, isSelected: boolean, isRange: boolean) => void;
  readonly setAll: (ids: readonly string[], isSelected: boolean) => void;
  readonly clear: () => void;
}

/** The rows that are selected, over pages, orders and searches; `shown` are those in view now. */
export function useSelection(shown: readonly string[]): RowSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);

  const setAll = useCallback((changed: readonly string[], isSelected: boolean) => {
    setIds((present) => {
      const next = new Set(present);
      for (const id of changed) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  const drawn = useRef(shown);
  useEffect(() => {
    drawn.current = shown;
  });
  const set = useCallback<RowSelection['set']>(
    (id, isSelected, isRange) => {
      const rows = drawn.current;
      const [from, to] = [rows.indexOf(last.current ?? id), rows.indexOf(id)];
      const isKnown = isRange && from >= 0;
      setAll(isKnown ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [id], isSelected);
      last.current = id;
    },
    [setAll],
  );
  const clear = useCallback(() => {
    setIds(new Set());
    last.current = null;
  }, []);
  return { ids, set, setAll, clear };
}
