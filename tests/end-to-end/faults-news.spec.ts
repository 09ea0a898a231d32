import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { prune } from '#server/db/prune.ts';
import {
  expectState,
  expectWaiting,
  openProject,
  rename,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { expectOnce, holdBack, isSending, untilHearing } from './sending.ts';
import { test } from './world.ts';

const isNews = (message: string): boolean => message.includes('RemoteDataHasUpdated');

/** Every text that the title has shown since, in order. */
async function titlesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    const look = (): void => {
      const text = document.querySelector('h1')?.textContent ?? '';
      if (seen.at(-1) !== text) seen.push(text);
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { titlesSeen: seen });
  });
  return () => page.evaluate(() => (window as unknown as { titlesSeen: string[] }).titlesSeen);
}

test.describe('[fault 28] messages of the hub out of order, repeated, missing', () => {
  test('are noticed and caught up with, and an unknown operation stops nothing [R396, R397]', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    const other = await team.project('Orchard');
    await openProject(page, world.url, project);
    await untilHearing(world);
    const name = (id: string, to: string) =>
      team.api.change({ type: 'projects', id, attributes: { name: to } });

    let n = 0;
    world.proxy.sockets.decide((message) => {
      if (!isNews(message)) return 'pass';
      n += 1;
      return n === 1 ? 'later' : n === 3 ? 'drop' : 'twice';
    });
    await name(project, 'One');
    await name(other, 'Two');
    await name(project, 'Three');
    await name(other, 'Four');
    await expect(title(page)).toHaveText(/Three/);

    world.proxy.sockets.decide((message) =>
      isNews(message) ? { instead: message.replace(/update/, 'improve') } : 'pass',
    );
    await name(project, 'Five');
    await expect(title(page)).toHaveText(/Five/);
    world.proxy.sockets.decide(() => 'pass');
    await name(project, 'Six');
    await expect(title(page)).toHaveText(/Six/);
    await untilLoaded(page);
    await page.goto(`${world.url}/projects/${other}`);
    await expect(title(page)).toHaveText(/Four/);
  });
});

test.describe('[fault 38] a type, operation or field that does not fit', () => {
  for (const { what, from, to } of [
    { what: 'an unknown type', from: /projects/, to: 'rockets' },
    { what: 'an attribute of another kind', from: /\\"name\\":\\"[^"]*\\"/, to: '\\"name\\":{}' },
    { what: 'a message that is no JSON', from: /\{\\"/, to: '<' },
  ]) {
    test(`is fetched again, and the next good message shows: ${what} [R396, R397]`, async ({
      page,
      world,
      team,
      harvest,
    }) => {
      await untilHearing(world);
      let spoilt = 0;
      world.proxy.sockets.decide((message) => {
        if (!isNews(message) || !from.test(message) || spoilt > 0) return 'pass';
        spoilt += 1;
        return { instead: message.replace(from, to) };
      });
      const name = (text: string) =>
        team.api.change({ type: 'projects', id: harvest, attributes: { name: text } });

      await name('Spoilt on its way');
      await expect(title(page)).toHaveText(/Spoilt on its way/);
      expect(spoilt).toBe(1);
      await name('The next one');
      await expect(title(page)).toHaveText(/The next one/);
      await untilLoaded(page);
    });
  }
});

test.describe('[fault 29] news of one’s own change before its answer', () => {
  test('acknowledges it once, without a flicker [R344]', async ({ page, world, harvest }) => {
    await untilHearing(world);
    world.proxy.decide((request) => (isSending(request) ? { delayMs: 1_500 } : 'pass'));
    const answered = page.waitForResponse((one) => one.url().endsWith('/api/operations'));
    await rename(page, 'Heard first');
    await expect(title(page)).toHaveText('Heard first');
    const titles = await titlesOf(page);
    await untilSent(page);
    await answered;
    await untilLoaded(page);
    expect(await titles()).toEqual(['Heard first']);
    await expectOnce(world, harvest, 1);
  });
});

test.describe('[fault 30] news about a record with a waiting edit', () => {
  test('leaves the person’s value on the screen; another field comes in', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest', { description: 'Old words' });
    await openProject(page, world.url, project);
    holdBack(world.proxy);
    await rename(page, 'As I say');
    await expect(title(page)).toHaveText('As I say');
    const titles = await titlesOf(page);
    await expectWaiting(page, 1);

    const theirs = { description: 'New words' };
    await team.api.change({ type: 'projects', id: project, attributes: theirs });
    await expect(page.getByText('New words')).toBeVisible();
    await expect(title(page)).toHaveText(/As I say/);

    world.proxy.reset();
    await untilSent(page);
    expect(await titles()).toEqual(['As I say']);
    const { attributes } = await team.api.first(`/api/projects/${project}`);
    expect(attributes).toMatchObject({ name: 'As I say', description: 'New words' });
  });
});

test.describe('[fault 31] somebody away for longer than the feed is kept', () => {
  test('gets everything afresh behind what shows, and the waiting change is sent', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    const other = await team.project('Orchard');
    await openProject(page, world.url, project);
    world.proxy.setOpen(false);
    await rename(page, 'While away');
    await expect(title(page)).toHaveText('While away');
    await expectState(page, 'offline');

    for (const name of ['Meanwhile', 'And after that'])
      await team.api.change({ type: 'projects', id: other, attributes: { name } });
    const { db, clock } = world.parts;
    await prune(db, clock() + 31 * 86_400_000);
    const titles = await titlesOf(page);
    const isFresh = page.waitForResponse((one) => one.status() === 410);
    world.proxy.reset();
    await isFresh;
    await untilSent(page);
    await untilLoaded(page);

    expect(await titles()).toEqual(['While away']);
    await expectOnce(world, project, 1);
    await page.goto(`${world.url}/projects/${other}`);
    await expect(title(page)).toHaveText(/And after that/);
  });
});

test.describe('[fault 32] a connection that does not last [R343]', () => {
  test('comes back by itself after a restart of the server and a killed WebSocket', async ({
    page,
    world,
    team,
    harvest,
  }) => {
    await untilHearing(world);
    const name = (text: string) =>
      team.api.change({ type: 'projects', id: harvest, attributes: { name: text } });

    world.proxy.sockets.kill();
    await name('After the cut');
    await expect(title(page)).toHaveText(/After the cut/);

    await world.stop();
    await expectState(page, 'offline');
    await rename(page, 'While it was down');
    await world.startAgain();
    await untilSent(page);
    // Where the server came back between its two tries, the client has fallen back to another way
    // than a WebSocket.
    await name('After the restart');
    await expect(title(page)).toHaveText(/After the restart/);
    await name('And live again');
    await expect(title(page)).toHaveText(/And live again/);
    await expectOnce(world, harvest, 1);
  });

  for (const [way, barred] of [
    ['server-sent events', ['WebSocket']],
    ['long polling', ['WebSocket', 'server-sent events']],
  ] as const) {
    test(`falls back to ${way}`, async ({ page, world, team }) => {
      const project = await team.project('Harvest');
      const passed: string[] = [];
      world.proxy.decide(({ url, headers, method }) => {
        if (!url.startsWith('/hubs/data?') || method !== 'GET') return 'pass';
        const isEvents = headers.accept === 'text/event-stream';
        const kind =
          'upgrade' in headers ? 'WebSocket' : isEvents ? 'server-sent events' : 'long polling';
        if ((barred as readonly string[]).includes(kind)) return 'cut-before';
        passed.push(kind);
        return 'pass';
      });
      await openProject(page, world.url, project);
      await expect.poll(() => passed.at(-1)).toBe(way);
      await team.api.change({
        type: 'projects',
        id: project,
        attributes: { name: 'All the same' },
      });
      await expect(title(page)).toHaveText(/All the same/);
    });
  }
});
