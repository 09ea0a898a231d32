import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Fails with what axe finds on the page as it stands, and `where` that was. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(untilStill);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html ?? ''}`);
  expect(found).toEqual([]);
}

/** Runs in a page: until what fades in or changes its colour has done so; what turns for ever may. */
async function untilStill(): Promise<void> {
  const passing = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}
