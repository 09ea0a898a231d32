import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pseudo, withoutPseudo } from '../support/pseudo.ts';

const IN_SCRIPTS = /JSON\.parse\('((?:[^'\\]|\\.)*)'\)/g;

/**
 * Gives `page` the pseudo texts in place of the English ones, on their way to the browser. Its
 * context has no service worker.
 */
export async function speakPseudo(page: Page): Promise<void> {
  const scripts = new Map<string, string>();
  await page.route(/\/static\/[^/]*text-en-US[^/]*\.js$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const script = scripts.get(pathname) ?? inPseudo(readFileSync(join('dist', pathname), 'utf8'));
    scripts.set(pathname, script);
    await route.fulfill({ body: script, contentType: 'text/javascript' });
  });
}

function inPseudo(script: string): string {
  const next = script.replace(IN_SCRIPTS, (_, literal: string) => {
    const texts = JSON.parse(literal.replaceAll(/\\(['\\])/g, '$1')) as Record<string, string>;
    const all = Object.entries(texts).map(([key, text]) => [key, pseudo(text)]);
    return `JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(all)))})`;
  });
  if (next === script) throw new Error('The file of texts is no JSON');
  return next;
}

/** What stands on a page that no text says, and what of it cannot be read whole. */
interface Look {
  readonly unsaid: readonly string[];
  readonly cut: readonly string[];
}

/** Looks at `page` as it stands; `data` are texts that people typed, which are in no language. */
export async function lookAt(page: Page, isData: (text: string) => boolean): Promise<Look> {
  const { texts, cut } = await page.evaluate(readPage);
  const unsaid = texts.flatMap(({ text, where }) => {
    const rest = withoutPseudo(text);
    return rest === '' || isData(rest) ? [] : [`${rest} (${where})`];
  });
  return { unsaid: [...new Set(unsaid)], cut: [...new Set(cut)] };
}

interface Read {
  readonly texts: readonly { readonly text: string; readonly where: string }[];
  readonly cut: readonly string[];
}

/** Runs in a page. */
function readPage(): Read {
  const texts: { text: string; where: string }[] = [];
  const cut: string[] = [];
  const seen: { element: Element; lines: DOMRect[]; said: string }[] = [];
  const whereOf = (element: Element): string => {
    const { tagName, className } = element;
    const names = typeof className === 'string' && className !== '' ? `.${className}` : '';
    return `${tagName.toLowerCase()}${names.replaceAll(/\s+/g, '.')}`;
  };
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.out-of-sight, [aria-hidden="true"], script, style') === null;

  const isHidden = (element: Element): boolean => getComputedStyle(element).clipPath !== 'none';

  /** Something that says the whole to who points at it. */
  const isSaidWhole = (element: Element, said: string): boolean => {
    const title = element.closest('[title]')?.getAttribute('title') ?? '';
    return title.includes(said.trim()) || element.closest('.hint') !== null;
  };
  const aroundAll = (lines: readonly DOMRect[]): DOMRect => {
    const edge = (of: 'min' | 'max', side: 'left' | 'top' | 'right' | 'bottom') =>
      lines.length === 0 ? 0 : Math[of](...lines.map((line) => line[side]));
    const [left, top] = [edge('min', 'left'), edge('min', 'top')];
    return new DOMRect(left, top, edge('max', 'right') - left, edge('max', 'bottom') - top);
  };
  const clips = (value: string): boolean => value === 'hidden' || value === 'clip';

  // What lies behind a question is read once that is answered.
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  for (const element of (dialog ?? document.body).querySelectorAll('*')) {
    for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'aria-description']) {
      const text = element.getAttribute(name);
      if (text !== null && text.trim() !== '')
        texts.push({ text, where: `${name} of ${whereOf(element)}` });
    }
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const said = own.map(({ textContent }) => textContent ?? '').join('');
    if (said.trim() === '' || !isSeen(element)) continue;
    // What is said in parts is said as a whole. What an engine wrote is in the engine's language.
    if (element.closest('.product-log bdi, .product-log a[lang]') === null)
      texts.push({ text: said, where: whereOf(element) });

    // Its own text alone: a label for screen readers within it may be longer than it is wide.
    const lines = own.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    });
    const text = aroundAll(lines);
    // Some labels are there for screen readers alone, on phones.
    if (text.width === 0 || isHidden(element) || isSaidWhole(element, said)) continue;
    seen.push({ element, lines, said: said.trim().slice(0, 60) });
    for (let around: Element | null = element; around !== null; around = around.parentElement) {
      const { overflowX, overflowY, position, display } = getComputedStyle(around);
      if (position === 'fixed' || display === 'inline') continue;
      const box = around.getBoundingClientRect();
      const isWider = clips(overflowX) && (text.right > box.right + 1 || text.left < box.left - 1);
      const isHigher = clips(overflowY) && text.bottom > box.bottom + 1;
      if (isWider || isHigher) {
        cut.push(`${said.trim().slice(0, 60)} (${whereOf(element)} in ${whereOf(around)})`);
        break;
      }
      if (overflowX === 'auto' || overflowX === 'scroll') break;
    }
    if (text.right > innerWidth + 1 && getComputedStyle(element).position !== 'fixed') {
      const scrolls = element.closest('.scroller, [tabindex="0"], svg');
      if (scrolls === null)
        cut.push(`${said.trim().slice(0, 60)} (${whereOf(element)} beyond the page)`);
    }
  }
  /** What floats lies above other things by design. */
  const isFloating = (element: Element): boolean => {
    for (let around: Element | null = element; around !== null; around = around.parentElement)
      if (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(around).position)) return true;
    return element.closest('dialog') !== null;
  };
  const lying = seen.filter(({ element }) => !isFloating(element));
  for (const [at, one] of lying.entries())
    for (const other of lying.slice(at + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const isOver = one.lines.some((a) =>
        other.lines.some((b) => {
          const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          // Letters that reach into the next line are no overlap.
          return width > 4 && height > 8;
        }),
      );
      if (isOver) cut.push(`${one.said} (${whereOf(one.element)}) lies over ${other.said}`);
    }
  return { texts, cut };
}
