import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Fields of dates have stops inside, which the page does not know. */
const STOPS_BEYOND = 40;

interface Walk {
  readonly faults: string[];
  readonly left: Set<Element>;
  /** Counts the stops that there are now: rows may come while one goes through. */
  readonly count: () => number;
  isOver: boolean;
}

/**
 * Goes by Tab through all that is in `area`, and out of it: every control gets the focus, in the
 * order of the page, can be seen to have it, and lets go of it.
 */
export async function expectWalkable(page: Page, area: string, where: string): Promise<void> {
  const total = await page.evaluate(prepareWalk, area);
  for (let stops = 0; stops <= total; stops += 1) await page.keyboard.press('Tab');
  for (let stops = total; stops < (await stopsOf(page)) + STOPS_BEYOND; stops += 1)
    await page.keyboard.press('Tab');
  const faults = await page.evaluate(() => {
    const { walk } = globalThis as unknown as { readonly walk: Walk };
    const unreached = [...walk.left]
      .filter(({ isConnected }) => isConnected)
      .map((element) => `never has the focus: ${element.outerHTML.slice(0, 160)}`);
    const held = walk.isOver ? [] : ['does not let go of the focus'];
    return [...walk.faults, ...unreached, ...held];
  });
  expect(faults.map((fault) => `${where}: ${fault}`)).toEqual([]);
}

/** @returns how many stops there are in all; -∞ once the walk is over */
const stopsOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { walk } = globalThis as unknown as { readonly walk: Walk };
    return walk.isOver ? -Infinity : walk.count();
  });

/** Runs in a page. @returns how many stops there are */
function prepareWalk(area: string): number {
  const place = document.querySelector(area);
  if (!(place instanceof HTMLElement)) throw new Error(`There is no ${area}`);
  const stopsNow = () =>
    [
      ...place.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]',
      ),
    ].filter(isStop);
  const controls = stopsNow();

  /** Everything by which a control can show that it has the focus: its own, its label's, its cell's, its drawing's. */
  const looksOf = (element: Element): string =>
    [element, element.parentElement, element.nextElementSibling, element.firstElementChild]
      .filter((each) => each !== null)
      .flatMap((each) =>
        [null, '::before', '::after'].map((part) => {
          const style = getComputedStyle(each, part);
          return [
            style.outline,
            style.boxShadow,
            style.borderColor,
            style.backgroundColor,
            style.textDecoration,
            style.stroke,
            style.strokeWidth,
          ].join();
        }),
      )
      .join(';');

  function isStop(element: HTMLElement): boolean {
    if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true }))
      return false;
    if (element.closest('[inert]') !== null || element.matches(':disabled')) return false;
    // The browser stops once at each group of radio buttons.
    if (element instanceof HTMLInputElement && element.type === 'radio')
      return element.checked || !isOfChosen(element);
    return true;
  }
  function isOfChosen({ name, form }: HTMLInputElement): boolean {
    const group = [...(form ?? document).querySelectorAll<HTMLInputElement>('input[type=radio]')];
    return group.some((each) => each.name === name && each.checked);
  }

  const at = document.activeElement;
  if (at instanceof HTMLElement) at.blur();
  const before = new Map<Element, string>(controls.map((element) => [element, looksOf(element)]));
  const walk: Walk = {
    ...{ faults: [], left: new Set(controls), count: () => stopsNow().length },
    isOver: controls.length === 0,
  };
  Object.assign(globalThis, { walk });
  let previous: Element | null = null;
  const isBehind = (target: Element): boolean =>
    previous === null ||
    (previous.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isSeen = (target: Element): boolean => {
    const { bottom, top } = target.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (walk.isOver || !(target instanceof Element)) return;
    if (!place.contains(target)) {
      walk.isOver = true;
      return;
    }
    walk.left.delete(target);
    const named = target.outerHTML.slice(0, 160);
    if (!isBehind(target)) walk.faults.push(`comes out of order: ${named}`);
    if (before.get(target) === looksOf(target))
      walk.faults.push(`does not show the focus: ${named}`);
    if (!isSeen(target)) walk.faults.push(`is out of sight: ${named}`);
    previous = target;
  };
  document.addEventListener('focusin', onFocus);
  // Past the last control the focus goes to the browser, or to nothing.
  globalThis.addEventListener('blur', () => {
    walk.isOver = true;
  });
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget === null && walk.left.size === 0) walk.isOver = true;
  });

  const start = document.createElement('span');
  start.tabIndex = -1;
  place.prepend(start);
  start.focus();
  previous = null;
  start.addEventListener('blur', () => {
    start.remove();
  });
  return controls.length;
}
