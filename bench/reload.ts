import type { Page } from '@playwright/test';
import type { Database } from '#server/db/database.ts';
import { aCause, newId } from '../tests/support/make.ts';
import { openApp } from './app.ts';
import type { Ground } from './app.ts';
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
  const app = await openApp(addRecords, WATCH);
  try {
    const all: Painted[] = [];
    const page = await app.context.newPage();
    await page.goto(`${app.url}/projects/own`);
    await painted(page);
    for (let n = 0; n < RELOADS; n += 1) {
      await page.reload();
      all.push(await painted(page));
    }
    return figuresOf(all);
  } finally {
    await app.close();
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

/** Waits until the rows are painted and the rest is restored. */
async function painted(page: Page): Promise<Painted> {
  await page.waitForFunction(
    () => (globalThis as unknown as { painted: { rowsMs: number } }).painted.rowsMs > 0,
    null,
    { timeout: 60_000 },
  );
  // Records that are restored after the first screen must not block it either.
  await page.waitForTimeout(2_000);
  return page.evaluate(() => (globalThis as unknown as { painted: Painted }).painted);
}

/** Projects of one person, in the organization that is there. */
async function addRecords(db: Database, { definitions, ...whose }: Ground): Promise<void> {
  for (let from = 0; from < PROJECTS; from += 100)
    await db.write(aCause(), async (w) => {
      for (let n = from; n < Math.min(PROJECTS, from + 100); n += 1) {
        const project = newId();
        await w.insert('project', {
          id: project,
          name: `Project ${n}`,
          language: 'en-US',
          ...whose,
        });
        for (const { id: productDefinition } of definitions.slice(0, 2)) {
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
}
