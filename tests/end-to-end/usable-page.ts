import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts';
import { title } from './people.ts';
import { IS_WHOLE } from './route-visits.ts';
import { beyondTheSides } from './sideways.ts';
import { expectWalkable } from './tab-walk.ts';

/** The widths at which every page is looked at, the narrowest first. */
export const WIDTHS_PX = [375, 768, 992, 1_280, 1_920];

/**
 * Expects that axe finds nothing on the page as it stands, light and dark, wide and narrow, that Tab
 * leads through `area`, and that nothing is beyond the sides in any width, nor at 200 %.
 */
export async function expectUsable(page: Page, area: string, where: string): Promise<void> {
  await expectAccessibleInBoth(page, `${where}, wide`);
  await expectWalkable(page, area, where);
  await expectToFit(page, where);
  await page.setViewportSize({ width: 375, height: 800 });
  if (IS_WHOLE) await expectAccessibleInBoth(page, `${where}, narrow`);
  else {
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page, `${where}, narrow`);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

/** At each width, and at 200 % of the widest that has a sidebar. */
async function expectToFit(page: Page, where: string): Promise<void> {
  for (const width of [640, ...WIDTHS_PX]) {
    await page.setViewportSize({ width, height: width === 640 ? 400 : 800 });
    await expect(title(page).first()).toBeVisible();
    expect(await beyondTheSides(page), `${where}, ${String(width)} px`).toEqual([]);
  }
}
