import { expect } from '@playwright/test';
import { changeLogOf } from '../support/change-log.ts';
import {
  expectState,
  expectWaiting,
  fillIn,
  openPanel,
  openProject,
  rename,
  status,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import {
  asSignedOut,
  bodiesOf,
  expectOnce,
  holdBack,
  isRefresh,
  letPass,
  renameUnsent,
  untilTried,
} from './sending.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
const refreshes = ({ proxy }: World): number => proxy.asked.filter(isRefresh).length;

test.describe('[fault 19] a clock that is wrong', () => {
  for (const [what, offMs, jumpMs] of [
    ['a day fast, then set right', 1_440 * MINUTE, 0],
    ['a day slow, then set right', -1_440 * MINUTE, 0],
    ['right, then a day back', 0, -1_440 * MINUTE],
  ] as const) {
    test(`keeps the order, and nobody has to sign in: ${what} [R425]`, async ({
      page,
      world,
      team,
    }) => {
      const project = await team.project('Harvest');
      await page.clock.install({ time: Date.now() + offMs });
      await openProject(page, world.url, project);
      await renameUnsent(page, world, 'First');
      await untilTried(world);
      await page.clock.setSystemTime(Date.now() + jumpMs);
      await rename(page, 'Second');
      await expectWaiting(page, 2);
      await letPass(page, world);
      await expectOnce(world, project, 2);
      const { attributes } = await team.api.first(`/api/projects/${project}`);
      expect(attributes?.name).toBe('Second');
      expect(refreshes(world)).toBeLessThanOrEqual(1);
    });
  }
});

test.describe('[fault 20] a sign-in that ends while changes wait', () => {
  test('is asked for on the same page, goes on from the same row, and for the same person only [R333]', async ({
    page,
    world,
    team,
  }) => {
    const first = await team.project('Harvest');
    const second = await team.project('Orchard');
    await openProject(page, world.url, first);
    await page.goto(`${world.url}/projects/${second}`);
    holdBack(world.proxy);
    await rename(page, 'Orchard waits');
    await page.goto(`${world.url}/projects/${first}`);
    await rename(page, 'Harvest waits');
    await expectWaiting(page, 2);

    world.proxy.decide(asSignedOut);
    await expectState(page, 'sign-in');
    await expectWaiting(page, 2);
    await expect(title(page)).toHaveText(/Harvest waits/);
    world.proxy.reset();

    // Somebody else first.
    await (await openPanel(page)).getByRole('button', { name: 'Sign in' }).click();
    await fillIn(page, team.ben);
    await page.waitForURL((at) => at.origin === world.url && !/^\/(login|oidc)/.test(at.pathname));
    await untilLoaded(page);
    await expectWaiting(page, 0);
    const log = await changeLogOf(world.parts.db, [first, second]);
    expect([...log.changesOf(first), ...log.changesOf(second)]).toEqual([]);
  });

  test('goes on from the same row after signing in again [R333, R372]', async ({
    page,
    world,
    team,
    harvest,
  }) => {
    await renameUnsent(page, world, 'First');
    await untilTried(world);
    await rename(page, 'Second');
    await expectWaiting(page, 2);
    const [[id]] = bodiesOf(world.proxy) as [[string]];

    world.proxy.decide(asSignedOut);
    await expectState(page, 'sign-in');
    world.proxy.decide(() => 'pass');
    await (await openPanel(page)).getByRole('button', { name: 'Sign in' }).click();
    await fillIn(page, team.ana);
    await page.waitForURL(`${world.url}/projects/${harvest}`);
    await untilSent(page);
    await untilLoaded(page);
    const written = await expectOnce(world, harvest, 2);
    expect(written[0]).toBe(id);
    await expect(title(page)).toHaveText(/Second/);
  });
});

test.describe('[fault 35] two tabs whose token ends at once', () => {
  test('refresh it once, and nobody is signed out', async ({
    page: first,
    world,
    context,
    harvest,
  }) => {
    const pages = [first, await context.newPage()] as const;
    await openProject(pages[1], world.url, harvest);

    world.aheadMs = 16 * MINUTE;
    world.proxy.decide((request) => (isRefresh(request) ? { delayMs: 500 } : 'pass'));
    for (const page of pages)
      await page.evaluate(() => {
        dispatchEvent(new Event('online'));
      });
    await rename(pages[1], 'With a new token');
    await untilSent(pages[1]);
    await Promise.all(pages.map((page) => page.reload()));
    for (const page of pages) {
      await untilLoaded(page);
      await expect(title(page)).toHaveText(/With a new token/);
    }
    expect(refreshes(world)).toBe(1);
    await expectOnce(world, harvest, 1);
  });
});

test.describe('[fault 36] an answer to a refresh that is lost', () => {
  test('costs nothing: the refresh token just used is taken again', async ({
    page,
    world,
    harvest,
  }) => {
    world.aheadMs = 16 * MINUTE;
    let lost = 0;
    world.proxy.decide((request) => {
      if (!isRefresh(request) || lost > 0) return 'pass';
      lost += 1;
      return 'drop-answer';
    });
    await rename(page, 'Refreshed twice');
    await untilSent(page);
    await untilLoaded(page);
    expect(lost).toBe(1);
    expect(refreshes(world)).toBe(2);
    await expectOnce(world, harvest, 1);
  });
});

test.describe('[fault 37] a refresh without an answer for an hour', () => {
  test('is no sign-out: work goes on, and is sent afterwards [R230]', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    await page.clock.install();
    await openProject(page, world.url, project);
    world.aheadMs = 16 * MINUTE;
    const fates = ['cut-before', 'portal', { status: 502 }] as const;
    let n = 0;
    world.proxy.decide((request) => {
      if (!isRefresh(request)) return 'pass';
      n += 1;
      return fates[n % fates.length] ?? 'pass';
    });
    world.proxy.sockets.kill();
    await rename(page, 'In the first minute');
    for (let minute = 0; minute < 60; minute += 1) {
      // The server's minutes go by too: it counts what comes in one of them.
      world.aheadMs += MINUTE;
      await page.clock.runFor(MINUTE);
      await expect(status(page)).not.toHaveAttribute('data-state', 'sign-in');
    }
    await rename(page, 'In the last minute');
    await expectWaiting(page, 2);
    expect(n).toBeGreaterThan(3);

    world.proxy.reset();
    // After a 502 the next try may be a minute away; after silence it is seconds.
    await page.clock.runFor(65_000);
    await untilSent(page);
    await untilLoaded(page);
    await expect(title(page)).toHaveText(/In the last minute/);
    await expectOnce(world, project, 2);
  });
});
