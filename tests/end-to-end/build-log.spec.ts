import { expect } from '@playwright/test';
import { storageStateOf } from './storage-state.ts';
import { test } from './world.ts';

test.describe('the log of a build', () => {
  test('is one step from the notification that the build failed, at the line that says why [screens 10.2]', async ({
    demo,
    browser,
  }) => {
    const context = await browser.newContext({
      storageState: await storageStateOf(demo, 'builder@lakeside.test'),
    });
    const page = await context.newPage();
    await page.goto(`${demo.url}/projects/own`);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page
      .getByRole('link', { name: /The build of .* failed/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/products\/[\w-]+\/builds\/[\w-]+\/log/);
    const lines = page.getByRole('region', { name: 'Lines of the log' });
    const failing = lines.getByRole('listitem').filter({ has: page.getByLabel('It failed here:') });
    await expect(failing).toBeInViewport();
    await expect(failing).toContainText('Failed:');
    await context.close();
  });
});
