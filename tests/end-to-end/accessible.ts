import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import type { RunOptions } from 'axe-core';

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
  const hasAxe = await page.evaluate(() => 'axe' in globalThis);
  if (!hasAxe) await page.evaluate(axe.source);
  const rules: RunOptions = colorsAlone ? { runOnly: { type: 'rule', values: OF_COLORS } } : {};
  const found = await page.evaluate(violationsOn, rules);
  expect(found.map((violation) => `${where}: ${violation}`)).toEqual([]);
}

/** Runs in a page: what axe, which was put there before, finds on it. */
async function violationsOn(rules: RunOptions): Promise<string[]> {
  const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
  const { violations } = await inPage.run(document, { ...rules, resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
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
