import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { limits } from '#protocol/limits.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';

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

/** Gives each row of a list the key by which React knows it. */
class RowKeys {
  #wanted: string | null = null;
  #keys: ReadonlyMap<string, number> = new Map();
  #next = 0;

  /** See `useRowKeys`. The same `wanted` and `ids` have the same keys however often this is called. */
  of(wanted: string, ids: readonly string[]): readonly number[] {
    const present = new Set(ids);
    const free =
      wanted === this.#wanted
        ? []
        : [...this.#keys].flatMap(([id, key]) => (present.has(id) ? [] : key));
    let taken = 0;
    const keys = ids.map((id) => this.#keys.get(id) ?? free[taken++] ?? this.#next++);
    this.#keys = new Map(ids.map((id, index) => [id, keys[index] ?? 0]));
    this.#wanted = wanted;
    return keys;
  }
}

/**
 * Returns the keys of rows with these `ids`. A row that stays keeps its key. Where something else is
 * `wanted`, such as another search, the others take the keys of rows that go: changing what stands
 * there takes a fraction of the time of making it. Nobody is about to act on a row then; where a
 * record comes or goes by itself, it has a row of its own.
 */
export function useRowKeys(wanted: string, ids: readonly string[]): readonly number[] {
  const [keys] = useState(() => new RowKeys());
  return keys.of(wanted, ids);
}

/**
 * These events may follow before the router knows: it learns the address first, or it would learn
 * it on another page.
 */
const BY_HAND = ['pointerdown', 'click', 'keydown'] as const;

/**
 * Reads the query of the address, and changes it from what it is when that is called. A change
 * shows at once; the router, which draws anew all that hangs on where one is, learns of it once it
 * was painted.
 */
export function useAddressQuery(): [
  query: URLSearchParams,
  change: (changed: (query: URLSearchParams) => void) => void,
] {
  const location = useLocation();
  const go = useNavigate();
  const by = useId();
  const { painted } = useUiEnvironment();
  const query = useMemo(() => new URLSearchParams(location.search), [location.search]);
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  const shown = ahead ?? query;
  const { pathname } = location;
  const latest = useRef({ is: query, routed: query, pathname, isBack: false });

  useLayoutEffect(() => {
    // Our own change comes back late, when more may have changed; a change of others holds.
    const isOwn = (location.state as { by?: string } | null)?.by === by;
    if (isOwn && !latest.current.isBack) return;
    latest.current = { is: query, routed: query, pathname: location.pathname, isBack: false };
    setAhead(null);
  }, [location, query, by]);

  const updateRouter = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    updateRouter.current = () => {
      const { is, routed, pathname: here } = latest.current;
      if (String(is) === String(routed)) return;
      latest.current.routed = is;
      void go({ pathname: here, search: String(is) }, { state: { by } });
    };
  });
  useEffect(
    () =>
      painted(() => {
        updateRouter.current();
      }),
    [ahead, painted],
  );
  useEffect(() => {
    const updateNow = () => {
      updateRouter.current();
    };
    // Back may come before the router is there.
    const fallBack = () => {
      latest.current.is = latest.current.routed;
      latest.current.isBack = true;
      setAhead(null);
    };
    for (const kind of BY_HAND) addEventListener(kind, updateNow, { capture: true });
    addEventListener('popstate', fallBack);
    return () => {
      for (const kind of BY_HAND) removeEventListener(kind, updateNow, { capture: true });
      removeEventListener('popstate', fallBack);
    };
  }, []);

  const change = useCallback((changed: (query: URLSearchParams) => void) => {
    const next = new URLSearchParams(latest.current.is);
    changed(next);
    // The same once more would be a step that leads back to itself.
    if (String(next) === String(latest.current.is)) return;
    latest.current.is = next;
    setAhead(next);
  }, []);
  return [shown, change];
}

export interface ListAddress {
  readonly search: string;
  readonly order: string;
  /** The page, counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly setSearch: (search: string) => void;
  readonly setOrder: (order: string) => void;
  readonly setPage: (page: number) => void;
  /** A filter of the list by its name in the address; '' where it is not set. */
  readonly filter: (name: string) => string;
  /** Sets filters; '' takes one away. */
  readonly setFilters: (filters: Readonly<Record<string, string>>) => void;
}

/** Reads a list's settings from the address, and changes them; `usual` is its order without one. */
export function useListAddress(usual: string): ListAddress {
  const [query, change] = useAddressQuery();
  const number = (name: string, fallback: number) => {
    const value = Number(query.get(name));
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  const write = (name: string, value: string | null) => {
    change((next) => {
      if (name !== 'pageOffset') next.delete('pageOffset');
      if (value === null) next.delete(name);
      else next.set(name, value);
    });
  };
  return {
    search: query.get('search') ?? '',
    order: query.get('sort') ?? usual,
    page: number('pageOffset', 1),
    pageSize: Math.min(number('pageSize', limits.pageSize), limits.pageSizeMost),
    setSearch: (search: string) => {
      write('search', search === '' ? null : search);
    },
    setOrder: (order: string) => {
      write('sort', order === usual ? null : order);
    },
    filter: (name: string) => query.get(name) ?? '',
    setFilters: (filters: Readonly<Record<string, string>>) => {
      change((next) => {
        next.delete('pageOffset');
        for (const [name, value] of Object.entries(filters))
          if (value === '') next.delete(name);
          else next.set(name, value);
      });
    },
    setPage: (page: number) => {
      write('pageOffset', page === 1 ? null : String(page));
      document.querySelector('main')?.scrollIntoView();
    },
  };
}
