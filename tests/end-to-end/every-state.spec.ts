import { expect } from '@playwright/test';
import type { Page, Route } from '@playwright/test';
import { aProduct } from '../support/make.ts';
import { expectAccessible } from './accessible.ts';
import { goWithin, untilHelpIsHere, untilInstalled, untilLoaded } from './people.ts';
import { HTML, seeded } from './products.ts';
import { factsOf } from './route-facts.ts';
import { contextOf, expectOutcome, headingOf, IS_WHOLE, rowsOf, VISITORS } from './route-visits.ts';
import { beyondTheSides } from './sideways.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const WIDTHS = [375, 1_280] as const;
const OUT_OF_ORDER = { status: 500, contentType: 'text/plain', body: 'Out of order' };

const LISTS = ['own', 'organization', 'all', 'archived', 'active'].map(
  (name) => `/projects/${name}`,
);
/** What needs no record; active projects and imports are for admins. */
const PLAIN = ['/tasks', ...LISTS, '/projects/new', '/projects/import'];

/** Pages of the server that a browser keeps, or that the app stands in for. */
const KEPT = /^\/(help\/(?!api)|downloads\/)/;
/** All that a page asks of the server but where to sign in. */
const API = /\/(api|hubs)\/(?!config)/;

// It takes long: it goes where there is room.
test.describe.configure({ mode: 'parallel' });

/** Every screen in each of its states, wide and narrow: axe finds nothing, and each has its title. */
test.describe('axe finds nothing on any screen', () => {
  test('where there is nothing yet', async ({ world, team, browserOf }) => {
    const project = await team.project('Harvest');
    const productDefinition = await seeded(world, 'productDefinition', HTML);
    const { id: product } = await aProduct(world.parts.db, { project, productDefinition });
    const page = await (await browserOf(team.ben)).newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await expectOnAll(page, world, [
      ...PLAIN,
      ...routesOf(project, product),
      `/users/${team.ana.id}`,
    ]);
  });

  for (const [what, answer] of [
    ['gives no answer', (route: Route) => route.abort()],
    ['answers with errors alone', (route: Route) => route.fulfill(OUT_OF_ORDER)],
  ] as const)
    test(`where nothing is on the device and the server ${what}`, async ({
      world,
      team,
      context,
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await context.route(API, answer);
      await expectOnAll(page, world, ['/tasks', `/projects/${team.group}`]);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    });
});

/** Roles that have no local copy of an organization. */
const KEPT_OUT: ReadonlySet<string> = new Set([
  'signedOut',
  'withoutMembership',
  'locked',
  'unverified',
]);

test.describe('every address', () => {
  for (const role of VISITORS) {
    test(`opens for ${role} without a connection, or says that it is not on this device`, async ({
      demo,
      browser,
    }) => {
      test.setTimeout(IS_WHOLE ? 900_000 : 300_000);
      const facts = await factsOf(demo.url);
      const context = await contextOf(browser, demo.url, role, facts);
      const page = await context.newPage();
      await page.goto('/tasks');
      await untilInstalled(page);
      await untilHelpIsHere(page);
      const rows = rowsOf(role).filter(({ kind, at }) => kind === 'app' || KEPT.test(at(facts)));
      for (const row of rows.filter(({ kind }) => kind === 'app')) {
        await goWithin(page, row.at(facts));
        await expectOutcome(page, row, facts, role);
        await expect(page.locator('.skeleton')).toHaveCount(0);
      }
      await context.setOffline(true);
      for (const row of rows)
        await test.step(row.at(facts), async () => {
          await page.goto(row.at(facts));
          const heading = page.getByRole('heading', { level: 1 }).first();
          const wanted = [offline(headingOf(row, 'en-US')), NOT_HERE].join('|');
          await expect(heading, row.at(facts)).toHaveText(new RegExp(wanted));
          await expectSound(page, `${role} at ${row.at(facts)}, offline`);
        });
      await context.close();
    });

    test(`stands for ${role} while the server answers with errors alone`, async ({
      demo,
      browser,
    }) => {
      test.setTimeout(IS_WHOLE ? 900_000 : 300_000);
      const facts = await factsOf(demo.url);
      const context = await contextOf(browser, demo.url, role, facts);
      const page = await context.newPage();
      await page.goto('/tasks');
      for (const row of rowsOf(role).filter(({ at }) => at(facts) === '/tasks'))
        await expectOutcome(page, row, facts, role);
      if (!KEPT_OUT.has(role)) await untilLoaded(page);
      await context.route(API, (route) => route.fulfill(OUT_OF_ORDER));
      for (const row of rowsOf(role).filter(({ kind }) => kind === 'app'))
        await test.step(row.at(facts), async () => {
          await page.goto(row.at(facts));
          await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
          await expectSound(page, `${role} at ${row.at(facts)}, errors alone`);
        });
      await context.close();
    });
  }
});

/** A heading as it stands without a connection: a list says what it counts. */
const offline = ({ source }: RegExp): string =>
  source.endsWith('$') ? `${source.slice(0, -1)}(on this device)?$` : source;

/** What stands in place of what is not here, and of an invitation that takes a connection. */
const NOT_HERE = 'This is not on this device yet|Looking up invitation';

/** On a phone, and in the whole on a wide screen too. */
async function expectSound(page: Page, where: string): Promise<void> {
  for (const width of IS_WHOLE ? WIDTHS : [375]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.locator('.skeleton'), where).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 }).first(), where).toBeVisible();
    await expectAccessible(page, `${where}, ${String(width)} px`);
    expect(await beyondTheSides(page), `${where}, ${String(width)} px`).toEqual([]);
  }
}

function routesOf(project: string, product: string): string[] {
  return [
    `/projects/${project}`,
    `/projects/${project}/builds`,
    `/projects/${project}/edit`,
    '/builds',
    `/products/${product}/files`,
    `/products/${product}/builds`,
    `/flow/any/${product}`,
  ];
}

async function expectOnAll(page: Page, world: World, routes: readonly string[]): Promise<void> {
  for (const route of routes) {
    await page.goto(`${world.url}${route}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByRole('main')).not.toBeEmpty();
      await expectAccessible(page, `${route}, ${width} px`);
      expect(await beyondTheSides(page), `${route}, ${String(width)} px`).toEqual([]);
    }
  }
}
