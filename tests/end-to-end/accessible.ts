import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** The rules among those that are on by default that look at colours. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with what axe finds on the page as it stands, and `where` that was. `colorsAlone`: the same
 * page was looked at in other colours.
 */
export async function expectAccessible(
  page: Page,
  where: string,
  { colorsAlone = false } = {},
): Promise<void> {
  await page.evaluate(untilStill);
  const axe = new AxeBuilder({ page });
  const { violations } = await (colorsAlone ? axe.withRules(OF_COLORS) : axe).analyze();
  const found = violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ''}`);
  expect(found).toEqual([]);
}

/** As `expectAccessible`, in light and in dark colours; all but these is the same in the dark. */
export async function expectAccessibleInBoth(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${where}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${where}, dark`, { colorsAlone: true });
}

/** Runs in a page: until what fades in or changes its colour has done so; what turns for ever may. */
async function untilStill(): Promise<void> {
  const passing = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}
