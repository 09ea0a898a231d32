import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { button, openProject, untilLoaded } from './people.ts';
import { test } from './world.ts';

/** Buttons in rows of a form or a page, in bars and in the header, that a toast lies over. */
async function coveredBy(page: Page): Promise<readonly string[]> {
  const rows = ['.form-foot', '.button-row', '.page-actions', '.bulk-bar', '.flow-buttons'];
  return page.evaluate(
    (selector) => {
      const boxes = (found: string) =>
        [...document.querySelectorAll(found)].map((each) => ({
          box: each.getBoundingClientRect(),
          name: each.textContent,
        }));
      const toasts = boxes('.toast');
      return boxes(selector)
        .filter(({ box }) => box.width > 0)
        .filter(({ box: { left, right, top, bottom } }) =>
          toasts.some(
            ({ box }) =>
              box.left < right && box.right > left && box.top < bottom && box.bottom > top,
          ),
        )
        .map(({ name }) => name);
    },
    `:is(${[...rows, '.shell-header'].join()}) :is(button, a)`,
  );
}

/** What one can press on the page and not scroll out from under the toasts. */
async function staysCoveredOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(button, a, input)')]
      .filter((control) => {
        control.scrollIntoView({ block: 'center', behavior: 'instant' });
        const own = control.getBoundingClientRect();
        return [...document.querySelectorAll('.toast')].some((toast) => {
          const { left, right, top, bottom } = toast.getBoundingClientRect();
          return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
        });
      })
      .map((control) => control.textContent),
  );
}

for (const { width, height } of [
  { width: 375, height: 812 },
  { width: 800, height: 700 },
  { width: 1_280, height: 800 },
]) {
  test.describe(`[screens 1.5] toasts in a window of ${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    const toast = (page: Page) => page.locator('.toast');
    /** A toast stays while something in it has the focus. */
    const hold = async (page: Page, text: string) => {
      await expect(toast(page)).toContainText(text);
      await toast(page).getByRole('button').last().focus();
    };

    test('lie over no button of a form, wherever one scrolls', async ({ world, team, page }) => {
      await page.goto(`${world.url}/users/${team.ana.id}/edit`);
      await untilLoaded(page);
      await page.getByLabel('Phone').fill('+51 1 234');
      await button(page, 'Save').click();
      await hold(page, 'Profile updated');
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        await page.evaluate((y) => {
          const { scrollHeight, clientHeight } = document.documentElement;
          scrollTo(0, y * (scrollHeight - clientHeight));
        }, part);
        await expect.poll(() => coveredBy(page)).toEqual([]);
      }
      await expect(toast(page)).toBeVisible();
    });

    test('lie over no button in the head of a page', async ({ world, team, page }) => {
      await openProject(page, world.url, await team.project('Harvest'));
      await page.getByRole('button', { name: 'More for Harvest' }).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await hold(page, 'Project archived');
      expect(await coveredBy(page)).toEqual([]);
    });

    test('leave room to scroll everything on a page clear of them', async ({
      world,
      team,
      page,
    }) => {
      await team.project('Harvest');
      for (let n = 1; n <= 12; n += 1) await team.project(`Lantern ${n}`);
      await page.goto(`${world.url}/projects/own`);
      await untilLoaded(page);
      for (const name of ['Harvest', 'Lantern 1']) {
        await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
        await page.getByRole('menuitem', { name: 'Archive' }).click();
      }
      await expect(toast(page)).toHaveCount(2);
      expect(await staysCoveredOn(page)).toEqual([]);
    });

    test('stand above the bar of what is selected in a list', async ({ world, team, page }) => {
      for (const name of ['Harvest', 'Juniper']) await team.project(name);
      await page.goto(`${world.url}/projects/own`);
      await untilLoaded(page);
      await page.getByRole('button', { name: 'More for Harvest' }).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await expect(toast(page)).toContainText('Project archived');
      await page.getByRole('checkbox', { name: 'Select Juniper' }).check();
      await expect(button(page, 'Archive')).toBeVisible();
      await hold(page, 'Project archived');
      await expect.poll(() => coveredBy(page)).toEqual([]);
      await expect(toast(page)).toBeVisible();
    });
  });
}
