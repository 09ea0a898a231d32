import { PrecacheController } from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, Route, Router } from 'workbox-routing';

/** A page of the app that is open. */
interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
}
/** A click on a notification that a page has this worker show. */
interface ClickEvent extends WorkerEvent {
  readonly notification: { readonly data: { readonly to: string }; close(): void };
}
/** The little of a service worker's global scope that is used here. */
interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
/** While it installs; browsers without it ask the worker for everything. */
interface InstallEvent extends WorkerEvent {
  addRoutes?(
    routes: readonly { condition: { urlPattern: { pathname: string } }; source: 'network' }[],
  ): Promise<void>;
}
interface Scope {
  /** Put in by the build: every file of the app's shell. */
  readonly __FILES__: PrecacheEntry[];
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly type: 'window' }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  addEventListener(
    name: 'install' | 'activate' | 'message' | 'fetch',
    listener: (event: WorkerEvent & { readonly data: unknown; readonly request: Request }) => void,
  ): void;
  addEventListener(name: 'notificationclick', listener: (event: ClickEvent) => void): void;
}
declare const self: Scope;

const PREFIX = 'app-';
/** A tab that is still open may ask for files of the builds before. */
const BUILDS_KEPT = 3;
/** Addresses that the server answers, never the app. */
const NOT_THE_APP = [/^\/(api|hubs|oidc|files|ui|assets|help)(\/|$)/];
const LANGUAGE_CACHE = 'language-data';
const TASK_FORMS = '/ui/form/businessobjects.js';
const HELP_CACHE = 'help';
/** The list of the help pages, the user's guide and its pictures. */
const HELP_FILES = '/help/guide/files.json';
/**
 * Files that belong to no build: the newest from the server, or without it the last cached ones.
 */
const CACHED = [
  { paths: /^\/(assets\/language|ui\/form)\//, cache: LANGUAGE_CACHE },
  { paths: /^\/help\/(?!api$)/, cache: HELP_CACHE },
] as const;

const files = self.__FILES__;
const build = files.map((file) => `${file.url}?${file.revision ?? ''}`).join('|');
const shell = new PrecacheController({ cacheName: `${PREFIX}${digest(build)}` });
shell.addToCacheList(files);

const app = shell.createHandlerBoundToURL('/index.html');
const openSource = shell.createHandlerBoundToURL('/open-source.json');

const router = new Router();
// The server renders these pages; without it the app says that it cannot be reached.
router.registerRoute(
  new Route(
    ({ url, request }) => request.mode === 'navigate' && url.pathname.startsWith('/downloads/'),
    {
      handle: (options) => fetch(options.request).catch(() => app(options)),
    },
  ),
);
router.registerRoute(new NavigationRoute(app, { denylist: NOT_THE_APP }));
router.registerRoute(
  new Route(({ url }) => /^\/(static|icons)\//.test(url.pathname), {
    handle: async ({ request }) =>
      (await caches.match(request, { ignoreSearch: true })) ?? fetch(request),
  }),
);
router.registerRoute(
  new Route(({ url }) => url.pathname === '/open-source.json', { handle: openSource }),
);
for (const { paths, cache } of CACHED)
  router.registerRoute(
    new Route(({ url }) => paths.test(url.pathname), {
      handle: ({ request }) => newestOrCached(request, cache),
    }),
  );

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([shell.install(event), cacheTaskForms(), bypassWorker(event)]));
});

self.addEventListener('activate', (event) => {
  // A page on its first visit has only some of the app's parts: from here on it gets the others offline.
  event.waitUntil(dropOldBuilds().then(() => self.clients.claim()));
});

// A new version waits for the last tab to close, unless the person asked for it in the toast.
self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting();
  if (event.data === 'claim') void self.clients.claim();
  if (isCacheRest(event.data)) event.waitUntil(cacheRest(event.data.files));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(bringToFront(event.notification.data.to));
});

self.addEventListener('fetch', (event) => {
  const response = router.handleRequest({ event: event as never, request: event.request });
  if (response) (event as unknown as FetchEventLike).respondWith(response);
});

interface FetchEventLike {
  respondWith(response: Promise<Response>): void;
}

/** Requests that only the server can answer need not wait until this worker has started. */
async function bypassWorker(event: InstallEvent): Promise<void> {
  const routes = ['/api/*', '/hubs/*', '/oidc/*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network' as const,
  }));
  // It only saves time: if it is refused, these requests go through the worker as before.
  await event.addRoutes?.(routes).catch(() => undefined);
}

/** Brings a page at that address to the front, or opens one: what is typed in others stays. */
async function bringToFront(to: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => url.endsWith(to));
  await (page === undefined ? self.clients.openWindow(to) : page.focus());
}

/** From the server when it answers, and cached; otherwise from the cache. */
async function newestOrCached(request: Request, cacheName: string): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    // A device without room for it shows it all the same.
    if (response.ok && !(await isCached(cache, request, response)))
      await cache.put(pathOf(request), response.clone()).catch(() => undefined);
    return response;
  } catch (error) {
    const cached = await cache.match(pathOf(request));
    if (cached !== undefined) return cached;
    throw error;
  }
}

/** Tells whether the cache has the answer already, so that a large file is not written again. */
async function isCached(cache: Cache, request: Request, { headers }: Response): Promise<boolean> {
  const etag = headers.get('etag');
  const cached = await cache.match(pathOf(request));
  return etag !== null && cached?.headers.get('etag') === etag;
}

/** The query is left out, because a retry adds one. */
const pathOf = ({ url }: Request): string => new URL(url).pathname;

/**
 * With the forms, a task that was never opened can be opened offline; the rest works without them.
 */
async function cacheTaskForms(): Promise<void> {
  await newestOrCached(new Request(TASK_FORMS), LANGUAGE_CACHE).catch(() => undefined);
}

/** Asks for what no page needs at first: `files` by their paths, and the help after them. */
interface CacheRest {
  readonly is: 'cache-rest';
  readonly files: readonly string[];
}

function isCacheRest(data: unknown): data is CacheRest {
  return typeof data === 'object' && data !== null && 'is' in data && data.is === 'cache-rest';
}

/** A page asks for it once the app itself is here. What does not come now comes at a later visit. */
async function cacheRest(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const request = new Request(file, { priority: 'low' });
    await newestOrCached(request, LANGUAGE_CACHE).catch(() => undefined);
  }
  await cacheHelp().catch(() => undefined);
}

interface HelpFile {
  readonly path: string;
  readonly etag: string;
}

/**
 * Brings the help and the user's guide to the device, or what has changed of them. One file comes
 * after the other, so that nothing else waits for them.
 */
async function cacheHelp(): Promise<void> {
  const list = await freshFile(HELP_FILES);
  if (list === null) return;
  const files = (await list.json()) as readonly HelpFile[];
  const cache = await caches.open(HELP_CACHE);
  for (const { path, etag } of files) {
    const cached = await cache.match(path);
    // A proxy that compresses may have changed the tag a little.
    if (cached?.headers.get('etag')?.includes(etag.replaceAll('"', '')) === true) continue;
    const fresh = await freshFile(path);
    if (fresh !== null) await cache.put(path, fresh);
  }
  const present = new Set(files.map(({ path }) => path));
  for (const request of await cache.keys())
    if (!present.has(pathOf(request))) await cache.delete(request);
}

/** Null where the server does not answer, or refuses. */
async function freshFile(path: string): Promise<Response | null> {
  const response = await fetch(path, { priority: 'low' }).catch(() => null);
  return response?.ok === true ? response : null;
}

async function dropOldBuilds(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(builds.slice(0, -BUILDS_KEPT).map((name) => caches.delete(name)));
}

/** FNV-1a, in hex: names a build, guards nothing. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
