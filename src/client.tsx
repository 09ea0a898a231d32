import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { createData } from '#data/data.ts';
import type { Data } from '#data/model/data.ts';
import type { BroadcastChannelLike, Environment } from '#data/model/environment.ts';
import { paths } from '#protocol/paths.ts';
import { languageNamesIn } from '#rules/record/display.ts';
import { restoreSession } from '#session/environment.ts';
import { SessionProvider } from '#session/sign-in.tsx';
import { learnServerTime } from '#session/server-time.ts';
import { browserSession, tokensOf } from '#session/session.ts';
import { OpenDataContext } from '#screens/app/page/device/data-opener.ts';
import type { OpenData } from '#screens/app/page/device/data-opener.ts';
import { UpdatesContext } from '#screens/app/frame/update-toast.tsx';
import type { Updates } from '#screens/app/frame/update-toast.tsx';
import { firstLanguage } from '#screens/app/frame/viewer-language.ts';
import { routes } from '#screens/app/routes.tsx';
import { Speech } from '#ui/text/speech.tsx';
import { UiEnvironmentContext } from '#ui/ui-environment.tsx';
import type { UiEnvironment } from '#ui/ui-environment.tsx';
import { LANGUAGES, speak } from '#ui/text/text.ts';
import '#ui/theme/theme.css';

const serviceWorker = 'serviceWorker' in navigator ? navigator.serviceWorker : null;

const uiEnvironment: UiEnvironment = {
  clock: () => Date.now(),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  storage: localStorage,
  drafts: sessionStorage,
  later: (run, afterMs) => {
    const timer = setTimeout(run, afterMs);
    return () => {
      clearTimeout(timer);
    };
  },
  painted: (run) => {
    // What is drawn now is on the screen once the frame after its own begins.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(run);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  },
  load: async (path) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}`);
    return answer.json() as Promise<unknown>;
  },
  ...(serviceWorker === null
    ? {}
    : {
        offline: {
          subscribe: (listener) => {
            serviceWorker.addEventListener('controllerchange', listener);
            return () => {
              serviceWorker.removeEventListener('controllerchange', listener);
            };
          },
          // It takes control once it has installed, with every file of the app in its cache.
          isReady: () => serviceWorker.controller !== null,
        },
      }),
};

const copyMarkerKey = (account: string): string => `slipway-witness-${account}`;

/** Everything that the local copy touches outside itself. */
const environment: Omit<Environment, 'accessToken' | 'onToken' | 'keptOut'> = {
  clock: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    return bytes;
  },
  timers: {
    set: (run, afterMs) => setTimeout(run, afterMs),
    clear: (timer) => {
      clearTimeout(timer as number);
    },
  },
  fetch: async (address, request) => {
    const sentAt = Date.now();
    const answer = await fetch(address, request);
    learnServerTime(answer, sentAt);
    return answer;
  },
  indexedDB: 'indexedDB' in globalThis ? indexedDB : null,
  locks: 'locks' in navigator ? navigator.locks : null,
  channel:
    'BroadcastChannel' in globalThis
      ? (name) => new BroadcastChannel(name) as BroadcastChannelLike
      : null,
  hub: async (token) => {
    // Server updates come after the first paint, and so does the code that receives them.
    const { signalrHub } = await import(/* webpackChunkName: "hub" */ '#data/sync/hub.ts');
    return signalrHub(location.origin, token, { WebSocket, EventSource });
  },
  jsonApi: () => import(/* webpackChunkName: "json-api" */ '#data/sync/json-api.ts'),
  languageNames: async () => languageNamesIn(await uiEnvironment.load(paths.searchNames)),
  page: {
    isOnline: () => navigator.onLine,
    isVisible: () => document.visibilityState === 'visible',
    onChange: (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      document.addEventListener('visibilitychange', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
        document.removeEventListener('visibilitychange', listener);
      };
    },
  },
  storage: 'storage' in navigator ? navigator.storage : null,
  copyMarkers: {
    read: (account) => localStorage.getItem(copyMarkerKey(account)),
    write: (account, words) => {
      if (words === null) localStorage.removeItem(copyMarkerKey(account));
      else localStorage.setItem(copyMarkerKey(account), words);
    },
  },
  idle: (run) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 60_000 });
    else setTimeout(run, 1_000);
  },
  frame: (run) => {
    // A hidden tab is not painted at all.
    if (document.visibilityState === 'visible') requestAnimationFrame(run);
    else setTimeout(run, 0);
  },
  report: (what, cause) => {
    reportError(new Error(what, { cause }));
  },
};

let opened: { readonly userId: string; readonly data: Data } | null = null;
const openData: OpenData = (userId) => {
  if (opened?.userId !== userId) {
    void opened?.data.close();
    opened = { userId, data: createData({ ...environment, ...tokensOf(userId) }, userId) };
  }
  return opened.data;
};

/**
 * A new service worker that has installed beside the active one waits until the person accepts it.
 */
const updates: Updates = {
  subscribe: (listener) => {
    if (serviceWorker === null) return () => undefined;
    let isOver = false;
    const offer = (worker: ServiceWorker) => {
      if (isOver) return;
      listener(() => {
        serviceWorker.addEventListener('controllerchange', () => {
          location.reload();
        });
        worker.postMessage('take-over');
      });
    };
    void registration?.then((found) => {
      if (found.waiting !== null && serviceWorker.controller !== null) offer(found.waiting);
      found.addEventListener('updatefound', () => {
        const installing = found.installing;
        installing?.addEventListener('statechange', () => {
          if (installing.state === 'installed' && serviceWorker.controller !== null)
            offer(installing);
        });
      });
    });
    return () => {
      isOver = true;
    };
  },
};

const INSTALL_AGAIN_MS = 10_000;

/** Without an active worker, one that could not fetch all of the app is tried again. */
async function register(container: ServiceWorkerContainer): Promise<ServiceWorkerRegistration> {
  const found = await container.register('/service-worker.js');
  found.installing?.addEventListener('statechange', ({ target }) => {
    const isLost = (target as ServiceWorker).state === 'redundant' && container.controller === null;
    if (isLost) uiEnvironment.later(() => void register(container), INSTALL_AGAIN_MS);
  });
  return found;
}

const registration = serviceWorker && register(serviceWorker);

// A page that was loading as the first worker took over belongs to none: it asks to be claimed.
void registration
  ?.then(() => navigator.serviceWorker.ready)
  .then(({ active }) => {
    if (serviceWorker?.controller === null) active?.postMessage('claim');
    // Names of languages and the help come last: until then the network is the app's.
    const names = Object.keys(LANGUAGES).map(paths.languageNames);
    const files = [paths.languageTags, ...names, paths.searchNames];
    environment.idle(() => active?.postMessage({ is: 'cache-rest', files }));
  });

/** Renders the app once the texts of the person's language are loaded. */
async function start(): Promise<void> {
  await restoreSession();
  const { userId } = browserSession().snapshot();
  await speak(firstLanguage(localStorage, userId, navigator.languages));
  const root = document.getElementById('app');
  if (root === null) throw new Error('The page has no place for the app');
  createRoot(root).render(
    <UiEnvironmentContext.Provider value={uiEnvironment}>
      <Speech>
        <SessionProvider>
          <OpenDataContext.Provider value={openData}>
            <UpdatesContext.Provider value={updates}>
              <RouterProvider router={createBrowserRouter(routes)} />
            </UpdatesContext.Provider>
          </OpenDataContext.Provider>
        </SessionProvider>
      </Speech>
    </UiEnvironmentContext.Provider>,
  );
}

void start();
