import { expect } from '@playwright/test';
import { countClicks } from './click-count.ts';
import { storageStateOf } from './storage-state.ts';
import { test } from './world.ts';

test.describe('the log of a build', () => {
  test('is two clicks from the bell, at the line that says why the build failed [screens 10.2]', async ({
    demo,
    browser,
  }) => {
    const context = await browser.newContext({
      storageState: await storageStateOf(demo, 'builder@lakeside.test'),
    });
    const clicks = await countClicks(context);
    const page = await context.newPage();
    await page.goto(`${demo.url}/projects/own`);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page
      .getByRole('link', { name: /The build failed/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/products\/[\w-]+\/builds\/[\w-]+\/log/);
    const lines = page.getByRole('region', { name: 'Lines of the log' });
    const failing = lines.getByRole('listitem').filter({ has: page.getByLabel('It failed here:') });
    await expect(failing).toBeInViewport();
    await expect(failing).toContainText('Failed:');
    expect(await clicks()).toBe(2);
    await context.close();
  });
});
