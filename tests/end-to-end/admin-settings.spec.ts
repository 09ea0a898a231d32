import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { compareTexts } from '#rules/record/display.ts';
import { aCause, newId } from '../support/make.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import { button, switchOf, title, untilLoaded, untilSent } from './people.ts';
import { superAdmin, test } from './world.ts';
import type { World } from './world.ts';

const named = (name: string) => `${name} ${randomUUID().slice(0, 8)}`;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function openArea(world: World, page: Page, area: string): Promise<void> {
  await page.goto(`${world.url}/admin/settings/${area}`);
  await expect(title(page)).toBeVisible();
  await untilLoaded(page);
}

/** Chooses by typing, as in every field with many choices. */
async function choose(page: Page, label: RegExp, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name }).first().click();
}

/** The list finds a name wherever it is on its pages. */
async function find(page: Page, name: string): Promise<void> {
  const search = page.getByRole('searchbox');
  if ((await search.count()) > 0) await search.fill(name);
  await expect(row(page, name)).toHaveCount(1);
}

async function remove(page: Page): Promise<void> {
  await button(page, 'Delete').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}

test.describe('the settings of the installation', () => {
  test('are for super admins, from the navigation on [R173]', async ({
    world,
    team,
    browserOf,
  }) => {
    const bens = await (await browserOf(team.ben)).newPage();
    await bens.goto(`${world.url}/admin/settings/stores`);
    await expect(bens.getByText('You are not allowed to do that.')).toBeVisible();
    await expect(bens.getByRole('link', { name: 'Admin settings' })).toHaveCount(0);

    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    await page.goto(`${world.url}/tasks`);
    await page.getByRole('link', { name: 'Admin settings' }).click();
    await expect(title(page)).toContainText('Organizations');
    const parts = page.getByRole('navigation', { name: 'Parts of the admin settings' });
    for (const name of [
      'Workflow definitions',
      'Product definitions',
      'Stores',
      'Store types',
      'Build engines',
    ]) {
      await parts.getByRole('link', { name, exact: true }).click();
      await expect(title(page)).toContainText(name);
      await expect(page.getByRole('link', { name: 'Admin settings' })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await expectAccessibleInBoth(page, name);
    }
    await page.setViewportSize({ width: 375, height: 800 });
    await expect(parts.getByRole('link').first()).toBeHidden();
    await page
      .getByRole('combobox', { name: 'Parts of the admin settings' })
      .selectOption('Stores');
    await expect(title(page)).toContainText('Stores');
  });

  test('add, edit and delete store types and stores, and keep what is in use [R180, R181, R210, R211, R228, R229]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    const [type, store] = [named('Kiosk'), named('Corner shop')];
    await openArea(world, page, 'store-types');
    await page.getByRole('link', { name: 'Add store type' }).first().click();
    await button(page, 'Add').click();
    await expect(page.getByText('A store type needs a name')).toBeVisible();
    await expect(page.getByLabel(/^Name/)).toBeFocused();
    await page.getByLabel(/^Name/).fill(type);
    await button(page, 'Add').click();
    await expect(page.getByText('Store type added')).toBeVisible();
    await find(page, type);

    await openArea(world, page, 'stores');
    await page.getByRole('link', { name: 'Add store', exact: true }).first().click();
    await button(page, 'Add').click();
    await expect(page.getByText('Name is required')).toBeVisible();
    await page.getByLabel(/^Name/).fill(store);
    await choose(page, /^Store type/, type);
    await button(page, 'Add').click();
    await expect(page.getByText('Store created')).toBeVisible();
    await find(page, store);
    await expect(row(page, store)).toContainText(type);
    await row(page, store).getByRole('link', { name: store, exact: true }).click();
    await page.getByLabel('Description').fill('At the corner');
    await button(page, 'Save').click();
    await expect(page.getByText('Store updated')).toBeVisible();
    await find(page, store);
    await expect(row(page, store)).toContainText('At the corner');
    await untilSent(page);

    await openArea(world, page, 'store-types');
    await find(page, type);
    await row(page, type).getByRole('link', { name: type, exact: true }).click();
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('1 store');
    await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await expectAccessibleInBoth(page, 'the question of a deletion');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await openArea(world, page, 'stores');
    await find(page, store);
    await row(page, store).getByRole('link', { name: store, exact: true }).click();
    await remove(page);
    await expect(page.getByText(`${store} deleted`)).toBeVisible();
    await untilSent(page);
    await openArea(world, page, 'store-types');
    await find(page, type);
    await row(page, type).getByRole('link', { name: type, exact: true }).click();
    await remove(page);
    await expect(page.getByText(`${type} deleted`)).toBeVisible();
    await untilSent(page);
    const names = async (of: string) =>
      (await team.api.list(`/api/${of}?page[limit]=500`)).map(({ attributes }) => attributes?.name);
    expect(await names('stores')).not.toContain(store);
    expect(await names('store-types')).not.toContain(type);
  });

  test('add and edit workflow and product definitions, offline too [R178, R179, R183, R226, R227, R244]', async ({
    world,
    team,
    browserOf,
  }) => {
    const context = await browserOf(await superAdmin(world, team));
    const page = await context.newPage();
    const [workflow, definition] = [named('Slow lane'), named('Leaflet')];
    await openArea(world, page, 'workflow-definitions');
    await page.getByRole('link', { name: 'Add workflow' }).first().click();
    await button(page, 'Add').click();
    await expect(page.getByText('Choose a store type')).toBeVisible();
    await expect(page.getByText('Choose a workflow type')).toBeVisible();
    await expectAccessibleInBoth(page, 'the form of a workflow with mistakes');
    await context.setOffline(true);
    await page.getByLabel(/^Name/).fill(workflow);
    await page.getByRole('combobox', { name: /^Store type/ }).click();
    await page.getByRole('option').first().click();
    await choose(page, /^Type/, 'Startup');
    await page.getByLabel('Properties').fill('{ no json');
    await expect(page.getByText('This is not a JSON object.')).toBeVisible();
    await page.getByLabel('Properties').fill('{}');
    await button(page, 'Add').click();
    await find(page, workflow);
    await context.setOffline(false);
    await untilSent(page);

    await openArea(world, page, 'product-definitions');
    await page.getByRole('link', { name: 'Add product definition' }).first().click();
    await button(page, 'Add').click();
    for (const mistake of [
      'A product definition needs a name',
      'Choose an application type',
      'Choose a workflow',
    ])
      await expect(page.getByText(mistake)).toBeVisible();
    await page.getByLabel(/^Name/).fill(definition);
    await page.getByRole('combobox', { name: /^Type/ }).click();
    await page.getByRole('option').first().click();
    await choose(page, /^Workflow/, workflow);
    await button(page, 'Add').click();
    await expect(page.getByText('Product definition added')).toBeVisible();
    await find(page, definition);
    await expect(row(page, definition)).toContainText(workflow);
    await untilSent(page);
    const made = (await team.api.list('/api/product-definitions?page[limit]=500')).find(
      ({ attributes }) => attributes?.name === definition,
    );
    expect(made).toBeDefined();

    // A workflow that is switched off is no choice any more, and stays where it was chosen.
    await openArea(world, page, 'workflow-definitions');
    await find(page, workflow);
    await row(page, workflow).getByRole('link', { name: workflow, exact: true }).click();
    await switchOf(page, 'Enabled').click();
    await button(page, 'Save').click();
    await expect(page.getByText('Workflow updated')).toBeVisible();
    await openArea(world, page, 'product-definitions/new');
    await page.getByRole('combobox', { name: /^Workflow/ }).fill(workflow);
    await expect(page.getByRole('option', { name: workflow })).toHaveCount(0);
    await openArea(world, page, `product-definitions/${made?.id ?? ''}/edit`);
    await expect(page.getByRole('combobox', { name: /^Workflow/ })).toHaveValue(workflow);
  });

  test('add organizations with an owner and a secret, edit them, and put one in view [R174, R175, R176, R225]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    const name = named('Hillside');
    await openArea(world, page, 'organizations');
    await page.getByRole('link', { name: 'Add organization' }).click();
    await page.waitForURL(/\/admin\/settings\/organizations\/new$/);
    await button(page, 'Add').click();
    await expect(page.getByText('An organization needs an owner')).toBeVisible();
    await expect(page.getByText('Name is required')).toBeVisible();
    await expectAccessibleInBoth(page, 'the form of an organization with mistakes');
    await page.getByLabel(/^Name/).fill(name);
    await choose(page, /^Owner/, 'Sue');
    await page.getByLabel('Build engine URL').fill('https://engine.invalid');
    await expect(
      page.getByRole('switch', { name: 'Use the default build engine' }),
    ).not.toBeChecked();
    await button(page, 'Set token').click();
    await page.getByLabel('Access token').fill('a-secret-of-the-engine-9z8y');
    await button(page, 'Add').click();
    await expect(page.getByText('Organization added')).toBeVisible();
    await find(page, name);
    await expect(row(page, name)).toContainText('Set, ends in 9z8y');
    await expect(row(page, name)).toContainText('https://engine.invalid');
    await expect(row(page, name)).toContainText('Sue');
    await openArea(world, page, 'organizations');
    await expect(page.locator('[data-record^="organizations:"]').nth(1)).toBeVisible();
    const names = await page
      .locator('[data-record^="organizations:"]')
      .evaluateAll((rows) => rows.map((each) => each.querySelector('a')?.textContent ?? ''));
    expect(names).toEqual([...names].sort(compareTexts));
    await find(page, name);

    await row(page, name)
      .getByRole('button', { name: `Put ${name} in view` })
      .click();
    await expect(page.getByRole('complementary', { name: 'Navigation' })).toContainText(name);
    await expect(title(page)).toContainText('Organizations');
    await row(page, name)
      .getByRole('link', { name: `Edit ${name}` })
      .click();
    await page.getByLabel('Website URL').fill('hillside.example');
    await button(page, 'Save').click();
    await expect(page.getByText('Organization edited')).toBeVisible();
    await find(page, name);
    await expect(row(page, name)).toContainText('https://hillside.example');
    await row(page, name)
      .getByRole('link', { name: `Edit ${name}` })
      .click();
    await remove(page);
    await expect(page.getByText(`${name} deleted`)).toBeVisible();
    await untilSent(page);
  });

  test('list the build engines and whether they answer, as that changes [R182, R216]', async ({
    world,
    team,
    browserOf,
  }) => {
    const { db } = world.parts;
    const [later = '', id = ''] = [newId(), newId()].sort();
    const buildEngineUrl = `https://engine-${id}.invalid`;
    await db.write(aCause(), async (w) => {
      const hint = { buildEngineApiAccessTokenHint: '1a2b' };
      // The one that comes later by its address has the lower id.
      await w.insert('systemStatus', { id: later, buildEngineUrl: `https://z-${id}.invalid` });
      await w.insert('systemStatus', { id, buildEngineUrl, ...hint });
    });
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    await openArea(world, page, 'build-engines');
    const engine = row(page, buildEngineUrl);
    await expect(engine).toContainText('Disconnected');
    await expect(engine).toContainText('Set, ends in 1a2b');
    const urls = (await page.getByRole('row').allInnerTexts()).filter((text) => text.includes(id));
    expect(urls.map((text) => text.includes('https://z-'))).toEqual([false, true]);
    await db.write(aCause(), (w) => w.change('systemStatus', id, { systemAvailable: true }));
    await expect(engine.getByText('Connected', { exact: true })).toBeVisible();
    await db.write(aCause(), async (w) => {
      for (const each of [id, later]) await w.remove('systemStatus', each);
    });
    await expect(engine).toHaveCount(0);
  });

  test('say that a record is not there, and that a search finds nothing [R173]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    for (const area of ['stores', 'organizations']) {
      await page.goto(`${world.url}/admin/settings/${area}/${randomUUID()}/edit`);
      await expect(page.getByText('Not Found!')).toBeVisible();
    }
    await openArea(world, page, 'workflow-definitions');
    await page.getByRole('searchbox').fill('nothing is called so');
    await expect(page.getByText('No results')).toBeVisible();
    await expect(page.getByText('No workflow definitions yet')).toHaveCount(0);
    await page.getByRole('main').getByText('Clear search', { exact: true }).click();
    await expect(page.getByText('No results')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toHaveValue('');
  });
});
