import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { limits } from '#protocol/limits.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import type { ProjectList } from '../lists.ts';

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
function useQuery(): [URLSearchParams, (change: (query: URLSearchParams) => void) => void] {
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

/** Reads a list's settings from the address, and changes them. */
export function useAddress(list: ProjectList) {
  const [query, change] = useQuery();
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
    order: query.get('sort') ?? list.order,
    page: number('pageOffset', 1),
    pageSize: Math.min(number('pageSize', limits.pageSize), limits.pageSizeMost),
    setSearch: (search: string) => {
      write('search', search === '' ? null : search);
    },
    setOrder: (order: string) => {
      write('sort', order === list.order ? null : order);
    },
    setPage: (page: number) => {
      write('pageOffset', page === 1 ? null : String(page));
      document.querySelector('main')?.scrollIntoView();
    },
  };
}
