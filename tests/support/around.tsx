import { act } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import type { RouteObject } from 'react-router-dom';
import type { Data } from '../../src/data/model/data.ts';
import { DataContext, ViewerContext } from '#data/react/hooks.ts';
import { viewerOf } from '#data/store/viewer.ts';
import { compareTexts } from '#rules/record/display.ts';
import { Toasts } from '#ui/overlay/toasts.tsx';
import { Speech } from '#ui/text/speech.tsx';
import { UiEnvironmentContext } from '#ui/ui-environment.tsx';
import type { KeyValueStorage, UiEnvironment } from '#ui/ui-environment.tsx';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');

/** Storage that lasts as long as the test. */
function shortMemory(): KeyValueStorage {
  const held = new Map<string, string>();
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
}

/** A UI environment whose time stands still; `pass` runs what is due by then. */
export function testSurroundings(load: UiEnvironment['load'] = () => Promise.reject(new Error())) {
  let now = NOW;
  let due: { readonly at: number; readonly run: () => void }[] = [];
  const later: UiEnvironment['later'] = (run, afterMs) => {
    const entry = { at: now + afterMs, run };
    due.push(entry);
    return () => {
      due = due.filter((other) => other !== entry);
    };
  };
  const surroundings: UiEnvironment = {
    clock: () => now,
    timeZone: 'America/Bogota',
    storage: shortMemory(),
    drafts: shortMemory(),
    later,
    painted: (run) => later(run, 0),
    load,
  };
  const pass = (ms: number) => {
    now += ms;
    const ripe = due.filter(({ at }) => at <= now);
    due = due.filter(({ at }) => at > now);
    for (const { run } of ripe) run();
  };
  /** The page is on the screen: what waits for that comes. */
  const paint = () => {
    act(() => {
      pass(0);
    });
  };
  return { surroundings, pass, paint };
}

interface AroundProps {
  readonly store: { readonly data: Data };
  readonly surroundings: UiEnvironment;
  readonly routes: RouteObject[];
  readonly at: string;
  readonly around?: (page: ReactNode) => ReactNode;
}

/** Pages with everything around them that a running app has. */
export function Around({ store, surroundings, routes, at }: AroundProps) {
  const { data } = store;
  const id = data.viewerId();
  const user = data.find.one('user', id);
  if (user === null) throw new Error('The shelf has no record of the viewer');
  const viewer = { ...viewerOf(data.find, id), user };
  const organizations = data.find
    .all('organization', {})
    .filter((organization) => viewer.isSuperAdmin || viewer.memberOf.has(organization.id))
    .sort((a, b) => compareTexts(a.name, b.name));
  return (
    <UiEnvironmentContext.Provider value={surroundings}>
      <Speech>
        <DataContext.Provider value={data}>
          <ViewerContext.Provider value={{ viewer, organizations }}>
            <Toasts>
              <RouterProvider router={createMemoryRouter(routes, { initialEntries: [at] })} />
            </Toasts>
          </ViewerContext.Provider>
        </DataContext.Provider>
      </Speech>
    </UiEnvironmentContext.Provider>
  );
}
