import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { filesOfZip } from '../support/zips.ts';
import { countClicks } from './click-count.ts';
import { fillIn, title } from './people.ts';
import { begin, command, content, HTML, offer } from './products.ts';
import { test } from './world.ts';

/**
 * Covers how far a person has to go. The site is a product that one person takes to its publication:
 * no step of its workflow waits for an admin.
 */
test.describe('the way of a person who has never been here', () => {
  const PROJECT = 'Lantern Path';

  test('leads from signing in to the published file in at most 25 clicks, and no address is typed [R1, R2]', async ({
    world,
    team,
    browser,
  }) => {
    await offer(world, team, HTML);
    const context = await browser.newContext();
    const clicks = await countClicks(context);
    const page = await context.newPage();
    const press = (role: 'button' | 'link', name: string | RegExp) =>
      page.getByRole(role, { name, exact: typeof name === 'string' }).click();
    await page.goto(world.url);

    await press('button', 'Sign in');
    await fillIn(page, team.ana);
    await expect(title(page)).toContainText('My tasks');

    await page.getByRole('main').getByRole('link', { name: 'Add project' }).click();
    await page.getByLabel(/^Name/).fill(PROJECT);
    await page.getByRole('combobox', { name: 'Language' }).fill('Spanish');
    await page.getByRole('listbox').getByRole('option').first().click();
    await press('button', 'Save');
    await expect(title(page)).toHaveText(PROJECT);
    await press('button', 'Start from a sample');
    await expect(page.getByText('Version 1')).toBeVisible();

    await press('button', 'Add products');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: HTML }).click();
    await dialog.getByRole('button', { name: 'slipway_web' }).click();
    await press('button', 'Done');
    await press('link', /^Continue/);
    await expect(title(page)).toHaveText('App builder configuration');
    await press('button', 'Continue');
    await expect(title(page)).toHaveText('Verify and publish');
    await press('button', 'Approve');
    await expect(title(page)).toHaveText('Published');

    const opening = page.waitForEvent('popup');
    await page
      .getByRole('main')
      .getByRole('link', { name: /\/downloads\// })
      .first()
      .click();
    const files = await filesIn(await opening, (opened) => opened.locator('a[data-file]').click());
    expect(files).toContain('index.html');

    const count = await clicks();
    process.stdout.write(`    From signing in to the published file: ${String(count)} clicks\n`);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(25);
    await context.close();
  });

  test('leads from the task to the file that is to be tried in one click, and to its preview in one', async ({
    world,
    team,
    page,
  }) => {
    const clicks = await countClicks(page.context());
    const { product } = await begin(world, team, HTML, {
      content,
      state: 'App Builder Configuration',
    });
    await command(await team.apiOf(team.ana), product, 'Continue');
    await page.goto(`${world.url}/flow/any/${product}`);
    await expect(title(page)).toHaveText('Verify and publish');
    expect(await clicks()).toBe(0);

    const file = page.getByRole('row').getByRole('button', { name: /^Download .*\.zip$/ });
    expect(await filesIn(page, () => file.click())).toContain('index.html');
    expect(await clicks()).toBe(1);

    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open preview' }).click();
    await expect((await opening).getByRole('cell', { name: 'index.html' })).toBeVisible();
    expect(await clicks()).toBe(2);
  });
});

/** The names of the files in the archive that `page` saves once `act` was done. */
async function filesIn(page: Page, act: (page: Page) => Promise<void>): Promise<readonly string[]> {
  const downloading = page.waitForEvent('download');
  await act(page);
  return [...(await filesOfZip(await (await downloading).path())).keys()];
}
