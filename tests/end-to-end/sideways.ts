import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** As a window of 1,280 × 800 is at 200 %: half as many points, each of two pixels. */
export async function zoom(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 640,
    height: 400,
    deviceScaleFactor: 2,
    mobile: false,
  });
  expect(await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio])).toEqual([
    640, 400, 2,
  ]);
}

/** What cannot be reached without moving the page sideways, or not even so. */
export const beyondTheSides = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page: ${String(scrollWidth)}`] : [];
    const parts = 'h1, h2, h3, a, button, input, select, textarea, th, td, dd, summary, label';
    const isScrolledInside = (element: Element): boolean => {
      for (let around = element.parentElement; around !== null; around = around.parentElement)
        if (/auto|scroll/.test(getComputedStyle(around).overflowX)) return true;
      return false;
    };
    for (const element of document.querySelectorAll(parts)) {
      const { left, right, width } = element.getBoundingClientRect();
      const isOut = width > 1 && (left < -1 || right > clientWidth + 1);
      if (isOut && element.checkVisibility() && !isScrolledInside(element))
        found.push(
          `${element.localName}.${element.className}: ${element.textContent.slice(0, 40)}`,
        );
    }
    return found;
  });
