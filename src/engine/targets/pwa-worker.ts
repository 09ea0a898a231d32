/** The service worker of a built app: everything is kept, so that it opens without a network. */

/** The little of a service worker's global scope that is used here. */
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(done: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  /** Put in by the build: every file, with what its bytes are known by. */
  readonly APP_FILES: readonly (readonly [path: string, revision: string])[];
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    name: 'install' | 'activate' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ): void;
}
declare const self: Scope;

const scope = self.registration.scope;
// Several apps may share a host: each has its own cache.
const CACHE = `app-files ${scope}`;
const AT_ONCE = 6;

const keys = new Map<string, string>(
  self.APP_FILES.map(([path, revision]) => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), scope);
    return [normal(url), `${url.href}?revision=${revision}`];
  }),
);

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const key = keyOf(new URL(request.url));
  if (key !== undefined) event.respondWith(answer(request, key));
});

/** Encoded in one way, whatever the page chose. */
function normal(url: URL): string {
  try {
    return url.origin + decodeURIComponent(url.pathname);
  } catch {
    return url.origin + url.pathname;
  }
}

function keyOf(url: URL): string | undefined {
  const wanted = normal(url);
  return (
    keys.get(wanted) ??
    keys.get(wanted.endsWith('/') ? `${wanted}index.html` : `${wanted}/index.html`)
  );
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  const cached = new Set<string>((await cache.keys()).map(({ url }) => url));
  const missing = [...keys.values()].filter((key) => !cached.has(key));
  const next = async (): Promise<void> => {
    for (let key = missing.pop(); key !== undefined; key = missing.pop()) await keep(cache, key);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function keep(cache: Cache, key: string): Promise<void> {
  const response = await fetch(key, { cache: 'reload', credentials: 'same-origin' });
  // Some hosts don't give out every file, such as those that begin with a dot.
  if (response.status >= 400 && response.status < 500) return;
  if (!response.ok) throw new Error(`${key} cannot be fetched (${response.status})`);
  // Hosts that shorten addresses redirect, and a browser takes no redirected answer for a page.
  const whole = response.redirected
    ? new Response(await response.blob(), { headers: response.headers })
    : response;
  await cache.put(key, whole);
}

async function dropOld(): Promise<void> {
  const cache = await caches.open(CACHE);
  const current = new Set<string>(keys.values());
  const old = (await cache.keys()).filter(({ url }) => !current.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

async function answer(request: Request, key: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(key);
  // Browsers may empty a cache when space runs out.
  if (cached === undefined) return fetch(request);
  const range = request.headers.get('range');
  return range === null ? cached : partOf(cached, range);
}

/** Players ask for parts of sounds and videos, and some take nothing else. */
async function partOf(whole: Response, range: string): Promise<Response> {
  const blob = await whole.blob();
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  const start = first === '' ? Math.max(0, blob.size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? blob.size : Math.min(blob.size, Number(last) + 1);
  const headers = new Headers(whole.headers);
  if (first + last === '' || start >= end) {
    headers.set('content-range', `bytes */${blob.size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set('content-range', `bytes ${start}-${end - 1}/${blob.size}`);
  headers.set('content-length', String(end - start));
  return new Response(blob.slice(start, end), { status: 206, headers });
}
export {};
