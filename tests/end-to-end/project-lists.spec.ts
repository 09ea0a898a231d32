import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aProduct, aProject } from '../support/make.ts';
import { expectAccessible } from './accessible.ts';
import { test } from './demo.ts';
import { builder, title, untilLoaded } from './people.ts';
import { HTML, seeded, whose } from './products.ts';
import { test as withTeam } from './world.ts';

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

/** Of so many rows those out of view are neither laid out nor painted. */
const MANY = 60;

withTeam.describe('[2.5] a project list of many rows', () => {
  for (const width of [800, 992, 1_280, 1_920])
    withTeam(
      `has its columns under their heads and its menus whole, at ${String(width)} px [R78]`,
      async ({ world, team, page }) => {
        const { db } = world.parts;
        const productDefinition = await seeded(world, 'productDefinition', HTML);
        for (let number = 1; number <= MANY; number += 1) {
          const name = `Songbook ${String(number).padStart(2, '0')}`;
          const { id: project } = await aProject(db, { ...whose(team), name });
          if (number === 5) await aProduct(db, { project, productDefinition });
        }
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${world.url}/projects/own?pageSize=100`);
        await untilLoaded(page);
        const rows = page.locator('[data-record^="projects:"]');
        await expect(rows).not.toHaveCount(0);
        expect(await outOfLine(page)).toEqual([]);
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        expect(scrollWidth).toBe(clientWidth);

        await page.getByRole('button', { name: 'More for Songbook 03' }).click();
        const item = page.getByRole('menuitem', { name: 'Archive' });
        await item.click();
        await expect(page.getByRole('row', { name: /Songbook 03/ })).toContainText('Archived');
        // Its row is higher while it says that it is being saved, and those below are then lower.
        await expect(page.locator('.toast')).toContainText('Project archived');

        const time = page.getByRole('row', { name: /Songbook 05/ }).locator('time');
        await time.hover();
        const shown = page.locator('.hint:hover > [role=tooltip]');
        await expect(shown).toBeInViewport({ ratio: 1 });
        const [above, below] = [await shown.boundingBox(), await time.boundingBox()];
        expect(Math.abs((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0))).toBeLessThan(20);

        const last = page.getByRole('link', { name: 'Songbook 60', exact: true });
        await page.mouse.move(width / 2, 500);
        await expect(async () => {
          await page.mouse.wheel(0, 10_000);
          await expect(last).toBeInViewport({ timeout: 500 });
        }).toPass();
        expect(await outOfLine(page)).toEqual([]);
      },
    );
});

/** What each cell in view says that does not stand under its column's head, or is cut off. */
function outOfLine(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const heads = [...document.querySelectorAll('.project-table > thead > tr > *')];
    const cells = [...document.querySelectorAll<HTMLElement>('.project-row > td')];
    return cells
      .filter((cell) => cell.checkVisibility({ contentVisibilityAuto: true }))
      .flatMap((cell) => {
        const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
        const head = heads[place]?.getBoundingClientRect();
        const { left, width } = cell.getBoundingClientRect();
        const isUnder =
          head !== undefined &&
          Math.abs(head.left - left) <= 1 &&
          Math.abs(head.width - width) <= 1;
        const isWhole = cell.scrollHeight <= cell.clientHeight + 1;
        return isUnder && isWhole ? [] : [cell.innerText];
      });
  });
}
