import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aPublishedProduct, aProjectSetUp } from '../support/published.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import { openProject, untilSent } from './people.ts';
import { ANDROID, begin, HTML, offer, seeded, whose } from './products.ts';
import { test } from './world.ts';
import type { Team, World } from './world.ts';

/** What a product's card opens: how it looks, and what comes of it. */
test.describe('the dialogs of a project’s products', () => {
  async function restingProducts(world: World, team: Team): Promise<string> {
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' });
    for (const name of [HTML, ANDROID]) {
      const productDefinition = await seeded(world, 'productDefinition', name);
      await aPublishedProduct(world.parts, project, { productDefinition, datePublished: null });
    }
    return project.id;
  }
  const openFromMenu = async (page: Page, product: string, entry: string) => {
    await page.getByRole('button', { name: `More for ${product}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  };

  test('remove one product after the other, close by themselves, and have a way back [R112, R363]', async ({
    page,
    world,
    team,
  }) => {
    const project = await restingProducts(world, team);
    await openProject(page, world.url, project);
    await page.getByRole('button', { name: 'Remove products' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove products' });
    await dialog.getByRole('button', { name: HTML }).click();
    await expect(dialog.getByRole('button', { name: HTML })).toBeHidden();
    await expect(dialog.getByRole('button', { name: ANDROID })).toBeFocused();
    await dialog.getByRole('button', { name: ANDROID }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('No products in this project yet')).toBeVisible();

    const toast = page.locator('.toast').filter({ hasText: `${ANDROID} was removed` });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: ANDROID })).toBeVisible();
    await untilSent(page);
    const left = async () =>
      (await team.api.list(`/api/products?filter[project]=${project}`)).length;
    await expect.poll(left).toBe(1);
  });

  test('add one product after the other while nothing moves under the pointer, and undo one alone [screens 9.2] [R112, R113]', async ({
    page,
    world,
    team,
  }) => {
    const { id: project } = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const name of [HTML, ANDROID] as const) await offer(world, team, name);
    await openProject(page, world.url, project);
    await page.getByRole('button', { name: 'Add products' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add products' });
    const choices = dialog.locator('.product-choice');
    await expect(choices).toHaveCount(2);
    const places = () =>
      choices.evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    const before = await places();
    for (const name of [ANDROID, HTML]) {
      await dialog.getByRole('button', { name }).click();
      await page
        .getByRole('dialog', { name: /^Select a store/ })
        .getByRole('button', { name: /^slipway/ })
        .click();
      const row = dialog.getByRole('listitem').filter({ hasText: name });
      await expect(row).toContainText('Added');
      expect(await places()).toEqual(before);
    }
    await untilSent(page);
    await dialog
      .getByRole('listitem')
      .filter({ hasText: ANDROID })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect(dialog.getByText('Added', { exact: true })).toHaveCount(1);
    expect(await places()).toEqual(before);
    await untilSent(page);
    const left = await team.api.list(`/api/products?filter[project]=${project}`);
    expect(left).toHaveLength(1);
  });

  test('set the properties that a product is built and published with [R286, R288]', async ({
    world,
    team,
    browserOf,
  }) => {
    const project = await restingProducts(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await openProject(page, world.url, project);
    await openFromMenu(page, HTML, 'Publishing properties');
    await page.getByLabel(/^Compute type/).selectOption('Medium');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await untilSent(page);
    const properties = async () =>
      (await team.api.list(`/api/products?filter[project]=${project}`)).map(
        ({ attributes }) => attributes?.properties ?? null,
      );
    await expect.poll(properties).toContainEqual(expect.stringMatching(/"medium"/));
  });

  test('open at the top, and show the heads of the history while one scrolls', async ({
    world,
    team,
    browserOf,
  }) => {
    const { project } = await begin(world, team, HTML, { state: 'App Builder Configuration' });
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1_280, height: 480 });
    await openProject(page, world.url, project.id);
    await openFromMenu(page, HTML, 'Details');
    const head = page.getByRole('dialog').getByRole('columnheader', { name: 'State' });
    await expect(head).toBeVisible();
    const body = page.locator('.dialog-body');
    expect(await body.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await body.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    const topOf = (element: Element) => element.getBoundingClientRect().top;
    expect(await head.evaluate(topOf)).toBeCloseTo(await body.evaluate(topOf), 0);
  });

  test('give axe nothing to find, wide and narrow, light and dark', async ({
    world,
    team,
    browserOf,
  }) => {
    const { project } = await begin(world, team, HTML, { state: 'App Builder Configuration' });
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openProject(page, world.url, project.id);
    for (const width of [375, 768, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const entry of ['Details', 'Publishing properties']) {
        await openFromMenu(page, HTML, entry);
        await expectAccessibleInBoth(page, `${entry}, ${String(width)} px`);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toBeHidden();
      }
      await page.getByRole('button', { name: 'Remove products' }).click();
      await expectAccessibleInBoth(page, `Remove products, ${String(width)} px`);
      await page.keyboard.press('Escape');
    }
  });
});
