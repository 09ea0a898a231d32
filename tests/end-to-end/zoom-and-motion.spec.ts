import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { eachDialog, fillTeam, LONG, unfoldCharts } from './full-team.ts';
import { button, goWithin, openPanel, switchOf, title, untilLoaded } from './people.ts';
import { HTML } from './products.ts';
import { beyondTheSides, zoom } from './sideways.ts';
import { test } from './world.ts';
import type { Team } from './world.ts';

// It is the last file by name: both workers take part in it to the end.
test.describe.configure({ mode: 'parallel' });

/** A page, and what one comes to it for. */
interface Place {
  readonly route: string;
  /** No two pages in a row have the same, so it tells that the page is there. */
  readonly title: string | RegExp;
  readonly action: (page: Page) => Locator;
  /** Until then the action cannot be taken. */
  readonly before?: (page: Page) => Promise<void>;
}

const inMain = (role: 'link' | 'button', name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole(role, { name }).first();

/** Types something that is to be saved. */
const write = (field: RegExp) => async (page: Page) => {
  await page.getByLabel(field).fill(LONG);
};

type Filled = Awaited<ReturnType<typeof fillTeam>>;

/** Every page of Ben, who administers, with something on it. */
function placesOf(team: Team, { project, product }: Filled): readonly Place[] {
  const address = `/projects/${project}`;
  const lists = ['own', 'organization', 'all', 'archived', 'active'].map((name) => ({
    route: `/projects/${name}`,
    title: new RegExp(`^${name === 'own' ? 'My' : name} projects`, 'i'),
    action: inMain('link', 'Add project'),
  }));
  return [
    { route: '/tasks', title: /^My tasks/, action: inMain('link', HTML) },
    ...lists,
    {
      route: '/projects/new',
      title: 'New project',
      action: inMain('button', 'Save'),
      before: async (page) => {
        await write(/^Name/)(page);
        await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
        await page.keyboard.press('Tab');
      },
    },
    {
      route: '/projects/import',
      title: 'Import projects',
      action: inMain('button', 'Choose a file'),
    },
    {
      route: '/builds',
      title: 'Builds',
      action: inMain('link', HTML),
      before: (page) => unfoldCharts(page, { count: 3 }),
    },
    { route: address, title: 'Harvest', action: inMain('link', 'Edit') },
    { route: `${address}/builds`, title: 'Builds', action: inMain('link', HTML) },
    // What leads to the first publication stands there until it is.
    { route: address, title: 'Harvest', action: inMain('button', 'Add a product') },
    {
      route: `${address}/edit`,
      title: 'Edit Harvest',
      action: inMain('button', 'Save'),
      before: write(/^Name/),
    },
    {
      route: `/products/${product}/files`,
      title: HTML,
      action: inMain('button', /^Download/),
    },
    {
      route: `/products/${product}/builds`,
      title: 'Builds',
      action: inMain('link', /Failed/),
      before: (page) => unfoldCharts(page, { count: 1 }),
    },
    {
      route: `/flow/any/${product}`,
      title: 'App builder configuration',
      action: inMain('button', 'Continue'),
    },
    { route: `/users/${team.ben.id}`, title: 'Ben', action: inMain('link', 'Edit') },
    {
      route: `/users/${team.ben.id}/edit`,
      title: 'Profile: Ben',
      action: inMain('button', 'Save'),
      before: write(/^First name/),
    },
    { route: '/no/such/page', title: /Not Found/, action: inMain('button', 'Home') },
  ];
}

/** Lets letters, words and lines stand as far apart as WCAG 1.4.12 asks for. */
async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* {
      line-height: 1.5 !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important;
    } p { margin-bottom: 2em !important; }`);
    document.adoptedStyleSheets.push(sheet);
  });
}

/** It can be brought into the window whole, and nothing lies over it. */
async function expectInReach(target: Locator, where: string): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  await expect(target, where).toBeInViewport({ ratio: 0.99 });
  await target.click({ trial: true });
}

test.describe('[issue 5] at 200 % on a window of 1,280 × 800', () => {
  for (const isSpaced of [false, true])
    test(`every page has its title and what it is for in reach, and goes down, not sideways${
      isSpaced ? ', with wide text' : ''
    }`, async ({ world, team, browserOf }) => {
      const places = placesOf(team, await fillTeam(world, team));
      const page = await (await browserOf(team.ben)).newPage();
      await page.goto(`${world.url}/tasks`);
      await untilLoaded(page);
      await zoom(page);
      if (isSpaced) await spaceText(page);
      for (const place of places) {
        // The spacing would be gone after a load.
        if (isSpaced) await goWithin(page, place.route);
        else await page.goto(`${world.url}${place.route}`);
        await expect(title(page)).toHaveText(place.title);
        await place.before?.(page);
        const action = place.action(page);
        await expect(action, place.route).toBeVisible();
        expect(await beyondTheSides(page), place.route).toEqual([]);
        await title(page).scrollIntoViewIfNeeded();
        await expect(title(page), place.route).toBeInViewport({ ratio: 0.99 });
        await expectInReach(action, place.route);
      }
    });

  test('every dialog and menu lies within the window, down to its last button', async ({
    world,
    team,
    browserOf,
  }) => {
    const filled = await fillTeam(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(world.url);
    await zoom(page);
    await eachDialog(page, world, filled, async (dialog, what) => {
      await expect(dialog, what).toBeInViewport({ ratio: 0.99 });
      await expectInReach(dialog.getByRole('heading').first(), what);
      await expectInReach(dialog.locator('button:enabled').last(), what);
      expect(await beyondTheSides(page), what).toEqual([]);
    });
    await page.goto(`${world.url}/projects/${filled.project}`);
    await untilLoaded(page);
    for (const opener of [/^Menu of/, /^Language/, 'More for Harvest', `More for ${HTML}`]) {
      await button(page, opener).click();
      const menu = page.getByRole('menu');
      await expect(menu).toBeVisible();
      expect(await beyondTheSides(page), String(opener)).toEqual([]);
      const entries = menu.getByRole('menuitem').or(menu.getByRole('menuitemradio'));
      await expectInReach(entries.last(), String(opener));
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
    }
  });
});

/** Everything that would move, or go on moving for longer than a millisecond. */
const movements = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const longest = (durations: string): number =>
      Math.max(...durations.split(',').map((duration) => Number.parseFloat(duration)));
    const found = new Set(
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map((animation) => `runs: ${'animationName' in animation ? 'animation' : 'transition'}`),
    );
    for (const element of document.querySelectorAll('*'))
      for (const part of [null, '::before', '::after', '::backdrop']) {
        const style = getComputedStyle(element, part);
        const name = `${element.localName}.${element.getAttribute('class') ?? ''}${part ?? ''}`;
        if (style.animationName !== 'none' && longest(style.animationDuration) > 0.001)
          found.add(`${name}: ${style.animationName}`);
        if (longest(style.transitionDuration) > 0.001) found.add(`${name}: transition`);
        if (style.scrollBehavior === 'smooth') found.add(`${name}: scrolls smoothly`);
      }
    return [...found];
  });

test.describe('[issue 5] motion', () => {
  test('is nowhere for who wants none: on no page, in no menu, dialog or message', async ({
    world,
    team,
    browserOf,
  }) => {
    const filled = await fillTeam(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(world.url);
    await untilLoaded(page);
    for (const { route, title: name, action, before } of placesOf(team, filled)) {
      await goWithin(page, route);
      await expect(title(page)).toHaveText(name);
      await before?.(page);
      await expect(action(page)).toBeVisible();
      expect(await movements(page), route).toEqual([]);
    }
    const looksStill = async (what: string) => {
      expect(await movements(page), what).toEqual([]);
    };
    await showAll(page, `${world.url}/projects/${filled.project}`, looksStill);
    // There the navigation is a drawer.
    await page.setViewportSize({ width: 900, height: 800 });
    await eachDialog(page, world, filled, (_, what) => looksStill(what));
  });

  test('shows others what comes: a menu, a dialog, a message, a button that is pointed at', async ({
    page,
    world,
    harvest,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await showAll(page, `${world.url}/projects/${harvest}`, async (what) => {
      const found = (await movements(page)).join('\n');
      expect(found, what).toContain(what);
      expect(found, what).toContain('transition');
    });
  });
});

/** Opens a menu, a dialog and a message in turn, and hands on by which class each is known. */
async function showAll(
  page: Page,
  address: string,
  look: (what: string) => Promise<void>,
): Promise<void> {
  await page.goto(address);
  await untilLoaded(page);
  await button(page, /^Menu of/).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await look('menu-list');
  await page.keyboard.press('Escape');
  await openPanel(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('dialog-right');
  await page.keyboard.press('Escape');
  await switchOf(page, 'Automatic builds').click();
  await expect(page.getByText('Automatic builds are off')).toBeVisible();
  await look('toast');
}
