import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import type { Of, TypeName } from '#schema/index.ts';
import { aProjectSetUp } from '../support/published.ts';
import {
  expectState,
  expectWaiting,
  openPanel,
  openProject,
  projectIdAt,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
  button,
  switchOf,
} from './people.ts';
import { begin, commandsOf, content, HTML, offer, whose } from './products.ts';
import { holdBack } from './sending.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const FIRST = 'App Builder Configuration';
const SLOW_MS = 3_000;

/** Who clicks twice, has two tabs, waits for a slow server or is told no: nothing twice, nothing lost. */
test.describe('[issue 5] whoever is impatient', () => {
  test('makes one of each by clicking twice, however slow the server is [R113, R265]', async ({
    world,
    team,
    page,
  }) => {
    const { organization } = team;
    await offer(world, team, HTML);
    await team.join('Aki', ['Author']);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    await openProject(page, world.url, project.id);
    await untilInstalled(page);
    world.proxy.decide(() => ({ delayMs: SLOW_MS }));

    await twice(button(page, 'Add author'), () => page.getByRole('combobox', { name: /^Person/ }));
    await page.getByRole('combobox', { name: /^Person/ }).fill('Ak');
    await page.getByRole('option', { name: 'Aki' }).click();
    await button(page, 'Add').dblclick();
    await expect(page.locator('[data-record^="authors:"]')).toHaveCount(1);

    await button(page, 'Add reviewer').click();
    await page.getByLabel(/^Name/).fill('Rita');
    await page.getByLabel(/^Email/).fill('rita@example.org');
    await button(page, 'Add').last().dblclick();
    await expect(page.locator('[data-record^="reviewers:"]')).toHaveCount(1);

    await button(page, 'Add products').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: HTML }).click();
    await dialog.getByRole('button', { name: 'slipway_web' }).dblclick();
    await button(page, 'Done').click();
    await expect(page.locator('[data-record^="products:"]')).toHaveCount(1);

    await page.goto(`${world.url}/projects/new`);
    await page.getByLabel(/^Name/).fill('River');
    await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
    await button(page, 'Save').dblclick();
    await projectIdAt(page);
    await untilSent(page);
    world.proxy.reset();

    expect(await namesOf(world, 'author', { project: project.id })).toHaveLength(1);
    expect(await namesOf(world, 'reviewer', { project: project.id })).toHaveLength(1);
    expect(await namesOf(world, 'product', { project: project.id })).toHaveLength(1);
    expect(await namesOf(world, 'project', { organization })).toEqual(['Harvest', 'River']);
  });

  test('gives a command once, and archives and imports once', async ({
    world,
    team,
    browserOf,
  }) => {
    const { organization } = team;
    const { product, project } = await begin(world, { ...team, ana: team.ben }, HTML, {
      content,
      state: FIRST,
    });
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await untilInstalled(page);
    world.proxy.decide(() => ({ delayMs: SLOW_MS }));
    await page.getByRole('row').getByRole('link', { name: HTML }).click();
    await button(page, 'Continue').dblclick();
    const given = () => commandsOf(team.api, product);
    await expect.poll(async () => (await given()).length).toBeGreaterThan(0);
    await untilSent(page);
    expect(await given()).toEqual([['Continue', null]]);

    await page.goto(`${world.url}/projects/import`);
    const Projects = [{ Name: 'Lantern Path', Language: 'es-419' }];
    await page.locator('input[type="file"]').setInputFiles({
      name: 'projects.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ Projects })),
    });
    await button(page, 'Import 1 project').dblclick();
    await expect
      .poll(() => namesOf(world, 'project', { organization }))
      .toEqual(['Harvest', 'Lantern Path']);
    await untilSent(page);
    expect(await namesOf(world, 'projectImport', { organization })).toHaveLength(1);

    await page.goto(`${world.url}/projects/own`);
    await page.getByRole('checkbox', { name: 'Select Harvest' }).click();
    await button(page, 'Archive').dblclick();
    const archivedAt = async () =>
      (await team.api.first(`/api/projects/${project.id}`)).attributes?.['date-archived'];
    await expect.poll(archivedAt).not.toBeNull();
    await untilSent(page);
    world.proxy.reset();
  });

  test('works on one project in two tabs, each with its own fields', async ({
    world,
    team,
    page,
    context,
    harvest,
  }) => {
    const other = await context.newPage();
    await openProject(other, world.url, harvest);
    await switchOf(page, 'Automatic builds').click();
    await switchOf(other, 'Allow other organizations to download').click();
    for (const tab of [page, other]) {
      await expect(tab.getByRole('switch', { name: 'Automatic builds' })).not.toBeChecked();
      await expect(
        tab.getByRole('switch', { name: 'Allow other organizations to download' }),
      ).not.toBeChecked();
    }
    for (const [tab, name] of [
      [page, 'Rita'],
      [other, 'Rolf'],
    ] as const) {
      await button(tab, 'Add reviewer').click();
      await tab.getByLabel(/^Name/).fill(name);
      await tab.getByLabel(/^Email/).fill(`${name.toLowerCase()}@example.org`);
      await button(tab, 'Add').last().click();
    }
    for (const tab of [page, other]) {
      await expect(tab.locator('[data-record^="reviewers:"]')).toHaveCount(2);
      await untilSent(tab);
    }
    const { attributes } = await team.api.first(`/api/projects/${harvest}`);
    expect(attributes).toMatchObject({ 'automatic-builds': false, 'allow-downloads': false });
    expect(await namesOf(world, 'reviewer', { project: harvest })).toEqual(['Rita', 'Rolf']);
  });

  test('is told of every write that was refused, finds what was typed, and can let it go', async ({
    world,
    team,
    page,
  }) => {
    await offer(world, team, HTML);
    const aki = await team.join('Aki', ['Author']);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    await openProject(page, world.url, project.id);
    holdBack(world.proxy);

    await switchOf(page, 'Automatic builds').click();
    await button(page, 'Add author').click();
    await page.getByRole('combobox', { name: /^Person/ }).fill('Ak');
    await page.getByRole('option', { name: aki.name }).click();
    await button(page, 'Add').click();
    await button(page, 'Add reviewer').click();
    await page.getByLabel(/^Name/).fill('Rita');
    await page.getByLabel(/^Email/).fill('rita@example.org');
    await button(page, 'Add').last().click();
    await button(page, 'Add products').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: HTML }).click();
    await dialog.getByRole('button', { name: 'slipway_web' }).click();
    await button(page, 'Done').click();
    await expectWaiting(page, 4);

    // Somebody else has it now: she sees it still, by the group, and may not change it.
    const owner = { data: { type: 'users', id: team.ben.id } };
    await team.api.change({ type: 'projects', id: project.id, relationships: { owner } });
    world.proxy.reset();
    await expectWaiting(page, 0);
    await expectState(page, 'attention');
    const panel = await openPanel(page);
    const refused = panel.locator('[data-change="refused"]');
    await expect(refused).toHaveCount(4);
    for (const typed of ['Automatic builds', 'rita@example.org', 'Aki', HTML])
      await expect(refused.filter({ hasText: typed }).first()).toBeVisible();

    await button(page, /^Discard all/).click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /^Discard/ })
      .click();
    await expectState(page, 'saved');
    for (const type of ['author', 'reviewer', 'product'] as const)
      expect(await namesOf(world, type, { project: project.id })).toEqual([]);
    await page.goto(`${world.url}/projects/${project.id}`);
    await expect(title(page)).toHaveText('Harvest');
  });
});

/** Clicks twice as one does who doubts the first; what a second click closed is opened again. */
async function twice(opener: Locator, opened: () => Locator): Promise<void> {
  await opener.dblclick();
  if ((await opened().count()) === 0) await opener.click();
}

/** What is there, by name where it has one. */
async function namesOf<T extends TypeName>(
  { parts }: World,
  type: T,
  where: Partial<Of<T>>,
): Promise<string[]> {
  const rows = await parts.db.read((tx) => tx.all(type, where));
  return rows.map((row) => ('name' in row ? String(row.name) : row.id)).sort();
}
