import type { Browser, BrowserContext, Page, Worker } from '@playwright/test';

/** A tab in a process of its own, which can be ended or halted as a system does it. */
export interface TabProcess {
  readonly page: Page;
  /** SIGKILL: the tab crashes. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: nothing in it runs any more, and nobody is told. */
  readonly freeze: () => void;
  /** SIGCONT. */
  readonly thaw: () => void;
}

/** Opens `address` in a new tab of `context`. */
export async function openTabProcess(
  browser: Browser,
  context: BrowserContext,
  address: string,
): Promise<TabProcess> {
  const page = await context.newPage();
  await page.goto(address);
  const id = await processOf(browser, page);
  return {
    page,
    kill: async () => {
      process.kill(id, 'SIGKILL');
      // A tab in the background crashes without an event of its page.
      while ((await cpuTimes(browser)).has(id));
    },
    freeze: () => process.kill(id, 'SIGSTOP'),
    thaw: () => process.kill(id, 'SIGCONT'),
  };
}

const SPELL_MS = 200;
const ROUNDS_MOST = 40;

/**
 * The process of a page or a worker. No protocol tells whose is whose: it is the one that works when
 * that does and rests when it rests. Others work too, as they like, so it is looked at until one
 * stands out.
 */
export async function processOf(browser: Browser, place: Page | Worker): Promise<number> {
  // Both have it, and no call fits both types.
  const page = place as Page;
  const score = new Map<number, number>();
  for (let round = 0; round < ROUNDS_MOST; round += 1) {
    const before = await cpuTimes(browser);
    await page.evaluate((ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    }, SPELL_MS);
    const between = await cpuTimes(browser);
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), SPELL_MS);
    const after = await cpuTimes(browser);
    for (const [id, seconds] of between) {
      const worked = seconds - (before.get(id) ?? seconds);
      const rested = (after.get(id) ?? seconds) - seconds;
      score.set(id, (score.get(id) ?? 0) + worked - rested);
    }
    const [first, second] = [...score].sort(([, a], [, b]) => b - a);
    const isClear = first !== undefined && first[1] > 3 * Math.max(second?.[1] ?? 0, 0);
    if (isClear && first[1] * 1_000 > 2 * SPELL_MS) return first[0];
  }
  throw new Error('No process stands out as the one of the page');
}

async function cpuTimes(browser: Browser): Promise<Map<number, number>> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime]));
}
