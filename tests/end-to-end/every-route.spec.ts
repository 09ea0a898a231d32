import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { LOCALES } from '#schema/user.ts';
import { test } from './demo.ts';
import { builder, signIn, status, untilLoaded } from './people.ts';
import { factsOf } from './route-facts.ts';
import type { Facts, Role, RouteRow } from './route-table.ts';
import { contextOf, expectOutcome, IS_WHOLE, rowsOf, visit, VISITORS } from './route-visits.ts';
import { beyondTheSides } from './sideways.ts';
import { expectUsable, WIDTHS_PX } from './usable-page.ts';

// Its tests are a third of all that is done in browsers: they go where there is room.
test.describe.configure({ mode: 'parallel' });

/** So many are in one test that no test is much longer than others. */
const AT_ONCE = 24;

function partsOf(rows: readonly RouteRow[]): readonly (readonly RouteRow[])[] {
  const count = Math.ceil(rows.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => rows.filter((__, at) => at % count === n));
}

/** Pages of an organization take it to be in view. */
const inView = ({ organization }: Facts) => ({ organization });

for (const role of VISITORS)
  for (const [n, rows] of partsOf(rowsOf(role)).entries()) {
    test(`axe finds nothing on what ${role} sees, light and dark, wide and narrow; nothing is beyond the sides from 375 to 1,920 px and at 200 %, and Tab leads through it (${String(n + 1)}) [R55]`, async ({
      browser,
      demo,
    }) => {
      test.setTimeout(IS_WHOLE ? 900_000 : 300_000);
      const facts = await factsOf(demo.url);
      const context = await contextOf(browser, demo.url, role, inView(facts));
      const page = await context.newPage();
      for (const row of rows) {
        const where = `${role} at ${row.at(facts)}`;
        await test.step(where, async () => {
          await comeTo(page, row, facts, role);
          await expectUsable(page, row.kind === 'app' ? 'main, .focus-page' : 'body', where);
        });
      }
      await context.close();
    });
  }

for (const language of LOCALES.filter((each) => each !== 'en-US'))
  for (const role of VISITORS)
    test(`what ${role} sees is in ${language}, and nothing of it is beyond the sides`, async ({
      browser,
      demo,
    }) => {
      test.setTimeout(300_000);
      const facts = await factsOf(demo.url);
      const context = await contextOf(browser, demo.url, role, { language, ...inView(facts) });
      const page = await context.newPage();
      await page.setViewportSize({ width: 375, height: 800 });
      let isInApp = false;
      for (const row of rowsOf(role)) {
        const where = `${role} at ${row.at(facts)} in ${language}`;
        await test.step(where, async () => {
          const isWithin = isInApp && row.kind === 'app';
          await visit(page, row.at(facts), isWithin ? 'within' : 'typed');
          await expectOutcome(page, row, facts, role, language);
          isInApp = row.kind === 'app';
          if (row.kind === 'app')
            await expect(page.locator('html')).toHaveAttribute('lang', language);
          for (const width of IS_WHOLE ? WIDTHS_PX : [375, 1_280]) {
            await page.setViewportSize({ width, height: 800 });
            expect(await beyondTheSides(page), `${where}, ${String(width)} px`).toEqual([]);
          }
        });
      }
      await context.close();
    });

async function comeTo(page: Page, row: RouteRow, facts: Facts, role: Role): Promise<void> {
  // The page before may be the server's, or none.
  const isInApp = await page.evaluate(() => document.querySelector('#app') !== null);
  await visit(page, row.at(facts), isInApp && row.kind === 'app' ? 'within' : 'typed');
  await expectOutcome(page, row, facts, role);
  // Pages that stand alone have no state of the device.
  if ((await status(page).count()) > 0) await untilLoaded(page);
  await expect(page.locator('.skeleton')).toHaveCount(0);
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
