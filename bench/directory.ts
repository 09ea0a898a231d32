import { chromium } from '@playwright/test';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, untilLoaded } from '../tests/end-to-end/people.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { freshPlace } from '../tests/support/database.ts';
import { freePort } from '../tests/support/free-port.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { spawnServer } from '../tests/support/server.ts';
import { build } from '../webpack.config.ts';
import { round } from './figure.ts';
import type { Figure, Target } from './figure.ts';
import { COMMON, fillInstallation, RARE, RARE_LANGUAGE } from './many-projects.ts';
import { median } from './measure.ts';

/**
 * Measures the directory, and a super admin's lists with all organizations in view, among
 * `PROJECTS` projects on a PostgreSQL of its own: how long a person waits for the first page,
 * beside the bare request of the same page in turns, and whether the browser grows while one pages
 * on.
 */

const PROJECTS = Number(process.env.PROJECTS ?? '100000');
const TIMES = Number(process.env.TIMES ?? '15');
const SUPER_ADMIN = 'super@slipway.test';
/** A page of the app without a list. */
const NO_LIST = '/open-source';
/** By the first of these as many records are kept as may be: 3,000 of what is outside of the copy. */
const PAGES = [200, 250, 300, 400] as const;
/** A page is asked for no sooner after the one before, as by somebody who glances at each. */
const GLANCE_MS = 50;

const ORDERS = [
  'owner.name',
  'organization.name',
  'group.name',
  'language',
  '-dateCreated',
  '-dateUpdated',
  '-dateActive',
];

interface List {
  readonly what: string;
  /** Where one is before; the list itself, where its search, order or filter changes. */
  readonly from: string;
  readonly to: string;
}

function changesOf(what: string, path: string, queries: readonly string[]): List[] {
  return [
    { what, from: NO_LIST, to: path },
    ...queries.map((query) => ({ what: `${what} ${query}`, from: path, to: `${path}?${query}` })),
  ];
}

const sorted = ['-name', ...ORDERS].map((order) => `sort=${order}`);
const searched = [RARE, COMMON, `${RARE} english`].map(
  (words) => `search=${encodeURIComponent(words)}`,
);

export async function directory(): Promise<Figure[]> {
  await build({ ifStale: true });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const postgres = await startPostgres(join(folder, 'postgres'));
  const place = await freshPlace(postgres.url);
  try {
    const port = String(await freePort());
    const env = {
      DATABASE_URL: place.databaseUrl ?? '',
      DATA_DIR: place.dataDir,
      DEMO: '1',
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
    };
    // The first start brings the people and what a project needs.
    await (await spawnServer(env)).stop();
    await fillInstallation(env.DATABASE_URL, PROJECTS);
    const server = await spawnServer(env);
    try {
      return await figuresAt(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await place.remove();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figuresAt(url: string): Promise<Figure[]> {
  const waits = await inBrowser(url, [], async (context) => {
    const page = await context.newPage();
    await page.goto(`${url}/directory`);
    await untilLoaded(page);
    const figures: Figure[] = [];
    for (const list of await listsIn(page)) figures.push(await waited(page, list));
    return figures;
  });
  const kept = await inBrowser(url, [UNCOMPILED], async (context) => {
    const figures: Figure[] = [];
    for (const list of ['/directory', '/projects/all'])
      figures.push(...(await pagedOn(context, `${url}${list}`, list)));
    return figures;
  });
  return [...waits, ...kept];
}

/**
 * What the engine compiles lies in the heap too, and it compiles on and on: 0.7 kB a page, where all
 * else stays. Without it the heap is what the app keeps.
 */
const UNCOMPILED = '--js-flags=--jitless';

/** Runs `work` in a browser with further `flags`, in which the super admin is signed in. */
async function inBrowser(
  url: string,
  flags: readonly string[],
  work: (context: BrowserContext) => Promise<Figure[]>,
): Promise<Figure[]> {
  const { path, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    args: [...BROWSER_FLAGS, ...flags],
    env: { ...process.env, ...env },
  });
  try {
    const context = await browser.newContext();
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    await signIn(page, url, SUPER_ADMIN);
    await untilLoaded(page);
    await page.close();
    return await work(context);
  } finally {
    await browser.close();
  }
}

/** Every list; what the directory can be filtered by is read from its own fields. */
async function listsIn(page: Page): Promise<readonly List[]> {
  const last = async (label: string): Promise<string> => {
    const options = page.getByLabel(label, { exact: true }).locator('option');
    // The first one keeps everything; the others come from the server.
    await options.nth(1).waitFor({ state: 'attached' });
    return (await options.last().getAttribute('value')) ?? '';
  };
  const filters = [
    `language=${RARE_LANGUAGE}`,
    `product=${await last('Product')}`,
    `organization=${await last('Organization')}`,
    'from=2025-12-01',
    'from=2025-06-01&to=2025-06-07',
  ];
  return [
    ...changesOf('/directory', '/directory', [...sorted, ...searched, ...filters]),
    ...changesOf('/projects/all', '/projects/all', [...sorted, ...searched]),
    ...changesOf('/projects/organization', '/projects/organization', [`search=${COMMON}`]),
    ...changesOf('/projects/active', '/projects/active', []),
    ...changesOf('/projects/archived', '/projects/archived', []),
    ...changesOf('/users', '/users', ['sort=-name', 'search=moreau']),
  ];
}

/** In turns, so that both have the same of what else the computer does. */
async function waited(page: Page, { what, from, to }: List): Promise<Figure> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let n = -1; n < TIMES; n += 1) {
    const [bareMs, ourMs] = await page.evaluate(
      ([before, after]) => (globalThis as unknown as Watched).watched.measure(before, after),
      [from, to] as const,
    );
    if (n < 0) continue;
    bare.push(bareMs);
    ours.push(ourMs);
  }
  const [our, floor] = [ours, bare].map((all) => median(all.sort((a, b) => a - b))) as [
    number,
    number,
  ];
  const ratio = `${String(round(our / floor))} ×, + ${String(round(our - 1.5 * floor))} ms`;
  process.stderr.write(`${what}: ${round(our)} ms beside ${round(floor)} ms\n`);
  return {
    what: `First page among ${PROJECTS} projects, ${what.replace(/[0-9a-f-]{36}/, '…')}: asked for to its rows`,
    unit: 'ms',
    ours: our,
    against: { 'the bare request': floor },
    targets: [{ says: `≤ 1.5 × + 50 ms (${ratio})`, isMet: our <= 1.5 * floor + 50 }],
  };
}

interface Kept {
  readonly heapMb: number;
  readonly nodes: number;
  /** The records of the copy on the disk. */
  readonly records: number;
}

/** What the browser keeps while one goes from page to page. */
async function pagedOn(context: BrowserContext, address: string, list: string): Promise<Figure[]> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(address);
  await page.locator('[data-record^="projects:"]').first().waitFor();
  await untilLoaded(page);
  const kept: Kept[] = [];
  let at = 1;
  for (const to of PAGES) {
    for (; at < to; at += 1) {
      await page.evaluate(() => (globalThis as unknown as Watched).watched.nextPage());
      await page.waitForTimeout(GLANCE_MS);
    }
    kept.push(await keptBy(page, session));
  }
  await page.close();
  process.stderr.write(`${list}: ${JSON.stringify(kept)}\n`);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) throw new Error('No page was shown');
  const of = (what: string, unit: string, name: keyof Kept): Figure => ({
    what: `${what}, ${list} at page ${PAGES.at(-1) ?? 0}`,
    unit,
    ours: last[name],
    against: Object.fromEntries(
      PAGES.slice(0, -1).map((n, i) => [`at page ${n}`, kept[i]?.[name] ?? 0]),
    ),
    targets: [flat(last[name], first[name])],
  });
  return [
    of('Heap', 'MB', 'heapMb'),
    of('Nodes of the page', '', 'nodes'),
    of('Records on the disk', '', 'records'),
  ];
}

/** A twentieth more counts as the same: what is on a page differs. */
const flat = (last: number, first: number): Target => ({
  says: `no more than at page ${PAGES[0]} (${String(round(last / first))} ×)`,
  isMet: last <= first * 1.05,
});

async function keptBy(page: Page, session: CDPSession): Promise<Kept> {
  // What was told is written behind.
  await page.waitForTimeout(2_000);
  for (let n = 0; n < 3; n += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  const records = await page.evaluate(() => (globalThis as unknown as Watched).watched.records());
  return { heapMb: usedSize / 2 ** 20, nodes, records };
}

interface Watched {
  readonly watched: {
    /** Goes from one address to the other; returns the time of the bare request, and to the rows. */
    readonly measure: (from: string, to: string) => Promise<readonly [bare: number, ours: number]>;
    readonly nextPage: () => Promise<void>;
    readonly records: () => Promise<number>;
  };
}

/**
 * Runs in the page before anything else. It keeps the requests of lists, to send the same again;
 * and watches the page for its rows.
 */
const WATCH = `
  {
    const send = globalThis.fetch.bind(globalThis);
    const asked = new Map();
    let last = null;
    globalThis.fetch = (address, request) => {
      const url = String(address);
      if (/\\/api\\/(projects|users)\\?.*page\\[limit\\]=20/.test(url))
        last = { url, headers: request?.headers };
      return send(address, request);
    };
    const rows = () =>
      [...document.querySelectorAll('main [data-record^="projects:"], main [data-record^="users:"]')]
        .map((row) => row.dataset.record.split(':')[1]);
    const until = (isThere) => new Promise((resolve, reject) => {
      const given = setTimeout(() => { observer.disconnect(); reject(new Error('It never came: ' + location.href + ' ' + rows().length)); }, 60000);
      const look = () => {
        if (!isThere()) return false;
        observer.disconnect();
        clearTimeout(given);
        resolve(performance.now());
        return true;
      };
      const observer = new MutationObserver(look);
      if (!look()) observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    const go = (to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    };
    const calm = () => new Promise((done) => requestIdleCallback(done, { timeout: 1000 }));
    const enter = async (from) => {
      go(from);
      await until(() => (rows().length > 0) === (from !== '${NO_LIST}'));
      await calm();
    };
    globalThis.watched = {
      measure: async (from, to) => {
        if (!asked.has(to)) {
          await enter(from);
          last = null;
          go(to);
          while (last === null) await calm();
          asked.set(to, last);
          await until(() => rows().length > 0);
        }
        await enter('${NO_LIST}');
        await enter(from);
        const { url, headers } = asked.get(to);
        const bareFrom = performance.now();
        const text = await (await send(url, { headers })).text();
        const bare = performance.now() - bareFrom;
        const wanted = JSON.parse(text).data.map(({ id }) => id).join();
        if (wanted === '') throw new Error('Nothing is there: ' + url);
        await calm();
        const begin = performance.now();
        go(to);
        return [bare, (await until(() => rows().join() === wanted)) - begin];
      },
      nextPage: async () => {
        const before = rows()[0];
        document.querySelector('[aria-label="Next page"]').click();
        await until(() => rows().length > 0 && rows()[0] !== before);
      },
      records: async () => {
        let count = 0;
        for (const { name } of await indexedDB.databases()) {
          const answer = (request) => new Promise((done, fail) => {
            request.onsuccess = () => done(request.result);
            request.onerror = () => fail(request.error);
          });
          const db = await answer(indexedDB.open(name));
          if (db.objectStoreNames.contains('chunks')) {
            const stores = db.transaction(['chunks', 'rows']);
            const of = (request) => answer(request(stores.objectStore('rows')));
            const chunks = await answer(stores.objectStore('chunks').getAll());
            const [keys, rows] = [await of((all) => all.getAllKeys()), await of((all) => all.getAll())];
            const kept = new Set(chunks.flatMap((chunk) => JSON.parse(chunk)).map(({ type, id }) => type + ':' + id));
            // A row takes the place of what a chunk says of its record; without one it says that there is none any more.
            keys.forEach((key, at) => (rows[at] === null ? kept.delete(key) : kept.add(key)));
            count += kept.size;
          }
          db.close();
        }
        return count;
      },
    };
  }
`;
