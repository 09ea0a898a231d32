import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { builder, signIn } from '../tests/end-to-end/people.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { freshPlace, openAt } from '../tests/support/database.ts';
import type { Place } from '../tests/support/database.ts';
import { freePort } from '../tests/support/free-port.ts';
import { aCause, newId } from '../tests/support/make.ts';
import { spawnServer } from '../tests/support/server.ts';
import { build } from '../webpack.config.ts';
import { atMost } from './figure.ts';
import type { Figure } from './figure.ts';
import { median } from './measure.ts';

/** The whole app, reloaded on a device that holds 20,000 records and has its files. */

/** With two products, their newest builds and artifacts they are 20,000 records. */
const PROJECTS = 2_222;
const RELOADS = 5;

interface Painted {
  /** From navigation until the frame in which the first rows are. */
  readonly rowsMs: number;
  readonly longestTaskMs: number;
}

export async function reload(): Promise<Figure[]> {
  await build({ ifStale: true });
  const place = await freshPlace('');
  const port = String(await freePort());
  const env = { DATA_DIR: place.dataDir, PORT: port, PUBLIC_URL: `http://localhost:${port}` };
  // The first start brings the people and what a project needs.
  await (await spawnServer(env)).stop();
  await addRecords(place);
  const server = await spawnServer(env);
  const { path, env: browserEnv } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    args: BROWSER_FLAGS,
    env: { ...process.env, ...browserEnv },
  });
  try {
    const context = await browser.newContext();
    await context.addInitScript(WATCH);
    await fill(context, server.url);
    const all: Painted[] = [];
    const page = await context.newPage();
    await page.goto(`${server.url}/projects/own`);
    await painted(page);
    for (let n = 0; n < RELOADS; n += 1) {
      await page.reload();
      all.push(await painted(page));
    }
    return figuresOf(all);
  } finally {
    await browser.close();
    await server.stop();
    await place.remove();
  }
}

function figuresOf(all: readonly Painted[]): Figure[] {
  const middle = (of: (painted: Painted) => number): number =>
    median(all.map(of).sort((a, b) => a - b));
  const rows = middle(({ rowsMs }) => rowsMs);
  const longest = middle(({ longestTaskMs }) => longestTaskMs);
  return [
    {
      what: 'Reload with 20,000 records: first rows of /projects/own painted',
      unit: 'ms',
      ours: rows,
      against: {},
      targets: [atMost(rows, 500, 'ms')],
    },
    {
      what: '… the longest task until everything is restored',
      unit: 'ms',
      ours: longest,
      against: {},
      targets: [atMost(longest, 100, 'ms')],
    },
  ];
}

/** Runs in the page before anything else: notes long tasks, and when rows are painted. */
const WATCH = `
  globalThis.painted = { rowsMs: 0, longestTaskMs: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      painted.longestTaskMs = Math.max(painted.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('tbody tr a[href^="/projects/"]') === null)
      requestAnimationFrame(look);
    // The frame after the one that has them: they are on the screen.
    else requestAnimationFrame(() => (painted.rowsMs = performance.now()));
  };
  requestAnimationFrame(look);
`;

/** Signs in, waits for the first load and for the service worker, and until all is written. */
async function fill(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await signIn(page, url, builder);
  await page.goto(`${url}/projects/own`);
  await page.waitForFunction(
    async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const status = document.querySelector('[data-testid=sync-status]');
      const isSaved = status?.getAttribute('data-state') === 'saved';
      return registration?.active?.state === 'activated' && isSaved;
    },
    null,
    { timeout: 120_000 },
  );
  await page.waitForTimeout(5_000);
  await page.close();
}

/** Waits until the rows are painted and the rest is restored. */
async function painted(page: Page): Promise<Painted> {
  await page.waitForFunction(
    () => (globalThis as unknown as { painted: { rowsMs: number } }).painted.rowsMs > 0,
    null,
    { timeout: 60_000 },
  );
  // What is restored after the first screen must not block it either.
  await page.waitForTimeout(2_000);
  return page.evaluate(() => (globalThis as unknown as { painted: Painted }).painted);
}

function first<T>([found]: readonly T[]): T {
  if (found === undefined) throw new Error('The demo data has none');
  return found;
}

/** Projects of one person, in the organization that is there. */
async function addRecords(place: Place): Promise<void> {
  const { db, close } = await openAt(place);
  const { organization, group, type, owner, definitions } = await db.read(async (tx) => {
    const person = first(await tx.all('user', { email: builder }));
    const membership = first(await tx.all('groupMembership', { user: person.id }));
    const own = first(await tx.all('group', { id: membership.group }));
    return {
      organization: own.owner,
      group: own.id,
      type: first(await tx.all('applicationType', {})).id,
      owner: person.id,
      definitions: (await tx.all('productDefinition', {})).slice(0, 2),
    };
  });
  for (let from = 0; from < PROJECTS; from += 100)
    await db.write(aCause(), async (w) => {
      for (let n = from; n < Math.min(PROJECTS, from + 100); n += 1) {
        const project = newId();
        const name = `Project ${n}`;
        const language = 'en-US';
        await w.insert('project', {
          id: project,
          name,
          language,
          organization,
          group,
          type,
          owner,
        });
        for (const { id: productDefinition } of definitions) {
          const product = newId();
          await w.insert('product', { id: product, project, productDefinition });
          const productBuild = newId();
          const success = true;
          await w.insert('productBuild', {
            id: productBuild,
            product,
            buildVersion: '1.0',
            success,
          });
          for (const artifactType of ['apk', 'about'])
            await w.insert('productArtifact', { id: newId(), product, productBuild, artifactType });
        }
      }
    });
  await close();
}
