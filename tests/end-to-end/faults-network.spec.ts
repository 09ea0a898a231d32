import { expect } from '@playwright/test';
import {
  expectState,
  expectWaiting,
  openProject,
  rename,
  status,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { bodiesOf, expectOnce, meet, untilTried } from './sending.ts';
import { test } from './world.ts';

test.describe('[fault 1] an answer that is cut off after the commit', () => {
  test('is asked for again with the same id, answered from the record, and applied once', async ({
    page,
    world,
    harvest,
  }) => {
    // The first may be sent again by the browser itself, where the connection was in use before; an
    // answer that has begun never is.
    meet(world.proxy, 'drop-answer', { cutAt: 0.5 });
    // Else the news would tell what the answer does not.
    world.proxy.sockets.stall(true);
    const again = page.waitForResponse(
      (one) =>
        one.url().endsWith('/api/operations') && one.ok() && bodiesOf(world.proxy).length === 3,
    );

    await rename(page, 'Renamed once');

    expect((await again).headers()['idempotency-replayed']).toBe('true');
    world.proxy.sockets.stall(false);
    await untilSent(page);
    await expect(title(page)).toHaveText(/Renamed once/);
    await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
    const [first, ...others] = bodiesOf(world.proxy);
    expect(others).toEqual([first, first]);
    await expectOnce(world, harvest, 1);
  });
});

test.describe('[fault 2] a connection that is cut before the request arrives', () => {
  test('costs nothing: all is sent again, once, in order', async ({
    page,
    world,
    team,
    harvest,
  }) => {
    meet(world.proxy, 'cut-before', 'cut-before');

    await rename(page, 'First');
    await untilTried(world);
    await rename(page, 'Second');
    await untilSent(page);

    const [first] = bodiesOf(world.proxy);
    const written = await expectOnce(world, harvest, 2);
    expect(written[0]).toBe(first?.[0]);
    const { attributes } = await team.api.first(`/api/projects/${harvest}`);
    expect(attributes?.name).toBe('Second');
  });
});

test.describe('[fault 3] a request or answer that comes twice, or late', () => {
  test('changes nothing the second time', async ({ page, world, harvest }) => {
    meet(world.proxy, 'repeat');
    world.proxy.sockets.decide((message) => (message.includes('Updated') ? 'twice' : 'pass'));

    await rename(page, 'Once');
    await untilSent(page);
    await rename(page, 'Then this');
    await untilSent(page);

    await expect(title(page)).toHaveText(/Then this/);
    await expectOnce(world, harvest, 2);
  });
});

test.describe('[fault 4] an answer that is none', () => {
  test('cut mid-JSON, or a captive portal’s page, is no answer, and the status says so [R333]', async ({
    page,
    world,
    harvest,
  }) => {
    let isThrough = false;
    world.proxy.decide((request) => {
      if (isThrough || !request.url.startsWith('/api/')) return 'pass';
      return 'portal';
    });
    world.proxy.sockets.kill();

    await rename(page, 'Behind a portal');
    await expectState(page, 'problem');
    await expectWaiting(page, 1);
    await expect(title(page)).toHaveText(/Behind a portal/);

    isThrough = true;
    meet(world.proxy, { cutAt: 0.5, isClean: true }, { cutAt: 0.3 }, { garbleAt: 0 });
    await untilSent(page);
    await untilLoaded(page);
    await expectOnce(world, harvest, 1);
    expect(new Set(bodiesOf(world.proxy).flat()).size).toBe(1);
  });
});

test.describe('[fault 27] a request that hangs', () => {
  test('is given up, sent again with the same id, and the screen never waits for it [R318, R418]', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    await page.clock.install();
    await openProject(page, world.url, project);
    meet(world.proxy, 'hang');
    // Else the news would tell what the answer does not.
    world.proxy.sockets.stall(true);

    await rename(page, 'Not held up');
    await expect(title(page)).toHaveText(/Not held up/);
    await expectState(page, 'saving');
    await rename(page, 'Nor is this');
    await expect(title(page)).toHaveText(/Nor is this/);
    await expectWaiting(page, 2);

    await page.clock.fastForward(61_000);
    await page.clock.fastForward(3_000);
    await untilSent(page);
    const [first, second] = bodiesOf(world.proxy);
    expect(second?.[0]).toBe(first?.[0]);
    await expectOnce(world, project, 2);
  });
});

test.describe('[fault 27] a question that hangs', () => {
  test('keeps nobody from saving what they typed into a form', async ({
    world,
    team,
    browserOf,
  }) => {
    await team.project('Harvest');
    const page = await (await browserOf(team.ben)).newPage();
    await page.clock.install();
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    let isAsked = false;
    world.proxy.decide(({ url }) => {
      if (!url.includes('project-imports')) return 'pass';
      isAsked = true;
      return 'hang';
    });
    await page.goto(`${world.url}/projects/import`);
    await expect.poll(() => isAsked).toBe(true);
    await page.getByRole('link', { name: 'Organization projects' }).click();
    await page.getByRole('link', { name: 'Harvest', exact: true }).click();
    // Time stands still, so the question is never given up.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await rename(page, 'Not held up');
    await expect(title(page)).toHaveText(/Not held up/);
  });
});

test.describe('[fault 26] a server that asks for patience', () => {
  for (const { says, fate, afterMs } of [
    { says: '503', fate: { status: 503, headers: { 'Retry-After': '20' } }, afterMs: 20_000 },
    { says: '429', fate: { status: 429, headers: { 'Retry-After': '40' } }, afterMs: 40_000 },
  ]) {
    test(`gets it: ${says} with Retry-After`, async ({ page, world, team }) => {
      const project = await team.project('Harvest');
      await page.clock.install();
      await openProject(page, world.url, project);
      const headers = { 'Content-Type': 'application/vnd.api+json', ...fate.headers };
      meet(world.proxy, { ...fate, headers, body: '{"errors":[]}' });

      await rename(page, 'Patient');
      await expect.poll(() => bodiesOf(world.proxy).length).toBe(1);
      await page.clock.runFor(afterMs - 5_000);
      expect(bodiesOf(world.proxy)).toHaveLength(1);
      await expectWaiting(page, 1);
      await page.clock.runFor(6_000);
      await untilSent(page);
      // Once more where the hub, which was silent as long, was found again meanwhile.
      const [first, ...more] = bodiesOf(world.proxy);
      expect(more.length).toBeGreaterThan(0);
      for (const body of more) expect(body).toEqual(first);
      await expectOnce(world, project, 1);
    });
  }

  test('for ten minutes of 500 is not stormed, not even by five tabs [R333, R374]', async ({
    world,
    team,
    context,
  }) => {
    const project = await team.project('Harvest');
    await context.clock.install();
    const pages = [];
    for (let n = 0; n < 5; n += 1) {
      const one = await context.newPage();
      await openProject(one, world.url, project);
      pages.push(one);
    }
    let failed = 0;
    world.proxy.decide(({ url }) => {
      if (!url.startsWith('/api/')) return 'pass';
      failed += 1;
      return { status: 500, headers: { 'Content-Type': 'text/html' }, body: 'Oh no' };
    });
    world.proxy.sockets.kill();
    const [page, ...rest] = pages;
    if (page === undefined) throw new Error('There is no page');
    await rename(page, 'Through the storm');

    // In steps, so that answers come between them.
    for (let step = 0; step < 60; step += 1) await context.clock.runFor(10_000);
    const most = failed;
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(2_000);

    world.proxy.reset();
    // Whichever wait an answer of the storm began, however late it came, is over within a minute. Time
    // stands while an answer is under way, so that a slow server is not given up.
    const isSent = async () => {
      if (world.proxy.unanswered() === 0) await context.clock.runFor(10_000);
      return status(page).getAttribute('data-waiting');
    };
    await expect.poll(isSent, { timeout: 60_000 }).toBe('0');
    await untilSent(page);
    for (const one of rest) await expect(title(one)).toHaveText(/Through the storm/);
    await expectOnce(world, project, 1);
  });
});
