import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aPublishedProduct, aProjectSetUp } from '../support/published.ts';
import { expectAccessible } from './accessible.ts';
import {
  expectState,
  expectWaiting,
  openPanel,
  openProject,
  projectIdAt,
  switchOf,
  untilLoaded,
  untilSent,
} from './people.ts';
import { ANDROID, ASSETS, command, content, HTML, offer, seeded, whose } from './products.ts';
import { test } from './world.ts';

/** What one takes back takes nothing of others along (domain 4, wire 8.1). */
test.describe('undoing what others have built upon', () => {
  async function addProduct(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add products' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: HTML }).click();
    await dialog.getByRole('button', { name: 'slipway_web' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await untilSent(page);
  }

  test('[fault 46] offline leaves a product that somebody worked on meanwhile where it is, and says why', async ({
    world,
    team,
    page,
    context,
  }) => {
    await offer(world, team, HTML);
    const project = await aProjectSetUp(
      world.parts,
      { ...whose(team), name: 'Harvest', automaticBuilds: false },
      content,
    );
    await openProject(page, world.url, project.id);
    await addProduct(page);
    const api = await team.apiOf(team.ana);
    const card = page.getByRole('heading', { name: HTML });
    await expect(page.getByText('App builder configuration').first()).toBeVisible();
    const [product] = await api.list(`/api/products?filter[project]=${project.id}`);
    if (product === undefined) throw new Error('The product did not arrive');

    await context.setOffline(true);
    await expectState(page, 'offline');
    await command(api, product.id, 'Continue');
    const panel = await openPanel(page);
    await panel
      .getByRole('listitem')
      .filter({ hasText: `Add ${HTML} to Harvest` })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expectWaiting(page, 1);
    await expect(card).toBeHidden();

    await context.setOffline(false);
    await expectState(page, 'attention');
    await expect(
      panel.getByText(/This can no longer be undone\. Built on it since:/),
    ).toBeVisible();
    await expectAccessible(page, 'the refused undo');
    await page.keyboard.press('Escape');
    await expect(card).toBeVisible();
    await expect
      .poll(async () => (await api.list(`/api/products?filter[project]=${project.id}`)).length)
      .toBe(1);
  });

  test('is not offered for a project that has a product by now: it is archived instead', async ({
    world,
    team,
    page,
  }) => {
    await offer(world, team, HTML);
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    await page.getByRole('link', { name: 'Add project' }).first().click();
    await page.getByLabel(/^Name/).fill('Orchard');
    await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const project = await projectIdAt(page);
    await expect(page.getByRole('button', { name: 'Start from a sample' })).toBeVisible();
    await untilSent(page);
    const panel = await openPanel(page);
    const made = panel.getByRole('listitem').filter({ hasText: 'Orchard' }).last();
    await expect(made.getByRole('button', { name: 'Undo' })).toBeVisible();
    await page.keyboard.press('Escape');

    await addProduct(page);
    await openPanel(page);
    await expect(made.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await expect(made).toContainText('Built on it since: 1 product.');
    await made.getByRole('button', { name: 'Archive it instead' }).click();
    const archived = async () =>
      (await team.api.first(`/api/projects/${project}`)).attributes?.['date-archived'];
    await expect.poll(archived).not.toBe(null);
    expect(await team.api.list(`/api/products?filter[project]=${project}`)).toHaveLength(1);
  });
});

test('making a project private names every address that stops working, and waits for a yes [R116]', async ({
  world,
  team,
  page,
}) => {
  const fields = { ...whose(team), name: 'Harvest', isPublic: true, allowDownloads: true };
  const project = await aProjectSetUp(world.parts, fields);
  const productDefinition = await seeded(world, 'productDefinition', ANDROID);
  const published = await aPublishedProduct(world.parts, project, { productDefinition });
  const unpublished = await seeded(world, 'productDefinition', ASSETS);
  await aPublishedProduct(world.parts, project, {
    productDefinition: unpublished,
    datePublished: null,
  });
  await openProject(page, world.url, project.id);
  const isPublic = page.getByRole('switch', { name: 'Public visibility' });
  await switchOf(page, /^Public visibility/).click();
  const dialog = page.getByRole('dialog', { name: 'Make the project private?' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    `${world.url}/downloads/apk/${published.id}/published`,
  ]);
  await expectAccessible(page, 'the question before a project becomes private');
  await page.setViewportSize({ width: 375, height: 720 });
  const address = dialog.getByRole('listitem');
  expect(await address.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);
  await page.setViewportSize({ width: 1_280, height: 720 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(isPublic).toBeChecked();
  await switchOf(page, /^Public visibility/).click();
  await dialog.getByRole('button', { name: 'Make private' }).click();
  await expect(isPublic).not.toBeChecked();
  const isPublicNow = async () =>
    (await team.api.first(`/api/projects/${project.id}`)).attributes?.['is-public'];
  await expect.poll(isPublicNow).toBe(false);
});
