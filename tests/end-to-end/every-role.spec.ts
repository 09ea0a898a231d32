import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { MailTextKey } from '#text/say.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import { test } from './demo.ts';
import { LinkQueue } from './link-queue.ts';
import { untilLoaded } from './people.ts';
import { factsOf } from './route-facts.ts';
import { outcomeOf, ROLES, ROWS } from './route-table.ts';
import type { Facts, Role, RouteRow } from './route-table.ts';
import { contextOf, expectOutcome, IS_WHOLE, visit } from './route-visits.ts';

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

/** Whether the address is typed: in CI each once, and wherever the message has to be seen anew. */
function isTyped(row: RouteRow, n: number, role: Role): boolean {
  if (IS_WHOLE || row.kind === 'server') return true;
  const outcome = outcomeOf(row, role);
  const isFirst = ROWS.findIndex(({ access }) => access === row.access) === n;
  if (outcome.is === 'turned-away') return isFirst;
  return ROLES[n % ROLES.length] === role;
}

/** In CI a page of the server is looked at by two of the roles: it hardly knows one. */
const isWalked = (row: RouteRow, n: number, role: Role): boolean =>
  IS_WHOLE ||
  row.kind === 'app' ||
  row.access === 'signedInAtIssuer' ||
  ROLES[n % ROLES.length] === role;

for (const role of ROLES)
  test(`each address gives ${role} the page, or the way away that the specification says, with its message [R25, R27, R29, R30, R375, R376, R377, R382]`, async ({
    browser,
    demo,
  }) => {
    test.setTimeout(IS_WHOLE ? 900_000 : 500_000);
    const facts = await factsOf(demo.url);
    const context = await contextOf(browser, demo.url, role);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto('/tasks');
    await walkAll(page, facts, role);
    expect(complaints).toEqual([]);
    await context.close();
  });

async function walkAll(page: Page, facts: Facts, role: Role): Promise<void> {
  const links = new LinkQueue(page);
  const refusals = new Set<MailTextKey>();
  let isInApp = true;
  for (const [n, row] of ROWS.entries()) {
    if (!isWalked(row, n, role)) continue;
    await test.step(`${role} at ${row.at(facts)}`, async () => {
      const way = isInApp && !isTyped(row, n, role) ? 'within' : 'typed';
      await visit(page, row.at(facts), way);
      const outcome = await expectOutcome(page, row, facts, role);
      isInApp = row.kind === 'app';
      if (outcome.is === 'page') await links.collect();
      else links.skip(row.at(facts));
      if (outcome.is !== 'turned-away' || refusals.has(outcome.message)) return;
      refusals.add(outcome.message);
      await expectAccessibleInBoth(page, `${role}, turned away from ${row.at(facts)}`);
    });
  }
  await links.follow(role);
}

for (const role of ['member', 'builder', 'admin', 'superAdmin'] as const)
  test(`the navigation of ${role} has the links that the specification says, and each leads to its page [R46, R47, R48, R49, R50]`, async ({
    browser,
    demo,
  }) => {
    const facts = await factsOf(demo.url);
    const context = await contextOf(browser, demo.url, role, facts);
    const page = await context.newPage();
    await page.goto('/tasks');
    await untilLoaded(page);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    // Saved views stand below, for whom there are some.
    const linksOf = () =>
      navigation
        .locator('.side-links')
        .first()
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    await expect.poll(linksOf).toEqual(linksFor(role, facts));
    for (const to of linksFor(role, facts).slice(0, -1)) {
      await navigation.locator(`a[href="${to}"]`).click();
      const row = ROWS.find((each) => each.at(facts) === to);
      if (row === undefined) throw new Error(`The table has no row for ${to}`);
      await expectOutcome(page, row, facts, role);
    }
    await context.close();
  });

/** The links of screens 3.2, in their order. */
function linksFor(role: Role, { organization }: Facts): readonly string[] {
  const isAdmin = role === 'admin' || role === 'superAdmin';
  return [
    '/tasks',
    '/projects/own',
    '/projects/organization',
    '/builds',
    ...(isAdmin ? ['/projects/active', '/users', `/organizations/${organization}/settings`] : []),
    ...(role === 'superAdmin' ? ['/admin/settings'] : []),
    '/directory',
    '/open-source',
  ];
}
