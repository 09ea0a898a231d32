import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { admin, signIn, status, untilInstalled, untilLoaded } from './people.ts';
import { testWithServers as test } from './world.ts';

const PRODUCT = { Name: 'HTML Site to Cloud Provider', Store: 'slipway_web' };

test.describe('[7.2] an import', () => {
  let server: SpawnedServer;

  test.beforeAll(async () => {
    server = await spawnServer({ DATA_DIR: freshFolder(), DEMO: '1' });
  });
  test.afterAll(async () => {
    await server.kill();
  });

  const choose = (page: Page, content: unknown) =>
    page.locator('input[type="file"]').setInputFiles({
      name: 'projects.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(content)),
    });
  const named = (...names: string[]) => names.map((Name) => ({ Name, Language: 'es-419' }));

  test('makes its projects with their products, and says how it went [R10, R198]', async ({
    page,
  }) => {
    await signIn(page, server.url, admin);
    await page.getByRole('link', { name: 'Organization projects' }).click();
    await untilLoaded(page);
    const first = page.locator('[data-record^="projects:"]').first().getByRole('link').first();
    const there = (await first.textContent()) ?? '';
    await page.getByRole('link', { name: 'Import projects' }).click();
    await expectAccessible(page, 'no file');

    await choose(page, { Projects: [...named('Lantern Path'), { Name: 'Without a language' }] });
    await expect(page.getByText(/The file has 1 mistake/)).toBeVisible();
    await expect(page.getByText('Projects 2 Language')).toBeVisible();
    await expectAccessible(page, 'mistakes');

    await choose(page, {
      Projects: named('Lantern Path', 'Orchard Gate', there),
      Products: [PRODUCT],
    });
    await expect(page.getByRole('row', { name: new RegExp(there) })).toContainText(
      'Skipped: it already exists',
    );
    await expectAccessible(page, 'preview');
    await page.getByRole('button', { name: 'Import 2 projects' }).click();
    await expect(page.getByText('Import started.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Earlier imports' })).toBeInViewport();
    await expect(
      page.getByText('Created: 2 · Skipped (already exist): 1 · Failed: 0'),
    ).toBeVisible();
    await page.getByText('Created: 2 · Skipped (already exist): 1 · Failed: 0').click();
    await page.getByRole('link', { name: 'Lantern Path' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lantern Path');
    await expect(page.getByRole('link', { name: PRODUCT.Name }).first()).toBeVisible();
  });

  test('waits on the device while there is no connection, and is done afterwards [R93, R198]', async ({
    page,
    context,
  }) => {
    await signIn(page, server.url, admin);
    await page.goto(`${server.url}/projects/import`);
    await untilLoaded(page);
    await untilInstalled(page);
    await context.setOffline(true);
    await expect(status(page)).toHaveAttribute('data-state', 'offline');
    await choose(page, { Projects: named('Made offline') });
    await page.getByRole('button', { name: 'Import 1 project' }).click();
    await expect(status(page)).toHaveAttribute('data-waiting', '1');
    await context.setOffline(false);
    await untilLoaded(page);
    await page.getByRole('link', { name: 'My projects' }).click();
    await expect(page.getByRole('link', { name: 'Made offline' })).toBeVisible();
  });

  test('is found with the keyboard alone, as are projects and shortcuts', async ({ page }) => {
    await signIn(page, server.url, admin);
    await untilLoaded(page);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'What are you looking for?' });
    const dialog = page.getByRole('dialog', { name: 'Search and commands' });
    // Of a box on the screen the browser gives the last digits by where it stands.
    const heightOf = () => dialog.evaluate((shown) => getComputedStyle(shown).height);
    const height = await heightOf();
    for (const words of ['nothing of the kind', 'import']) {
      await field.fill(words);
      expect(await heightOf(), words).toBe(height);
    }
    await expectAccessible(page, 'palette');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import projects');
  });
});
