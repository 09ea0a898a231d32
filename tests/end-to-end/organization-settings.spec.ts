import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { button, goWithin, switchOf, title, untilLoaded, untilSent } from './people.ts';
import { superAdmin, test } from './world.ts';
import type { Team, World } from './world.ts';

const settingsOf = ({ organization }: Team, part = ''): string =>
  `/organizations/${organization}/settings${part}`;
const main = (page: Page) => page.getByRole('main');
const switchNamed = (page: Page, name: string | RegExp) => page.getByRole('switch', { name });
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the organization settings' }).getByRole('link', {
    name,
  });

async function open(world: World, page: Page, path: string): Promise<void> {
  await page.goto(`${world.url}${path}`);
  await expect(title(page)).toBeVisible();
  await untilLoaded(page);
}

/** The organization as the server has it. */
async function atServer({ api, organization }: Team): Promise<Readonly<Record<string, unknown>>> {
  return (await api.first(`/api/organizations/${organization}`)).attributes ?? {};
}

test.describe('the settings of an organization', () => {
  test('are for its admins: by the navigation, and not by typing their address [R155]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    await open(world, page, '/tasks');
    await expect(page.getByRole('link', { name: 'Organization settings' })).toHaveCount(0);
    await page.goto(`${world.url}${settingsOf(team)}`);
    await expect(page.getByText('You are not allowed to do that.')).toBeVisible();
    await expect(title(page)).toContainText('My tasks');

    const bens = await (await browserOf(team.ben)).newPage();
    await open(world, bens, '/tasks');
    await bens.getByRole('link', { name: 'Organization settings' }).click();
    await expect(bens.getByLabel(/^Name/)).not.toHaveValue('');
    await bens.goto(`${world.url}${settingsOf(team, '/user-setup')}`);
    await expect(main(bens)).toContainText('There is nothing to set up for users yet.');
    // It is none of the parts: on a phone the choice of them says so, and leads to the first, too.
    await bens.setViewportSize({ width: 375, height: 812 });
    const choice = bens.getByRole('combobox', { name: 'Parts of the organization settings' });
    await expect(choice).toHaveValue('');
    await choice.selectOption('Basic info');
    await expect(bens.getByLabel(/^Name/)).not.toHaveValue('');
    await bens.goto(`${world.url}/organizations/nothing/settings`);
    await expect(title(bens)).toHaveText('Not Found!');
  });

  test('take name, website and logo, and say what is missing at its field [R156, R225]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await open(world, page, settingsOf(team));
    await expectAccessibleInBoth(page, 'basic settings of an organization');
    await page.getByLabel(/^Name/).fill('  ');
    await button(page, 'Save').click();
    await expect(page.getByText('Name is required')).toBeVisible();
    await expect(page.getByLabel(/^Name/)).toBeFocused();
    await page.getByLabel(/^Name/).fill('Riverside');
    await page.getByLabel('Website URL').fill('riverside.example');
    await page.getByLabel('Logo URL').fill('https://riverside.invalid/logo.png');
    await expect(page.getByText('There is no picture at this address')).toBeVisible();
    await button(page, 'Save').click();
    await expect(page.getByText('Updated', { exact: true })).toBeVisible();
    await expect(title(page)).toHaveText('Riverside');
    await untilSent(page);
    expect(await atServer(team)).toMatchObject({
      name: 'Riverside',
      'website-url': 'https://riverside.example',
      'logo-url': 'https://riverside.invalid/logo.png',
    });
  });

  test('switch products on and off, and say whether new projects are public, offline too [R158]', async ({
    world,
    team,
    browserOf,
  }) => {
    const context = await browserOf(team.ben);
    const page = await context.newPage();
    await open(world, page, settingsOf(team, '/products'));
    await expectAccessibleInBoth(page, 'products of an organization');
    const product = 'HTML Site to Cloud Provider';
    const box = switchNamed(page, product);
    await expect(box).not.toBeChecked();
    const held = async () => (await team.api.list('/api/organization-product-definitions')).length;
    const before = await held();
    await context.setOffline(true);
    await switchOf(page, product).click();
    await expect(page.getByText('Saved on this device.')).toBeVisible();
    await expect(box).toBeChecked();
    await expect(main(page)).toContainText('Not yet in force');
    await switchOf(page, 'New projects are public by default').click();
    await expect(switchNamed(page, /^New projects are public/)).not.toBeChecked();
    await context.setOffline(false);
    await untilSent(page);
    expect(await held()).toBe(before + 1);
    expect((await atServer(team))['public-by-default']).toBe(false);

    await switchOf(page, product).click();
    await expect(box).not.toBeChecked();
    await expect(page.getByText('Updated', { exact: true }).first()).toBeVisible();
    await untilSent(page);
    expect(await held()).toBe(before);
  });

  test('show its stores, which super admins choose [R159, R177]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await open(world, page, settingsOf(team, '/stores'));
    await expect(main(page)).toContainText('No stores');
    await expect(main(page)).toContainText(
      'A super admin chooses where this organization may publish',
    );
    await expectAccessibleInBoth(page, 'stores of an organization');

    const sue = await superAdmin(world, team);
    const sues = await (await browserOf(sue)).newPage();
    await open(world, sues, settingsOf(team, '/stores'));
    const lookAt = sues.getByRole('button', { name: /^Look at / });
    await lookAt.or(sues.getByText('No stores')).first().waitFor();
    if (await lookAt.isVisible()) await lookAt.click();
    await sues.getByRole('link', { name: 'Choose the stores of this organization' }).click();
    await expect(title(sues)).toContainText('Stores of');
    await sues.locator('.held-switches label').first().click();
    await expect(sues.getByText('Store selection updated')).toBeVisible();
    await expect(main(page).getByRole('checkbox')).toBeChecked();
    await expect(main(page).getByRole('checkbox')).toBeDisabled();
  });

  test('add, rename and remove groups, and keep one that has projects [R160, R402]', async ({
    world,
    team,
    browserOf,
  }) => {
    await team.project('Harvest');
    const page = await (await browserOf(team.ben)).newPage();
    await open(world, page, settingsOf(team, '/groups'));
    await expect(button(page, /^Remove the group Group/)).toBeDisabled();
    await button(page, 'Add group').click();
    await expectAccessibleInBoth(page, 'the form of a group');
    await page.keyboard.press('Enter');
    await expect(page.getByText('A group needs a name')).toBeVisible();
    await expect(page.getByText('A group needs an abbreviation')).toBeVisible();
    await expect(page.getByLabel(/^Name/)).toBeFocused();
    await page.getByLabel(/^Name/).fill('Translators');
    // What was typed is not left behind by a click elsewhere, unless one says so.
    await part(page, 'Stores').click();
    await expect(page.getByRole('dialog')).toContainText('Leave without saving?');
    await button(page, 'Keep editing').click();
    // Until the dialog is gone, what is below it takes no keys.
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByLabel(/^Abbreviation/).fill('TRA');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Group added')).toBeVisible();
    await button(page, 'Edit the group Translators').click();
    await page.getByLabel(/^Name/).fill('Editors');
    await button(page, 'Save').click();
    await expect(page.getByText('Group updated')).toBeVisible();
    await untilSent(page);
    const groups = async () =>
      (await team.api.list('/api/groups')).map(({ attributes }) => attributes?.name);
    expect(await groups()).toContain('Editors');

    await button(page, 'Remove the group Editors').click();
    await expect(page.getByText('Group removed')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(button(page, 'Edit the group Editors')).toBeVisible();
    await untilSent(page);
    expect(await groups()).toContain('Editors');
  });

  test('take a build engine and its token, which nobody reads again [R161, R216]', async ({
    world,
    team,
    browserOf,
  }) => {
    const context = await browserOf(team.ben);
    const page = await context.newPage();
    await open(world, page, settingsOf(team, '/infrastructure'));
    await expectAccessibleInBoth(page, 'infrastructure with the default engine');
    await switchOf(page, 'Use the default build engine').click();
    await page.getByLabel('Build engine URL').fill('https://engine.invalid');
    await button(page, 'Set token').click();
    await page.getByLabel('Access token').fill('a-secret-of-the-engine-1a2b');
    await expectAccessibleInBoth(page, 'infrastructure with an engine of one’s own');
    await button(page, 'Test connection').click();
    await expect(page.getByText('cannot be reached at this address')).toBeVisible();
    await button(page, 'Save').click();
    await expect(page.getByText('Set, ends in 1a2b')).toBeVisible();
    expect(await atServer(team)).toMatchObject({
      'use-default-build-engine': false,
      'build-engine-url': 'https://engine.invalid',
      'build-engine-api-access-token-hint': '1a2b',
    });
    // A reload brings nothing of it back, and no storage of the device has it.
    await page.reload();
    await expect(page.getByText('Set, ends in 1a2b')).toBeVisible();
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
    );
    expect(kept).not.toContain('a-secret-of');

    await button(page, 'Replace').click();
    await expect(page.getByLabel('Access token')).toHaveValue('');
    await page.getByLabel('Access token').fill('another-secret-3c4d');
    await button(page, 'Save').click();
    await expect(page.getByText('Set, ends in 3c4d')).toBeVisible();
    expect(await atServer(team)).toMatchObject({ 'build-engine-api-access-token-hint': '3c4d' });

    await context.setOffline(true);
    await expect(button(page, 'Replace')).toBeDisabled();
    await expect(button(page, 'Test connection')).toBeDisabled();
    await expect(main(page)).toContainText('Needs a connection');
    await context.setOffline(false);
    await button(page, 'Clear').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByText('Will be cleared when you save')).toBeVisible();
    await button(page, 'Save').click();
    await expect(page.getByText('Not set')).toBeVisible();
    expect((await atServer(team))['build-engine-api-access-token-hint']).toBeNull();
  });

  test('have their pages side by side, on a phone behind a choice [R156]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await open(world, page, settingsOf(team));
    await part(page, 'Groups').click();
    await expect(button(page, 'Add group')).toBeVisible();
    await goWithin(page, settingsOf(team));
    await page.setViewportSize({ width: 375, height: 800 });
    await page
      .getByRole('combobox', { name: 'Parts of the organization settings' })
      .selectOption('Infrastructure');
    await expect(button(page, 'Test connection')).toBeVisible();
    await expectAccessibleInBoth(page, 'infrastructure on a phone');
  });
});
