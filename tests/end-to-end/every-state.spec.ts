import { expect } from '@playwright/test';
import type { Page, Route } from '@playwright/test';
import { aProduct } from '../support/make.ts';
import { expectAccessible } from './accessible.ts';
import { expectState, openProject, untilInstalled, untilLoaded } from './people.ts';
import { begin, HTML, seeded } from './products.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const WIDTHS = [375, 1_280] as const;
const OUT_OF_ORDER = { status: 500, contentType: 'text/plain', body: 'Out of order' };
const FIRST = 'App Builder Configuration';

const LISTS = ['own', 'organization', 'all', 'archived', 'active'].map(
  (name) => `/projects/${name}`,
);
/** What needs no record; active projects and imports are for admins. */
const PLAIN = ['/tasks', ...LISTS, '/projects/new', '/projects/import'];

const OF_MEMBERS = PLAIN.filter((route) => !/active|import/.test(route));
/** All that a page asks of the server but where to sign in. */
const API = /\/(api|hubs)\/(?!config)/;

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

  test('where there is no connection', async ({ world, team, page, context }) => {
    const { project, product } = await begin(world, team, HTML, { state: FIRST });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openProject(page, world.url, project.id);
    await untilInstalled(page);
    await context.setOffline(true);
    await expectState(page, 'offline');
    await expectOnAll(page, world, [
      ...OF_MEMBERS,
      ...routesOf(project.id, product),
      `/users/${team.ben.id}`,
    ]);
  });

  test('where the server answers with errors alone', async ({ world, team, page, context }) => {
    const { project, product } = await begin(world, team, HTML, { state: FIRST });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openProject(page, world.url, project.id);
    await context.route(API, (route) => route.fulfill(OUT_OF_ORDER));
    await expectOnAll(page, world, [...OF_MEMBERS, ...routesOf(project.id, product)]);
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

function routesOf(project: string, product: string): string[] {
  return [
    `/projects/${project}`,
    `/projects/${project}/edit`,
    `/products/${product}/files`,
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
      await expectNoSideways(page, `${route}, ${width} px`);
    }
  }
}

/** Nothing is wider than the window. */
async function expectNoSideways(page: Page, where: string): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(`${where}: ${beyond} px`).toBe(`${where}: 0 px`);
}
