import type { Page } from '@playwright/test';

/** What a page that is measured has since before anything else ran in it. */
interface Watched {
  readonly watched: {
    /** From the next key until a search has marked `text`. */
    readonly untilMarked: (text: string) => void;
    /** The next key writes `text` into what is marked, and does nothing else. */
    readonly markItself: (text: string) => void;
    /** From the next click until that many products show. */
    readonly untilProducts: (count: number) => void;
    /** From the next click until something that is said has these digits. */
    readonly untilSaid: (digits: string) => void;
    /** The longest frame from now on. */
    readonly frames: () => void;
    readonly took: () => number;
  };
}

/** Measures one thing in `page`, by the name of what is measured. */
export function watch<K extends Exclude<keyof Watched['watched'], 'took'>>(
  page: Page,
  what: K,
  ...given: Parameters<Watched['watched'][K]>
): Promise<void> {
  return page.evaluate(
    ([what, given]) => {
      const { watched } = globalThis as unknown as Watched;
      (watched[what] as (...given: readonly unknown[]) => void)(...given);
    },
    [what, given] as const,
  );
}

/** What was measured last, in ms, once it is there. */
export async function tookIn(page: Page): Promise<number> {
  await page.waitForFunction(() => (globalThis as unknown as Watched).watched.took() > 0);
  return page.evaluate(() => (globalThis as unknown as Watched).watched.took());
}

/**
 * Runs in each page before anything else: how long from the next key or click until something shows.
 * Of a page of plain text, how long from its beginning until it shows.
 */
export const WATCH = `
  {
    let took = 0;
    const from = (type, isThere) => {
      took = 0;
      addEventListener(type, (event) => {
        const look = () => {
          if (!isThere()) requestAnimationFrame(look);
          // The frame after the one that has it: it is on the screen.
          else requestAnimationFrame(() => (took = performance.now() - event.timeStamp));
        };
        requestAnimationFrame(look);
      }, { once: true, capture: true });
    };
    addEventListener('load', () => {
      if (document.contentType !== 'text/plain') return;
      requestAnimationFrame(() => requestAnimationFrame(() => (took = performance.now())));
    });
    globalThis.watched = {
      took: () => took,
      untilMarked: (text) =>
        from('keydown', () => document.querySelector('mark')?.textContent === text),
      markItself: (text) =>
        addEventListener('keydown', (event) => {
          event.stopImmediatePropagation();
          document.querySelector('mark').firstChild.nodeValue = text;
        }, { once: true, capture: true }),
      untilProducts: (count) =>
        from('click', () => document.querySelectorAll('main [data-record^="products:"]').length === count),
      untilSaid: (digits) =>
        from('click', () =>
          [...document.querySelectorAll('main [role=status]')]
            .some((one) => one.textContent.replace(/\\D/g, '') === digits)),
      frames: () => {
        took = 0;
        let last = performance.now();
        const next = (now) => {
          took = Math.max(took, now - last);
          last = now;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      },
    };
  }
`;
