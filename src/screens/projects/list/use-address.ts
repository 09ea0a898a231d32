import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { limits } from '#protocol/limits.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import type { ProjectList } from '../lists.ts';

/** What may follow before the router knows: it is told first, or it would be told on another page. */
const BY_HAND = ['pointerdown', 'click', 'keydown'] as const;

/**
 * What the address says, and how to say something else, from what it says when that is called. It shows
 * at once; the router, which draws anew all that hangs on where one is, hears of it once it was painted.
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
  const latest = useRef({ is: query, told: query, pathname, isBack: false });

  useLayoutEffect(() => {
    // What was said here comes late, when more may have been said; what others say holds.
    const isOwn = (location.state as { by?: string } | null)?.by === by;
    if (isOwn && !latest.current.isBack) return;
    latest.current = { is: query, told: query, pathname: location.pathname, isBack: false };
    setAhead(null);
  }, [location, query, by]);

  const tell = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    tell.current = () => {
      const { is, told, pathname: here } = latest.current;
      if (String(is) === String(told)) return;
      latest.current.told = is;
      void go({ pathname: here, search: String(is) }, { state: { by } });
    };
  });
  useEffect(
    () =>
      painted(() => {
        tell.current();
      }),
    [ahead, painted],
  );
  useEffect(() => {
    const tellNow = () => {
      tell.current();
    };
    // Back may come before the router is there.
    const fallBack = () => {
      latest.current.is = latest.current.told;
      latest.current.isBack = true;
      setAhead(null);
    };
    for (const kind of BY_HAND) addEventListener(kind, tellNow, { capture: true });
    addEventListener('popstate', fallBack);
    return () => {
      for (const kind of BY_HAND) removeEventListener(kind, tellNow, { capture: true });
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

/** What the address says of a list, and how to say something else. */
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
