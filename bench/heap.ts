import type { CDPSession, Page } from '@playwright/test';
import { openBench } from './browser.ts';
import { atMost } from './figure.ts';
import type { Figure } from './figure.ts';
import { makeRecords, PROJECTS, renaming } from './records.ts';

/** What the local copy takes in memory, and whether it grows while nothing is added to it. */

/** So many that there are 50,000 records. */
const MANY_PROJECTS = 2_958;
const CYCLES = 1_000;
/** By then whatever is made once has been made. */
const SETTLED_AFTER = 200;
const STEP = 50;

export async function heap(): Promise<Figure[]> {
  const entries = { alone: './bench/page/alone.tsx' };
  const records = makeRecords(MANY_PROJECTS);
  const files = { '/records.json': records.text };
  const bench = await openBench(entries, { files, viewer: records.viewer });
  try {
    const loadedMb = await bench.inPage('alone', async (page, session) => {
      const before = await used(session);
      await page.evaluate('steps.loaded()');
      return ((await used(session)) - before) / 2 ** 20;
    });
    const slope = await bench.inPage('alone', (page, session) =>
      slopeOf(page, session, records.projects),
    );
    return [
      {
        what: `Heap, ${records.count} records`,
        unit: 'MB',
        ours: loadedMb,
        against: {},
        targets: [atMost(loadedMb, 35, 'MB')],
      },
      {
        what: `Growth of the heap over cycles ${SETTLED_AFTER} to ${CYCLES} of sync`,
        unit: 'bytes a cycle',
        ours: slope,
        against: {},
        targets: [atMost(slope, 1_024, 'bytes a cycle')],
      },
    ];
  } finally {
    await bench.close();
  }
}

/** Bytes that are left after everything that can be collected was. */
async function used(session: CDPSession): Promise<number> {
  for (let n = 0; n < 3; n += 1) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

async function slopeOf(
  page: Page,
  session: CDPSession,
  projects: readonly string[],
): Promise<number> {
  await page.evaluate('steps.loaded()');
  const points: (readonly [cycle: number, bytes: number])[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle += STEP) {
    const texts = Array.from({ length: STEP }, (_, n) =>
      renaming(cycle + n + 1, [[(cycle + n) % PROJECTS, `Cycle ${cycle + n}`]]),
    );
    await page.evaluate(
      ([ids, from, values]) =>
        (
          globalThis as unknown as {
            steps: {
              cycles: (ids: readonly string[], from: number, texts: string[]) => Promise<void>;
            };
          }
        ).steps.cycles(ids, from, values),
      [projects, cycle, texts] as const,
    );
    if (cycle + STEP >= SETTLED_AFTER) points.push([cycle + STEP, await used(session)]);
  }
  return slopeThrough(points);
}

/** Least squares. */
function slopeThrough(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
