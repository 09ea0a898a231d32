import { useCallback, useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { useViewer } from '#data/use-viewer.ts';
import { keep, readKept, useSurroundings } from '#ui/surroundings.tsx';

export type Texts = Readonly<Record<string, string | boolean>>;

/**
 * What is typed into `form`, over `initial`; survives a reload until it is saved or discarded, and is
 * for whoever typed it. Fields that were not touched follow `initial`.
 */
export function useDraft<T extends Texts>(form: string, initial: T) {
  const { drafts } = useSurroundings();
  const key = `slipway.draft.${useViewer().id}.${form}`;
  const [touched, setTouched] = useState<Partial<T>>(() => partOf(readKept(drafts, key), initial));
  const set = useCallback(
    (change: Partial<T>) => {
      setTouched((before) => {
        const next = { ...before, ...change };
        keep(drafts, key, next);
        return next;
      });
    },
    [drafts, key],
  );
  const forget = useCallback(() => {
    keep(drafts, key, null);
    setTouched({});
  }, [drafts, key]);

  const fields = { ...initial, ...touched };
  const isChanged = Object.entries(touched).some(([name, value]) => value !== initial[name]);
  return { fields, set, forget, isChanged };
}

function partOf<T extends Texts>(stored: unknown, initial: T): Partial<T> {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored).filter(
    ([name, value]) => typeof value === typeof initial[name],
  );
  return Object.fromEntries(entries) as Partial<T>;
}

/** Asks before a changed form is left by a link or Back. */
export function useLeaveGuard(isChanged: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isChanged && blocker.state === 'blocked') blocker.proceed();
  }, [isChanged, blocker]);
  return blocker;
}
