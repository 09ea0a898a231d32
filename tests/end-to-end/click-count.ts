import type { BrowserContext } from '@playwright/test';

/**
 * Counts what a person clicks in all pages of `context` from now on, on every page that is loaded
 * after the call. Enter that sends a form is one too: the browser clicks its button.
 *
 * @returns what says how many there were so far
 */
export async function countClicks(context: BrowserContext): Promise<() => Promise<number>> {
  let count = 0;
  await context.exposeBinding('clicked', () => {
    count += 1;
  });
  await context.addInitScript(() => {
    const { clicked } = globalThis as unknown as { readonly clicked: () => void };
    addEventListener(
      'click',
      ({ isTrusted }) => {
        if (isTrusted) clicked();
      },
      { capture: true },
    );
  });
  return async () => {
    // What a page has told before it answers has been counted.
    for (const page of context.pages()) await page.evaluate(() => null);
    return count;
  };
}
