import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { apiOf } from '../tests/end-to-end/api.ts';
import { untilDemoRests } from '../tests/end-to-end/demo-at-rest.ts';
import { admin } from '../tests/end-to-end/people.ts';
import { storageStateOf } from '../tests/end-to-end/storage-state.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { freshPlace } from '../tests/support/database.ts';
import { freePort } from '../tests/support/free-port.ts';
import { spawnServer } from '../tests/support/server.ts';
import { build } from '../webpack.config.ts';
import { beyond, within } from './figure.ts';
import type { Figure } from './figure.ts';
import { median } from './measure.ts';
import { tookIn, watch, WATCH } from './watch.ts';

/** Measures the page of a log of 50,000 lines beside a plain window of the same lines. */

const LINES = 50_000;
const RUNS = 3;
/** What one frame takes at 60 a second. */
const FRAME_MS = 17;
const TURN_PX = 2_000;
const TURNS = 300;

export async function log(): Promise<Figure[]> {
  await build({ ifStale: true });
  const place = await freshPlace('');
  const port = String(await freePort());
  const env = { DATA_DIR: place.dataDir, PORT: port, PUBLIC_URL: `http://localhost:${port}` };
  const server = await spawnServer({ ...env, DEMO: '1' });
  const text = Array.from({ length: LINES }, (_, n) => lineOf(n)).join('\n');
  const plain = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  const { path, env: browserEnv } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    args: BROWSER_FLAGS,
    env: { ...process.env, ...browserEnv },
  });
  try {
    await untilDemoRests(server.url);
    const builds = await longLog(server.url, place.dataDir, text);
    const context = await browser.newContext({
      storageState: await storageStateOf({ url: server.url }, admin),
    });
    await context.addInitScript(WATCH);
    return await measured(context, `${server.url}${builds}`, plainUrl);
  } finally {
    await browser.close();
    plain.close();
    await server.stop();
    await place.remove();
  }
}

/** A line as engines write them; some are coloured. */
const lineOf = (n: number): string =>
  n % 7 === 0
    ? `\u001b[32m[INFO]\u001b[0m Step ${n}: compiled page ${n % 311} of the reader, 0 warnings`
    : `Step ${n}: copied asset ${n % 977} into the package, ${n % 4_096} bytes`;

/**
 * Gives the newest build that has ended `text` as its log.
 *
 * @returns the address of the builds of its product
 */
async function longLog(url: string, dataDir: string, text: string): Promise<string> {
  const api = await apiOf(url, admin);
  const builds = await api.list('/api/product-builds?page[limit]=500');
  const ended = builds.find(({ attributes }) => attributes?.success === true);
  const number = Number(ended?.attributes?.['build-id']);
  const product = (ended?.relationships?.product as { data: { id: string } } | undefined)?.data.id;
  if (ended === undefined || product === undefined) throw new Error('The demo has built nothing');
  writeFileSync(enginePathsIn(dataDir).log(number, 1), text);
  return `/products/${product}/builds#${ended.id}`;
}

async function measured(
  context: BrowserContext,
  address: string,
  plainUrl: string,
): Promise<Figure[]> {
  const [list = '', id = ''] = address.split('#');
  const ours = { opening: [] as number[], frame: [] as number[] };
  const floor = { opening: [] as number[], frame: [] as number[] };
  for (let run = 0; run < RUNS; run += 1) {
    const page = await context.newPage();
    await page.goto(list);
    const link = page.locator(`a[href$="/builds/${id}/log"]`).first();
    await link.waitFor();
    await page.waitForTimeout(3_000);
    await watch(page, 'untilSaid', String(LINES));
    await link.click();
    ours.opening.push(await tookIn(page));
    ours.frame.push(await longestFrame(page));
    await page.close();

    const plain = await context.newPage();
    await plain.goto(plainUrl);
    floor.opening.push(await tookIn(plain));
    floor.frame.push(await longestFrame(plain));
    await plain.close();
  }
  const [opening, frame, plainOpening, plainFrame] = [
    ours.opening,
    ours.frame,
    floor.opening,
    floor.frame,
  ].map((all) => median(all.sort((a, b) => a - b))) as [number, number, number, number];
  const against = 'a plain window of them';
  return [
    {
      what: `A log of ${LINES} lines: click to all of them`,
      unit: 'ms',
      ours: opening,
      against: { [against]: plainOpening },
      targets: [within(opening, plainOpening, 1.5)],
    },
    {
      what: `Scrolling a log of ${LINES} lines: the longest frame`,
      unit: 'ms',
      ours: frame,
      against: { [against]: plainFrame },
      targets: [beyond(frame, plainFrame, FRAME_MS)],
    },
  ];
}

/** While the wheel turns, from the top on. */
async function longestFrame(page: Page): Promise<number> {
  await page.mouse.move(500, 500);
  await watch(page, 'frames');
  for (let turn = 0; turn < TURNS; turn += 10) {
    for (let n = 0; n < 10; n += 1) await page.mouse.wheel(0, TURN_PX);
    await page.waitForTimeout(100);
  }
  return tookIn(page);
}
