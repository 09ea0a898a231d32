import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { apiOf } from './api.ts';
import { test } from './demo.ts';
import { admin, builder, expectState, title, untilLoaded } from './people.ts';

/** Screens on either side of each width at which the layout changes. */
const WIDTHS = [375, 575, 577, 767, 769, 991, 993, 1_200, 1_920];

test.use({ account: builder });

const links = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const widthOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.width ?? 0;

/** The page of a person whom `page` shows the own profile of: address and form. */
async function ownProfile(page: Page): Promise<readonly [string, string]> {
  await page.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'My profile' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Profile: /);
  const { pathname } = new URL(page.url());
  return [pathname.replace(/\/edit$/, ''), pathname];
}

test('the navigation stands beside the page where there is room, else in a drawer [R42, R45, R55, R423]', async ({
  page,
  demo,
}) => {
  await page.goto(demo.url);
  await untilLoaded(page);
  const toggle = page.getByRole('button', { name: 'Navigation', exact: true });
  const add = page.getByRole('banner').getByRole('link', { name: 'Add project' });

  await page.setViewportSize({ width: 992, height: 800 });
  await expect(toggle).toBeHidden();
  expect(await widthOf(page, '.shell-sidebar')).toBe(300);

  await page.setViewportSize({ width: 991, height: 800 });
  await expect(links(page)).toBeHidden();
  await expect(toggle).toBeVisible();

  await page.setViewportSize({ width: 576, height: 800 });
  await expect(links(page)).toBeHidden();
  await expect(add).toBeVisible();

  await page.setViewportSize({ width: 575, height: 800 });
  await expect(add).toBeHidden();
  await toggle.click();
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await toggle.click();
  await page.mouse.click(560, 700);
  await expect(drawer).toBeHidden();
  await toggle.click();
  await drawer.getByRole('link', { name: 'My projects' }).click();
  await expect(drawer).toBeHidden();
  await page.waitForURL(/\/projects\/own$/);
});

test('what stands around the page stays on the way home: what is told meanwhile shows [R24]', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  const header = await page.locator('.shell-header').elementHandle();
  await page.getByRole('banner').getByRole('link', { name: 'Slipway' }).click();
  await expect(title(page)).toContainText('My tasks');
  expect(await header.evaluate((element) => element.isConnected)).toBe(true);
});

test('what is said when the connection goes moves nothing below it: a click meets what it aimed at [R56]', async ({
  page,
  demo,
}) => {
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y;
  const staysOffline = async (selector: string) => {
    for (const width of [1_280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      const before = await top(selector);
      await page.context().setOffline(true);
      await expectState(page, 'offline');
      await expect(page.getByText(/^From this device, as of/)).toBeVisible();
      expect(await top(selector)).toBe(before);
      await page.context().setOffline(false);
      await expectState(page, 'saved');
    }
  };
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  await staysOffline('.project-table tbody');
  await page.locator('.project-table tbody a').first().click();
  await expect(page.locator('[data-record^="products:"]').first()).toBeVisible();
  await staysOffline('[data-record^="products:"]');
});

test('logos keep within 60 points, suggestions within 440 [R55, R423]', async ({ page, demo }) => {
  await page.goto(demo.url);
  await untilLoaded(page);
  await page.setViewportSize({ width: 1_280, height: 800 });
  const mark = await page.locator('.organization-mark').first().boundingBox();
  expect(mark?.width).toBeLessThanOrEqual(60);
  expect(mark?.height).toBeLessThanOrEqual(60);
  await page.goto(`${demo.url}/projects/new`);
  await page.getByRole('combobox', { name: /^Language/ }).fill('span');
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await widthOf(page, '.combobox-list:not([hidden])')).toBe(440);
});

test('tables are tables from 768 points on, and below that a card for each row [R55]', async ({
  page,
  demo,
}) => {
  const expectTableThenCards = async (table: string) => {
    const head = page.locator(`${table} > thead`).first();
    const row = page.locator(`${table} > tbody > tr`).first();
    await page.setViewportSize({ width: 768, height: 800 });
    await expect(head).toHaveCSS('display', 'table-header-group');
    await expect(row).toHaveCSS('display', 'table-row');
    await page.setViewportSize({ width: 767, height: 800 });
    await expect(head).toHaveCSS('display', 'none');
    await expect(row).not.toHaveCSS('display', 'table-row');
  };
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  const product = page.locator('.project-table a[href^="/products/"]').first();
  await expect(product).toBeVisible();
  await expectTableThenCards('.project-table');
  await product.click();
  await expect(page.locator('.files-table > tbody > tr').first()).toBeVisible();
  await expectTableThenCards('.files-table');
});

test('tasks and people fit every width [R55]', async ({ page, demo }) => {
  await page.goto(demo.url);
  await untilLoaded(page);
  for (const route of ['/tasks', ...(await ownProfile(page))]) {
    await page.goto(`${demo.url}${route}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang, `${route} at ${String(width)}`).toBeLessThanOrEqual(0);
    }
  }
});

test.describe(() => {
  test.use({ account: admin });

  test('axe finds nothing on people, their form and the palette, light and dark', async ({
    page,
    demo,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(demo.url);
    await untilLoaded(page);
    const other = await apiOf(demo.url, builder);
    const { id } = await other.first('/api/users/current-user');
    const routes = [...(await ownProfile(page)), `/users/${id}`, `/users/${id}/edit`];
    for (const width of [375, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const route of routes) {
        await page.goto(`${demo.url}${route}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessibleInBoth(page, `${route} at ${String(width)}`);
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /person/ }).fill('b');
      await expect(page.getByRole('group', { name: 'People' })).toBeVisible();
      await expectAccessibleInBoth(page, 'the palette');
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Timezone' }).click();
      await expectAccessibleInBoth(page, 'the timezones');
    }
  });
});

test.describe('the settings', () => {
  test.use({ account: 'super@slipway.test' });

  test('stand beside the list of their areas from 1,200 px on, and fit there [R55, R423]', async ({
    page,
    demo,
  }) => {
    await page.goto(demo.url);
    await untilLoaded(page);
    const areas = ['organizations', 'workflow-definitions', 'product-definitions', 'stores'];
    for (const area of [...areas, 'store-types', 'build-engines']) {
      await page.goto(`${demo.url}/admin/settings/${area}`);
      const list = page.locator('.settings-table tbody tr').first();
      const link = page.locator('.tabs-aside a').first();
      await expect(list).toBeVisible();
      const isBeside = async (width: number): Promise<boolean> => {
        await page.setViewportSize({ width, height: 800 });
        const [left, right] = [await link.boundingBox(), await list.boundingBox()];
        return (left?.x ?? 0) + (left?.width ?? 0) <= (right?.x ?? 0);
      };
      expect(await isBeside(1_199), `${area} at 1199`).toBe(false);
      expect(await isBeside(1_200), `${area} at 1200`).toBe(true);
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang, `${area} at 1200`).toBeLessThanOrEqual(0);
    }
  });
});
