import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { apiOf } from './api.ts';
import { test } from './demo.ts';
import { eachDialog, fillTeam, unfoldCharts } from './full-team.ts';
import {
  admin,
  builder,
  expectState,
  openPanel,
  switchOf,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { begin, HTML } from './products.ts';
import { factsOf } from './route-facts.ts';
import { beyondTheSides } from './sideways.ts';
import { test as inWorld } from './world.ts';

/** Screens on either side of each width at which the layout changes. */
const WIDTHS = [375, 575, 577, 767, 769, 991, 993, 1_200, 1_920];

test.use({ account: builder });

const links = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const widthOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.width ?? 0;

/** Where the text itself stands, without the height of its line. */
const boxOfText = (of: Locator): Promise<DOMRect> =>
  of.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().toJSON() as DOMRect;
  });

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

test('a hint is whole in the window and over no other control: of the search, and at the edges of list and panel [screens 1.8] [R55]', async ({
  page,
  demo,
}) => {
  const shown = page.locator('.hint-text:visible');
  const hover = async (hint: Locator) => {
    await page.mouse.move(0, 0);
    await expect(shown).toHaveCount(0);
    await hint.hover();
    await expect(shown).toHaveCount(1);
    return shown.evaluate((text) => {
      const { left, top, right, bottom } = text.getBoundingClientRect();
      const isBetween = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const cutBy: string[] = [];
      for (let around = text.parentElement; around !== null; around = around.parentElement)
        if (
          around.scrollWidth > around.clientWidth &&
          getComputedStyle(around).overflowX !== 'visible'
        )
          cutBy.push(around.className);
      const covered = [...document.querySelectorAll('main :is(a, button, select)')]
        .filter((control) => control.checkVisibility())
        .filter((control) => {
          const box = control.getBoundingClientRect();
          return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
        })
        .map(({ textContent }) => textContent);
      return { isBetween, cutBy, covered };
    });
  };
  const whole = { isBetween: true, cutBy: [], covered: [] };
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  await expect(page.locator('.project-table time').first()).toBeVisible();
  expect(await hover(page.locator('.page-actions .hint'))).toEqual(whole);
  const last = page.locator('.project-table .product-chip time').last();
  await last.scrollIntoViewIfNeeded();
  expect(await hover(last)).toMatchObject({ isBetween: true, cutBy: [] });

  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  await page.locator('.project-name a').first().click();
  await switchOf(page, 'Automatic builds').click();
  await untilSent(page);
  const panel = await openPanel(page);
  expect(await hover(panel.locator('.change-line .hint').first())).toMatchObject({
    isBetween: true,
    cutBy: [],
  });
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

test.describe('for an admin', () => {
  test.use({ account: admin });

  test('a list with a column more has the names of languages whole on a tablet [R55]', async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width: 768, height: 1_000 });
    await page.goto(`${demo.url}/projects/active`);
    const names = page.locator('.language-cell .cell-value > bdi');
    await expect(names.filter({ hasText: 'Indonesian' }).first()).toBeVisible();
    expect(await names.evaluateAll(wordsOnTwoLines)).toEqual([]);
    expect(await page.locator('.language-cell .soft').evaluateAll(wordsOnTwoLines)).toEqual([]);
  });

  test('a long title of a list goes on in a further line, with the arrow behind its last word [R55]', async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.addInitScript(() => {
      localStorage.setItem('slipway.language', '"es-419"');
    });
    await page.goto(`${demo.url}/projects/organization`);
    await expect(page.locator('.title-menu')).toHaveText('Proyectos de la organización');
    const boxes = (selector: string) =>
      page
        .locator(selector)
        .evaluate((each) => [...each.getClientRects()].map((box) => box.toJSON() as DOMRect));
    const [first, last] = await boxes('.title-menu bdi');
    const [arrow] = await boxes('.title-menu svg');
    expect(first?.left).toBe(last?.left);
    expect(arrow?.right).toBeCloseTo(last?.right ?? 0, 0);
    expect(arrow?.top).toBeGreaterThan(first?.bottom ?? 0);
  });

  test('the form of an organization shows its logo at exactly 60 by 60 points [R423]', async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto(demo.url);
    await untilLoaded(page);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Organization settings' })
      .click();
    for (const picture of ['/icons/mark.svg', '/icons/social.svg']) {
      await page.getByLabel(/^Logo/).fill(`${demo.url}${picture}`);
      const logo = page.getByAltText('The logo as lists show it');
      await expect(logo).toHaveJSProperty('complete', true);
      const { width, height } = (await logo.boundingBox()) ?? {};
      expect([width, height], picture).toEqual([60, 60]);
    }
  });
});

test('a small dialog is a sheet at the foot of a phone, below the page that it is about [screens 1.8]', async ({
  page,
  demo,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  const { x, y, width, height } = (await dialog.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  expect([x, width, Math.round(y + height)]).toEqual([0, 375, 812]);
  expect(y).toBeGreaterThanOrEqual(48);
  await page.setViewportSize({ width: 1_280, height: 800 });
  expect(await widthOf(page, 'dialog')).toBe(480);
});

inWorld(
  'on a phone each dialog is a sheet at the foot or fills the screen, and axe finds nothing in it, light and dark [screens 1.8] [R55]',
  async ({ world, team, browserOf }) => {
    const filled = await fillTeam(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const screen = { width: 375, height: 812 };
    await page.setViewportSize(screen);
    await eachDialog(page, world, filled, async (dialog, what) => {
      const { top, bottom, left } = await dialog.evaluate((element) => {
        const { top, bottom, left } = element.getBoundingClientRect();
        return { top: Math.round(top), bottom: Math.round(bottom), left: Math.round(left) };
      });
      expect([left, bottom], what).toEqual([0, screen.height]);
      const isSheet = await dialog.evaluate(({ classList }) => classList.contains('dialog-small'));
      if (isSheet) expect(top, what).toBeGreaterThanOrEqual(48);
      else expect(top, what).toBe(0);
      expect(await beyondTheSides(page), what).toEqual([]);
      await expectAccessibleInBoth(page, `${what}, on a phone`);
    });
  },
);

inWorld(
  'charts and their figures fit every width, and axe finds nothing in them, light and dark [screens 10.1] [R55]',
  async ({ world, team, browserOf }) => {
    const { product } = await fillTeam(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [route, count] of [
      ['/builds', 3],
      [`/products/${product}/builds`, 1],
    ] as const) {
      await page.goto(`${world.url}${route}`);
      await unfoldCharts(page, { count });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(await beyondTheSides(page), `${route} at ${String(width)}`).toEqual([]);
      }
      for (const width of [375, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectAccessibleInBoth(page, `${route} at ${String(width)}`);
      }
    }
  },
);

test('tables are tables from 768 points on, and below that a card for each row, whose values are read with their names [R55, R423]', async ({
  page,
  demo,
}) => {
  const expectTableThenCards = async (table: string, column: string) => {
    const head = page.locator(`${table} > thead`).first();
    const row = page.locator(`${table} > tbody > tr`).first();
    // Where the head does not show, nothing else says to who listens what a value is.
    const named = row.getByRole('cell', { name: new RegExp(`^${column} .`) });
    await page.setViewportSize({ width: 768, height: 800 });
    await expect(head).toHaveCSS('display', 'table-header-group');
    await expect(row).toHaveCSS('display', 'table-row');
    await expect(head.getByRole('columnheader', { name: column })).toBeVisible();
    await expect(named).toHaveCount(0);
    await page.setViewportSize({ width: 767, height: 800 });
    await expect(head).toHaveCSS('display', 'none');
    await expect(row).not.toHaveCSS('display', 'table-row');
    await expect(named).toBeVisible();
  };
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  const product = page.locator('.project-table a[href^="/products/"]').first();
  await expect(product).toBeVisible();
  await expectTableThenCards('.project-table', 'Language');
  await product.click();
  await expect(page.locator('.files-table > tbody > tr').first()).toBeVisible();
  await expectTableThenCards('.files-table', 'Size');
});

test('name and icon of a product stand in one line with what is said of it, on a page that is opened by its address [R55, R56]', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/builds`);
  await page.getByRole('link', { name: 'Log', exact: true }).first().click();
  await expect(title(page)).toHaveText('Build log');
  // Whatever other pages brought along is gone.
  await page.reload();
  const [icon, name, time] = [
    page.locator('.page-context .product-icon'),
    page.locator('.page-context .product-name > bdi'),
    page.locator('.page-context .fact time'),
  ];
  await expect(time).toBeVisible();
  const rightOfIcon = await icon.evaluate((each) => each.getBoundingClientRect().right);
  const [nameText, timeText] = await Promise.all([name, time].map(boxOfText));
  expect((nameText?.left ?? 0) - rightOfIcon).toBe(8);
  // An icon's lower edge on the line would lift the name by more than a rounded point.
  expect(Math.abs((nameText?.top ?? 0) - (timeText?.top ?? 0))).toBeLessThanOrEqual(1);
});

test('the name of a file begins where its column does, and its size ends there [R55]', async ({
  page,
  demo,
}) => {
  const product = `${demo.url}/products/${(await factsOf(demo.url)).published}`;
  const head = (name: string) => boxOfText(page.getByRole('columnheader', { name, exact: true }));
  const sizes = page.locator('td.figure > .cell-value').filter({ hasText: 'kB' });
  const expectSizesBelowHead = async () => {
    await expect(sizes.first()).toBeVisible();
    const { right } = await boxOfText(sizes.first());
    expect((await head('Size')).right).toBeCloseTo(right, 0);
  };
  await page.goto(`${product}/builds`);
  await expectSizesBelowHead();
  await page.goto(`${product}/files`);
  await expectSizesBelowHead();
  const name = page.locator('.file-row .link-button').first();
  expect((await head('Filename')).left).toBeCloseTo((await boxOfText(name)).left, 0);
});

test('who listens to lists, files and builds hears nothing that stands between words for the eye alone, and no value that only says its name again [R55]', async ({
  page,
  demo,
}) => {
  const expectClear = async (table: string) => {
    await expect(page.locator(`${table} > tbody > tr`).first()).toBeVisible();
    for (const width of [375, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      const heard = await page.getByRole('main').ariaSnapshot();
      const cells = heard.match(/cell "[^"]*"/g) ?? [];
      expect(cells.length, `${table} at ${String(width)}`).toBeGreaterThan(0);
      expect(cells.filter((cell) => /(?<!\p{L})(\p{L}{3,}) \1(?!\p{L})/u.test(cell))).toEqual([]);
      expect(heard).not.toMatch(/›|text: ·|· ?Product/);
    }
  };
  await page.goto(`${demo.url}/projects/own`);
  await untilLoaded(page);
  const product = page.locator('.project-table a[href^="/products/"]').first();
  await expect(product).toBeVisible();
  await expectClear('.project-table');
  await product.click();
  await expectClear('.files-table');
  await page.getByRole('link', { name: 'All builds' }).click();
  await expectClear('.builds-table');

  // A build that failed says why, with its log, where the others say nothing.
  await page.goto(`${demo.url}/projects/own?status=failed`);
  await untilLoaded(page);
  await page.locator('.project-table a[href^="/products/"]').first().click();
  await expectClear('.files-table');
});

test('tasks are a table from 768 points on, and below that cards that can be put in order [screens 5] [R55, R56]', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/tasks`);
  const rows = page.locator('.task-row');
  await expect(rows.first()).toBeVisible();
  const head = page.getByRole('columnheader', { name: 'Project' });
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(head).toBeVisible();
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(head).toBeHidden();
  // A card shows no names of columns, but says them to who listens.
  await expect(rows.first().getByRole('cell', { name: /^Wait time / })).toBeVisible();
  const [card, page767] = [
    await rows.first().boundingBox(),
    await page.locator('main').boundingBox(),
  ];
  expect(card?.width).toBe((page767?.width ?? 0) - 32);
  const choice = page.getByLabel('Sort by');
  await expect(choice).toHaveValue('-wait');
  await choice.selectOption('project');
  const own = page.locator('.task-table tbody').first();
  const names = await own.locator('.task-project a').allTextContents();
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
});

inWorld(
  'a task of a project whose name is one long word widens no page and breaks no other word [screens 5] [R55]',
  async ({ page, world, team }) => {
    const LONG = 'Ernteliederbuch'.repeat(7);
    const { project } = await begin(world, team, HTML, {
      state: 'App Builder Configuration',
    });
    const api = await team.apiOf(team.ana);
    await api.change({ type: 'projects', id: project.id, attributes: { name: LONG } });
    for (const locale of ['en-US', 'es-419']) {
      await api.change({ type: 'users', id: team.ana.id, attributes: { locale } });
      await page.goto(`${world.url}/tasks`);
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await expect(page.getByRole('link', { name: LONG })).toBeVisible();
      for (const width of [375, 768, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await beyondTheSides(page), `${locale} at ${String(width)}`).toEqual([]);
        const others = page.locator('tr[data-record] td:not(:has(a[href^="/projects/"]))');
        expect(await others.evaluateAll(wordsOnTwoLines), `${locale} at ${String(width)}`).toEqual(
          [],
        );
      }
    }
  },
);

inWorld(
  'what is written from right to left begins where all else on the page does, in lists, titles and details alike [screens 1.9] [R55]',
  async ({ page, world, team }) => {
    const state = 'App Builder Configuration';
    const { product, project } = await begin(world, team, HTML, { state });
    const attributes = { name: 'שירי הקציר', description: 'שירים מן השדה ומן הנהר.' };
    const api = await team.apiOf(team.ana);
    await api.change({ type: 'projects', id: project.id, attributes });
    const inset = (locator: Locator) =>
      locator.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { paddingLeft } = getComputedStyle(element);
        const start = element.getBoundingClientRect().left + parseFloat(paddingLeft);
        return Math.round(range.getBoundingClientRect().left - start);
      });
    await page.goto(`${world.url}/projects/${project.id}`);
    const { name, description } = attributes;
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    expect(await inset(page.getByRole('heading', { level: 1 }))).toBe(0);
    expect(await inset(page.locator('dd').filter({ hasText: description }))).toBe(0);
    await page.goto(`${world.url}/projects/own`);
    expect(await inset(page.locator('.name-cell .project-name'))).toBe(0);
    await page.goto(`${world.url}/flow/flow/${product}`);
    expect(await inset(page.locator('dd').filter({ hasText: name }))).toBe(0);
  },
);

/** The words in `elements` that begin on one line and end on another. */
function wordsOnTwoLines(elements: readonly Element[]): readonly string[] {
  const texts = elements.flatMap((element) => {
    const found: Text[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    return found;
  });
  return texts.flatMap((text) =>
    [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => top));
      return tops.size > 1 ? [word] : [];
    }),
  );
}

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

test.describe('for an admin who tends people', () => {
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
      await page.getByRole('combobox', { name: 'What are you looking for?' }).fill('b');
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
