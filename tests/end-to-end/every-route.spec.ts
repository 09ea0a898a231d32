import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { apiOf } from './api.ts';
import { test } from './demo.ts';
import { builder, goWithin, signIn, status, title, untilLoaded } from './people.ts';

const SIGNED_OUT = [
  '/login',
  '/open-source',
  '/not-found',
  '/verify-email',
  '/not-active-user',
  '/request-access-for-organization',
  '/request-access-for-organization/success',
  '/invitations/missing-token',
  '/invitations/organization/some-token',
];
const SIGNED_IN = [
  '/tasks',
  '/account',
  '/projects/own',
  '/projects/organization',
  '/projects/all',
  '/users',
  '/directory',
  '/projects/archived',
  '/admin/settings/organizations',
  '/projects/new',
  '/projects/import',
  '/organization-membership-changed',
  '/organization-membership-required',
  '/no/such/page',
];
const ADMIN_ROUTES = [
  '/admin',
  ...[
    'organizations',
    'organizations/new',
    'workflow-definitions',
    'workflow-definitions/new',
    'product-definitions',
    'product-definitions/new',
    'stores',
    'stores/new',
    'store-types',
    'store-types/new',
    'build-engines',
  ].map((area) => `/admin/settings/${area}`),
  '/admin/audit',
  '/admin/jobs',
];
/** What the builder comes to by each route; none is that of the route before. */
const TITLES_OF_BUILDER: ReadonlyMap<string, string | RegExp> = new Map<string, string | RegExp>([
  ['/tasks', /^My tasks/],
  ['/account', 'Your account'],
  ['/projects/own', /^My projects/],
  ['/projects/organization', /^Organization projects/],
  ['/projects/all', /^All projects/],
  ['/users', /^My tasks/],
  ['/directory', /^Project directory/],
  ['/projects/archived', /^Archived projects/],
  ['/admin/settings/organizations', /^My tasks/],
  ['/projects/new', 'New project'],
  ['/projects/import', /^My tasks/],
  ['/organization-membership-changed', 'Organization Membership has Changed'],
  ['/organization-membership-required', /^My tasks/],
  ['/no/such/page', 'Not Found!'],
]);
const superAdmin = 'super@slipway.test';
const ACCOUNTS = [
  superAdmin,
  'admin@lakeside.test',
  'builder@lakeside.test',
  'author@lakeside.test',
  'member@lakeside.test',
  'admin@harbor.test',
  'both@slipway.test',
  'unverified@lakeside.test',
  'nobody@slipway.test',
];

// Its tests are a third of all that is done in browsers: they go where there is room.
test.describe.configure({ mode: 'parallel' });

/** What our code logs and what it throws; Chromium's own lines about failed requests don't count. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium itself tells of each answer that is a refusal, of a WebSocket's handshake too.
    const isOfChromium =
      message.text().startsWith('Failed to load resource') ||
      /^WebSocket connection to .* failed: Error during WebSocket handshake/.test(message.text());
    if (!isOfChromium) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  return complaints;
}

async function settled(page: Page, route: string): Promise<void> {
  await page.goto(route);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
}

/** The address of a project, and of its form, that the signed-in person may open. */
async function projectRoutes(page: Page): Promise<string[]> {
  await settled(page, '/projects/own');
  const link = page.locator('[data-record^="projects:"]').first().getByRole('link').first();
  const address = (await link.count()) > 0 ? await link.getAttribute('href') : null;
  return address === null ? [] : [address, `${address}/edit`];
}

/** Within the app where its title tells that the page is there, by a load otherwise. */
async function comeTo(page: Page, route: string, name?: string | RegExp): Promise<void> {
  if (name === undefined) {
    await settled(page, route);
    return;
  }
  await goWithin(page, route);
  await expect(title(page)).toHaveText(name);
  // The page about a changed membership stands alone, without the state of the device.
  if ((await status(page).count()) > 0) await untilLoaded(page);
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** The view of a workflow of the demo, with its organization in view; super admins alone have it. */
async function workflowRoute(page: Page, url: string): Promise<string> {
  const api = await apiOf(url, superAdmin);
  const products = await api.list('/api/products?page[limit]=500');
  const running = products.find(({ attributes }) => attributes?.['workflow-state'] === 'Approval');
  const route = `/admin/workflows/${running?.id ?? ''}`;
  await settled(page, route);
  await page.getByRole('button', { name: /^Look at / }).click();
  await expect(page.getByRole('img', { name: /^Approval\./ })).toBeVisible();
  return route;
}

for (const account of ACCOUNTS) {
  test(`every route leaves the console clean for ${account}`, async ({ page, demo }) => {
    const complaints = complaintsOf(page);
    await signIn(page, demo.url, account);
    for (const route of [...SIGNED_IN, ...(await projectRoutes(page))]) await settled(page, route);
    if (account === superAdmin)
      for (const route of [...ADMIN_ROUTES, await workflowRoute(page, demo.url)])
        await settled(page, route);
    expect(complaints).toEqual([]);
  });
}

test('every route leaves the console clean for somebody who was locked after signing in', async ({
  page,
  demo,
}) => {
  const complaints = complaintsOf(page);
  const api = await apiOf(demo.url, superAdmin);
  const { id } = await api.first('/api/users?filter[email]=locked@lakeside.test');
  const lock = (isLocked: boolean) =>
    api.change({ type: 'users', id, attributes: { 'is-locked': isLocked } });
  await lock(false);
  await signIn(page, demo.url, 'locked@lakeside.test');
  await lock(true);
  for (const route of SIGNED_IN) await settled(page, route);
  expect(complaints).toEqual([]);
});

for (const width of [375, 1_280]) {
  test(`axe finds nothing on any route, light and dark, ${width} px`, async ({ page, demo }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    for (const route of SIGNED_OUT) await expectAccessibleAt(page, route);
    await signIn(page, demo.url, builder);
    for (const route of [...SIGNED_IN, ...(await projectRoutes(page))]) {
      await comeTo(page, route, TITLES_OF_BUILDER.get(route));
      await expectAccessibleInBoth(page, route);
    }
  });

  test(`axe finds nothing on a workflow, light and dark, ${width} px`, async ({ page, demo }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, demo.url, superAdmin);
    const route = await workflowRoute(page, demo.url);
    await expectAccessibleAt(page, route);
    await page.getByRole('button', { name: 'Move to state…' }).click();
    await expectAccessibleInBoth(page, `${route}, moving it`);
  });
}

test('no page is wider than its window [R55]', async ({ page, demo }) => {
  await signIn(page, demo.url, builder);
  for (const route of [...SIGNED_IN, ...(await projectRoutes(page))]) {
    await settled(page, route);
    await expectToFit(page, route);
  }
});

test('no page of the settings is wider than its window, and axe finds nothing on a phone [R55]', async ({
  page,
  demo,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, demo.url, superAdmin);
  for (const route of ADMIN_ROUTES) {
    await settled(page, route);
    await expectToFit(page, route);
    await page.setViewportSize({ width: 375, height: 800 });
    await expectAccessibleInBoth(page, `${route}, on a phone`);
  }
});

async function expectToFit(page: Page, route: string): Promise<void> {
  for (const width of [375, 768, 992, 1_280, 1_920]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(needed, `${route}, ${String(width)} px`).toBeLessThanOrEqual(width);
  }
}

async function expectAccessibleAt(page: Page, route: string): Promise<void> {
  await settled(page, route);
  await expectAccessibleInBoth(page, route);
}

test('the first load of the project list keeps within its budget', async ({ browser, demo }) => {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await signIn(page, demo.url, builder);
  // What the page after signing in still asks for is not of this load.
  await page.goto('about:blank');
  const files: string[] = [];
  page.on('response', (response) => files.push(new URL(response.url()).pathname));
  await page.goto('/projects/own');
  await expect(page.locator('[data-record^="projects:"]').first()).toBeVisible();
  await page.waitForLoadState('networkidle');

  const gzipped = (ending: string) =>
    files
      .filter((path) => path.startsWith('/static/') && path.endsWith(ending))
      .reduce((sum, path) => sum + gzipSync(readFileSync(`dist${path}`)).length, 0);
  expect(gzipped('.js')).toBeGreaterThan(0);
  expect(gzipped('.js')).toBeLessThanOrEqual(220_000);
  expect(gzipped('.css')).toBeLessThanOrEqual(60_000);
});
