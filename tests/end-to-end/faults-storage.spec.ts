import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { LOCAL_SCHEMA } from '#data/storage/migrate.ts';
import {
  breakStorage,
  fillStorage,
  forgetField,
  letGo,
  makeCopy,
  rowsIn,
  spoilStorage,
} from './device-storage.ts';
import {
  expectState,
  expectWaiting,
  openPanel,
  openProject,
  rename,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { expectOnce, letPass, refusal, renameUnsent } from './sending.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

/** A page of our origin without the app. */
async function plainPage(page: Page, { url }: World): Promise<Page> {
  await page.goto(`${url}/help/`);
  return page;
}

const banner = (page: Page, text: RegExp): Locator =>
  page.getByRole('region', { name: 'State of this device' }).getByText(text);

/** Fills the form in and saves, whatever becomes of it. */
async function tryToRename(page: Page, to: string): Promise<void> {
  await page.getByRole('link', { name: /edit/i }).click();
  await page.getByLabel(/^Name/).fill(to);
  await save(page);
}

const save = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Save', exact: true }).click();

/** Nothing looks saved, and nothing typed is lost. */
async function expectNotSaved(page: Page, typed: string, waiting = 0): Promise<void> {
  await expect(page.getByLabel(/^Name/)).toHaveValue(typed);
  await expectWaiting(page, waiting);
}

test.describe('[fault 11] a device that is full', () => {
  test('refuses an edit before it looks saved, and takes it once there is room', async ({
    page,
    context,
    world,
    team,
  }) => {
    const [first, second] = [await team.project('Harvest'), await team.project('Orchard')];
    await spoilStorage(context);
    await openProject(page, world.url, first);
    await renameUnsent(page, world, 'Waiting before');
    await page.goto(`${world.url}/projects/${second}`);
    await expect(title(page)).toHaveText(/Orchard/);
    await fillStorage(page);

    await tryToRename(page, 'Too much');
    await expect(page.getByText('There is no space left on this device')).toBeVisible();
    await expectNotSaved(page, 'Too much', 1);

    await page.getByRole('button', { name: 'Make room and try again' }).click();
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    await expectWaiting(page, 2);
    await letPass(page, world);
    await expect(title(page)).toHaveText(/Too much/);
    await expectOnce(world, first, 1);
    await expectOnce(world, second, 1);
  });
});

test.describe('[fault 12] a browser that evicted everything', () => {
  test('is noticed at the next start, and said with the number of changes', async ({
    page,
    world,
    harvest,
  }) => {
    await renameUnsent(page, world, 'Will be missing');

    await plainPage(page, world);
    const device = await page.context().newCDPSession(page);
    await device.send('Storage.clearDataForOrigin', {
      origin: world.url,
      storageTypes: 'indexeddb',
    });
    world.proxy.reset();
    await page.goto(`${world.url}/projects/${harvest}`);
    await expect(banner(page, /1 change that was not yet sent may be missing/)).toBeVisible();
    await expect(title(page)).toHaveText(/Harvest/);
    await page.getByRole('button', { name: 'Understood' }).click();
    await expect(banner(page, /may be missing/)).toHaveCount(0);
    await untilLoaded(page);
    await page.reload();
    await untilLoaded(page);
    await expect(banner(page, /may be missing/)).toHaveCount(0);
  });
});

test.describe('[fault 13] a browser without IndexedDB', () => {
  for (const how of ['none', 'refused'] as const) {
    test(`works in memory, says so, guards the tab and exports: ${how}`, async ({
      page,
      world,
      team,
    }) => {
      const project = await team.project('Harvest');
      await page.addInitScript((given) => {
        if (given === 'none') Object.defineProperty(globalThis, 'indexedDB', { value: null });
        else
          IDBFactory.prototype.open = () => {
            throw new DOMException('Not in this window', 'SecurityError');
          };
      }, how);
      await openProject(page, world.url, project);
      await expect(banner(page, /keeps nothing on this device/)).toBeVisible();
      await renameUnsent(page, world, 'In memory');
      await expect(title(page)).toHaveText(/In memory/);

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export all' }).click(),
      ]);
      expect(readFileSync(await file.path(), 'utf8')).toContain('In memory');
      const [asked] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      expect(asked.type()).toBe('beforeunload');
      await asked.dismiss();

      await letPass(page, world);
      await expectOnce(world, project, 1);
      await expect(banner(page, /keeps nothing on this device/)).toBeVisible();
    });
  }
});

test.describe('[fault 14] an old tab and an upgrade of the database', () => {
  test('the old tab lets go, and is told to reload', async ({ world, team, context }) => {
    const project = await team.project('Harvest');
    const old = await context.newPage();
    await old.addInitScript((today) => {
      const open = Reflect.get<IDBFactory, 'open'>(IDBFactory.prototype, 'open');
      IDBFactory.prototype.open = function (name, version) {
        return open.call(this, name, version === today ? today - 1 : version);
      };
    }, LOCAL_SCHEMA);
    await openProject(old, world.url, project);
    const young = await context.newPage();
    await openProject(young, world.url, project);

    await expect(banner(old, /A newer version of Slipway uses this device/)).toBeVisible();
    await expect(title(old)).toHaveText(/Harvest/);
    await expect(banner(young, /newer version|other tabs/)).toHaveCount(0);
    await rename(young, 'By the new one');
    await untilSent(young);
    await expectOnce(world, project, 1);
  });

  test('one that cannot let go: the new one reads, says which to close, and goes on by itself', async ({
    world,
    team,
    context,
  }) => {
    const project = await team.project('Harvest');
    const old = await plainPage(await context.newPage(), world);
    await makeCopy(old, { account: team.ana.id, version: 1, isHeld: true });
    const page = await context.newPage();
    await page.goto(`${world.url}/projects/${project}`);
    await expect(banner(page, /Close the other tabs/)).toBeVisible();
    await expect(title(page)).toHaveText(/Harvest/);
    await tryToRename(page, 'Too early');
    await expect(page.getByText(/Nothing was saved; please close the other tabs/)).toBeVisible();
    await expectNotSaved(page, 'Too early');

    await letGo(old);
    await expect(banner(page, /Close the other tabs/)).toHaveCount(0);
    await save(page);
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    await untilSent(page);
    await expectOnce(world, project, 1);
  });
});

test.describe('[fault 15] a database that fails in the middle', () => {
  test('is opened again; what is edited meanwhile is said not to be saved', async ({
    page,
    context,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    await spoilStorage(context);
    await openProject(page, world.url, project);
    await renameUnsent(page, world, 'Kept before');

    await breakStorage(page, true);
    await expect(banner(page, /storage of this device does not answer/)).toBeVisible();
    await tryToRename(page, 'Into the void');
    await expect(page.getByText(/Nothing was saved; please try again/)).toBeVisible();
    await expectNotSaved(page, 'Into the void', 1);

    await breakStorage(page, false);
    await expect(banner(page, /storage of this device does not answer/)).toHaveCount(0, {
      timeout: 20_000,
    });
    await save(page);
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    await letPass(page, world);
    const { attributes } = await team.api.first(`/api/projects/${project}`);
    expect(attributes?.name).toBe('Into the void');
    await page.reload();
    await untilLoaded(page);
    await expectWaiting(page, 0);
  });
});

test.describe('[fault 44] storage that another page of the origin removes', () => {
  test('gets anew what waits, takes what is done after, and the page says so [R342]', async ({
    page,
    context,
    world,
    team,
    harvest,
  }) => {
    await renameUnsent(page, world, 'Before it went');
    const other = await plainPage(await context.newPage(), world);
    await other.evaluate(
      (name) =>
        new Promise<void>((done, fail) => {
          const removal = indexedDB.deleteDatabase(name);
          removal.onsuccess = () => {
            done();
          };
          removal.onerror = () => {
            fail(removal.error ?? new Error('It stays'));
          };
        }),
      `slipway-${team.ana.id}`,
    );
    await expect(banner(page, /Another page has removed/)).toBeVisible();
    const kept = async () => JSON.stringify(await rowsIn(other, team.ana.id, 'outbox'));
    await expect.poll(kept).toContain('Before it went');
    await rename(page, 'After it went');
    await expect.poll(kept).toContain('After it went');

    await letPass(page, world);
    const { attributes } = await team.api.first(`/api/projects/${harvest}`);
    expect(attributes?.name).toBe('After it went');
    await page
      .getByRole('region', { name: 'State of this device' })
      .getByRole('button', { name: 'Reload' })
      .click();
    await untilLoaded(page);
    await expect(title(page)).toHaveText(/After it went/);
    await expect(banner(page, /removed|may be missing/)).toHaveCount(0);
  });
});

test.describe('[fault 16] a cached record that is damaged', () => {
  test('is set aside and fetched again; what waits is untouched', async ({ page, world, team }) => {
    const [project, other] = [await team.project('Harvest'), await team.project('Orchard')];
    await openProject(page, world.url, project);
    await renameUnsent(page, world, 'Untouched');
    await plainPage(page, world);
    await makeCopy(page, {
      account: team.ana.id,
      version: LOCAL_SCHEMA,
      rows: {
        rows: [
          ['half a rec', `project:${other}`],
          [{ type: 'rocket', id: 7 }, `project:${project}`],
        ],
        chunks: [[{ not: 'a list' }, 'project/999']],
      },
    });
    await page.goto(`${world.url}/projects/${other}`);
    await expect(title(page)).toHaveText(/Orchard/);
    await expectWaiting(page, 1);
    await page.goto(`${world.url}/projects/${project}`);
    await expect(title(page)).toHaveText(/Untouched/);
    await letPass(page, world);
    await expectOnce(world, project, 1);
  });

  test('is none that lacks a field which a newer app has added: it shows offline, and is fetched again', async ({
    page,
    world,
    team,
  }) => {
    const project = await team.project('Harvest', { description: 'Of the field' });
    await openProject(page, world.url, project);
    await untilLoaded(page);
    await plainPage(page, world);
    await forgetField(page, team.ana.id, 'description');
    const told: string[] = [];
    page.on('pageerror', ({ message }) => told.push(message));
    world.proxy.decide(({ url }) => (/^\/(api|hub)/.test(url) ? 'cut-before' : 'pass'));
    await page.goto(`${world.url}/projects/${project}`);
    await expect(title(page)).toHaveText(/Harvest/);
    await expect(page.getByText('Of the field')).toHaveCount(0);
    world.proxy.reset();
    await page.reload();
    await expect(page.getByText('Of the field')).toBeVisible();
    expect(told.filter((each) => each.includes('damaged'))).toEqual([]);
  });
});

test.describe('[fault 17] an upgrade with changes of an older version', () => {
  test('sends what it can read, and shows what it can not', async ({ page, world, team }) => {
    const project = await team.project('Harvest');
    await plainPage(page, world);
    const row = (id: string, more: object) => ({
      ...{ id, userId: team.ana.id, state: 'waiting', problem: null, attempts: 0 },
      ...{ notBefore: null, dependsOn: [], madeAt: Date.now(), schema: 1 },
      ...more,
    });
    const edit = (name: string) => ({
      op: 'updateRecord',
      record: { type: 'project', id: project, attributes: { name } },
    });
    await makeCopy(page, {
      account: team.ana.id,
      version: 1,
      rows: {
        outbox: [
          [
            row('019a0000-0000-7000-8000-000000000001', {
              operations: [edit('By the old app')],
              base: [{ name: 'Harvest' }],
              theirs: [{}],
              undo: [edit('Harvest')],
              says: ['changes.project.rename', { from: 'Harvest', to: 'By the old app' }],
            }),
          ],
          [row('019a0000-0000-7000-8000-000000000002', { operations: 'An hour of typing' })],
        ],
      },
    });
    await page.goto(`${world.url}/projects/${project}`);
    await expect(title(page)).toHaveText(/By the old app/);
    await expectWaiting(page, 0);
    const written = await expectOnce(world, project, 1);
    expect(written).toEqual(['019a0000-0000-7000-8000-000000000001']);
    await expectState(page, 'attention');
    const panel = await openPanel(page);
    await expect(panel).toContainText('A change that this version of the app cannot read');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toContain('An hour of typing');
    expect(JSON.stringify(await rowsIn(page, team.ana.id, 'outbox'))).toContain(
      'An hour of typing',
    );
  });
});

test.describe('[fault 18] versions that do not fit together', () => {
  test('an older app does not write into a newer copy, and keeps the queue', async ({
    page,
    world,
    team,
    harvest,
  }) => {
    await renameUnsent(page, world, 'For the newer one');
    await plainPage(page, world);
    const before = await rowsIn(page, team.ana.id, 'outbox');
    await makeCopy(page, { account: team.ana.id, version: LOCAL_SCHEMA + 1 });

    world.proxy.reset();
    await page.goto(`${world.url}/projects/${harvest}`);
    await expect(banner(page, /A newer version of Slipway uses this device/)).toBeVisible();
    await expect(title(page)).toHaveText(/Harvest/);
    await tryToRename(page, 'By the old one');
    await expect(page.getByText(/Nothing was saved; please reload/)).toBeVisible();
    await expectNotSaved(page, 'By the old one');
    expect(await rowsIn(page, team.ana.id, 'outbox')).toEqual(before);
    await expectOnce(world, harvest, 0);
  });

  test('a server that wants a newer app: told to reload, and the queue is kept', async ({
    page,
    world,
    harvest,
  }) => {
    world.proxy.decide(({ url }) =>
      url.startsWith('/api/') ? refusal({ code: 'client-too-old' }) : 'pass',
    );
    await rename(page, 'Kept for the new app');
    await expect(banner(page, /too old for the server/)).toBeVisible();
    await expectWaiting(page, 1);
    await expect(title(page)).toHaveText(/Kept for the new app/);
    world.proxy.reset();
    await page.getByRole('button', { name: 'Reload' }).click();
    await untilSent(page);
    await untilLoaded(page);
    await expectOnce(world, harvest, 1);
  });
});
