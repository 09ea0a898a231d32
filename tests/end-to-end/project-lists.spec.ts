import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { test } from './demo.ts';
import { builder, title, untilLoaded } from './people.ts';

/** What takes a real screen: its width, its pointer, its history. */
test.describe('[2.5] project lists', () => {
  test.use({ account: builder });
  test.beforeEach(async ({ page, demo }) => {
    await page.goto(`${demo.url}/projects/own`);
    await untilLoaded(page);
  });

  test('says what is searched to who points there, tabs there or clicks [R73]', async ({
    page,
  }) => {
    const help = page.getByText(/^Finds projects that contain every word/);
    const sign = page.getByRole('img', { name: 'What is searched' });
    await expect(help).toBeHidden();
    await sign.hover();
    await expect(help).toBeVisible();
    await title(page).hover();
    await expect(help).toBeHidden();

    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    await expect(help).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(help).toBeHidden();

    await sign.click();
    await title(page).hover();
    await expect(help).toBeVisible();
  });

  test('goes back from a search, and on to it again', async ({ page }) => {
    const field = page.getByRole('searchbox');
    const rows = page.locator('[data-record^="projects:"]');
    await expect(rows.first()).toBeVisible();
    await field.fill('no such project');
    await field.press('Enter');
    await expect(page).toHaveURL(/search=no\+such\+project$/);
    // Asked for again it is the same search, and one step back from it is enough.
    await field.press('Enter');
    await page.goBack();
    await expect(field).toHaveValue('');
    await expect(rows.first()).toBeVisible();
    await page.goForward();
    await expect(field).toHaveValue('no such project');
    await expect(rows).toHaveCount(0);
    await expect(page).toHaveURL(/search=no\+such\+project$/);
  });

  test('is left by a click on the first hit and found again as it was', async ({ page }) => {
    const field = page.getByRole('searchbox');
    const name = (await page.locator('.project-name > a').first().textContent()) ?? '';
    // As who clicks before the address has followed; it waits before anything is typed, so that it
    // cannot come too late for the hit.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const hit = document.querySelector<HTMLElement>('.project-name > a:has(mark)');
        if (hit === null) return;
        observer.disconnect();
        hit.click();
      }).observe(document.body, { subtree: true, childList: true });
    });
    await field.fill(name);
    await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}$/);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goBack();
    await expect(field).toHaveValue(name);
    await expect(page).toHaveURL(/\/projects\/\w+\?search=/);
  });

  test('are cards on a phone, sorted by a choice, with what can be done at the bottom [R78]', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 375, height: 700 });
    const choice = page.getByLabel('Sort by');
    await choice.selectOption({ label: 'Language' });
    await expect(page).toHaveURL(/sort=language/);
    await choice.selectOption({ label: 'Project' });
    await expect(page.getByRole('columnheader', { name: 'Language' })).toBeHidden();
    const names = page.locator('.project-name > a');
    const least = (await names.first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Ascending' }).click();
    await expect(page.getByRole('button', { name: 'Descending' })).toBeVisible();
    await expect(names.first()).not.toHaveText(least);

    const first = (await names.first().textContent()) ?? '';
    await page.getByRole('checkbox', { name: `Select ${first}` }).check();
    const archive = page.getByRole('button', { name: 'Archive', exact: true });
    await page.mouse.wheel(0, -10_000);
    await expect(archive).toBeInViewport({ ratio: 1 });
    await page.mouse.wheel(0, 10_000);
    await expect(archive).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, 'cards with a selection');
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWide).toBe(false);
  });

  test('gives a new project up and is back where one was [R90]', async ({ page, demo }) => {
    await page.goto(`${demo.url}/projects/archived`);
    await page.getByRole('main').getByRole('link', { name: 'Add project' }).click();
    await expect(title(page)).toHaveText('New project');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(`${demo.url}/projects/archived`);
  });
});
