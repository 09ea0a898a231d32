import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { goWithin, title } from './people.ts';
import { IS_WHOLE } from './route-visits.ts';

/** Addresses that the server answers itself. */
const OF_SERVER = /^\/(help|downloads|files|api|oidc|static|assets)(\/|$)/;
/** Every member reads what is of the organization; pages of a project are for its team (domain 2.2). */
const OF_TEAMS = /^\/(projects|products)\//;
/**
 * A sign-in that never began, and what a mail leads to once it was used: these pages say so with a
 * refusal, and lead to themselves in other languages.
 */
const REFUSING = /^\/oidc\/(interaction\/none|(verify|reset|sign-in|confirm-address)\?token=used)/;
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The links of the pages that somebody has seen, each followed once, and those found there too. */
export class LinkQueue {
  readonly #page: Page;
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  /** The kinds of menus that were opened. */
  readonly #opened = new Set<string>();
  /** Whether the last link led elsewhere, with a message that may still show. */
  #wasLedAway = false;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The address needs no visit any more: it was seen. */
  skip(address: string): void {
    this.#known.add(keyOf(address));
  }

  /** Adds the links of the page that shows, which is seen itself, and those of its menus. */
  async collect(): Promise<void> {
    const page = this.#page;
    await expect(page.locator('.skeleton')).toHaveCount(0);
    const { pathname, search } = new URL(page.url());
    this.skip(pathname + search);
    await this.#addLinks();
    const openers = page.locator(OPENERS);
    for (const [n, kind] of (await openers.evaluateAll(kindsOf)).entries()) {
      // The menus around a page are the same on every page, and so are those of rows of one type.
      const where = kind.startsWith('around') ? kind : `${pathname.replace(ID, ':id')} ${kind}`;
      if (this.#opened.has(where)) continue;
      this.#opened.add(where);
      await openers.nth(n).click();
      const opened = page.locator('[role="menu"], dialog[open]');
      await expect(opened, where).toBeVisible();
      await expect(page.locator('.skeleton'), where).toHaveCount(0);
      await this.#addLinks();
      await page.keyboard.press('Escape');
      await expect(opened, where).toHaveCount(0);
    }
  }

  async #addLinks(): Promise<void> {
    const page = this.#page;
    const { origin } = new URL(page.url());
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of links) {
      const to = new URL(link);
      const address = to.pathname + to.search;
      if (to.origin !== origin || REFUSING.test(address)) continue;
      if (this.#known.has(keyOf(address))) continue;
      this.skip(address);
      this.#waiting.push(address);
    }
  }

  /** Goes to each that waits, as `who`. @throws where one leads to nothing */
  async follow(who: string): Promise<void> {
    const page = this.#page;
    for (
      let address = this.#waiting.shift();
      address !== undefined;
      address = this.#waiting.shift()
    ) {
      const to = address;
      await test.step(`${who} follows ${to}`, async () => {
        if (OF_SERVER.test(to)) {
          expect((await page.request.get(to)).status(), `${who} at ${to}`).toBeLessThan(400);
          return;
        }
        await this.#goTo(to);
        // Lists lead to projects of one's organization and their files, which are for their teams.
        await expectSomething(page, `${who} at ${to}`, {
          mayBeRefused: OF_TEAMS.test(to),
        });
        this.#wasLedAway = new URL(page.url()).pathname !== new URL(to, page.url()).pathname;
        await this.collect();
      });
    }
  }

  /**
   * Goes there as a click does. It goes by way of the page for unknown addresses: what shows after that
   * cannot be what is left of the page before.
   */
  async #goTo(address: string): Promise<void> {
    const page = this.#page;
    const isInApp = await page.evaluate(() => document.querySelector('#app') !== null);
    if (!isInApp || this.#wasLedAway) {
      await page.goto(address);
      return;
    }
    await goWithin(page, '/nowhere');
    await expect(title(page).first()).toHaveText(NOT_FOUND);
    await goWithin(page, address);
  }
}

const NOT_FOUND = /Not Found!/;

/** What opens a menu or a panel, and can be pressed. */
const OPENERS =
  'button[aria-haspopup]:not(:disabled):not(.out-of-sight, [aria-expanded="true"]):visible';

/** Tells menus apart by where they stand and whose they are, not by names of records. */
const kindsOf = (all: readonly Element[]): readonly string[] =>
  all.map((opener) => {
    if (opener.closest('.shell-header') !== null)
      return `around every page: ${opener.getAttribute('aria-label')?.replace(/[:·].*/, '') ?? ''}`;
    const record = opener.closest('[data-record]')?.getAttribute('data-record') ?? '';
    const { className } = opener.closest('.menu-button') ?? opener;
    return `${record.replace(/:.*/, '')} ${className}`;
  });

/** In the whole each address counts by itself; else all that differ by their ids alone are one. */
const keyOf = (address: string): string =>
  IS_WHOLE ? address : address.replace(ID, ':id').replace(/\?.*$/, '?');

/** A link leads to a page: not to nothing, and nobody is turned away unless `mayBeRefused`. */
export async function expectSomething(
  page: Page,
  where: string,
  { mayBeRefused = false } = {},
): Promise<void> {
  await expect(title(page).first(), where).toBeVisible();
  await expect(title(page).first(), where).not.toHaveText(NOT_FOUND);
  await expect(page.locator('.skeleton'), where).toHaveCount(0);
  if (!mayBeRefused)
    await expect(page.locator('.toast', { hasText: REFUSED }), where).toHaveCount(0);
}

const REFUSED = /You are not allowed|You must be a member|must be selected|You are not a member/;
