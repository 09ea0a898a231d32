import { expect } from '@playwright/test';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import { apiOf } from './api.ts';
import { goWithin, title } from './people.ts';
import { ACCOUNTS } from './route-facts.ts';
import { outcomeOf, ROLES, ROWS } from './route-table.ts';
import type { Facts, Outcome, Role, RouteRow } from './route-table.ts';
import { storageStateOf } from './storage-state.ts';

/** Set by `npm run test:long`: every role, width, language and way is gone; else each of them once. */
export const IS_WHOLE = process.env.EVERY_ROUTE === 'whole';

/** The rows of which `role` looks at the page: each is looked at once, in the whole by all who see it. */
export const rowsOf = (role: Role): readonly RouteRow[] =>
  ROWS.filter((row) => outcomeOf(row, role).is === 'page' && (IS_WHOLE || row.as === role));

/** Who looks at some. */
export const VISITORS: readonly Role[] = ROLES.filter((role) => rowsOf(role).length > 0);

interface RoleOptions {
  readonly language?: MailLanguage;
  /** The organization in view of who has several; unless stated, all of them. */
  readonly organization?: string;
  /** Without one, what the page asks for passes through the test. */
  readonly hasServiceWorker?: boolean;
}

/** A browser of its own in which `role` is signed in, as who wants no motion. */
export async function contextOf(
  browser: Browser,
  url: string,
  role: Role,
  { language = 'en-US', organization, hasServiceWorker = true }: RoleOptions = {},
): Promise<BrowserContext> {
  const signedIn = await signedInAs(url, role);
  const settings = [
    { name: 'slipway.language', value: JSON.stringify(language) },
    ...(organization === undefined ? [] : [{ name: 'slipway.organization', value: organization }]),
  ];
  const localStorage = [...(signedIn?.origins[0]?.localStorage ?? []), ...settings];
  return browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    locale: language,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
}

/** What the browser of `role` keeps; nobody who is locked can sign in: they were before. */
async function signedInAs(url: string, role: Role) {
  if (role === 'signedOut') return null;
  if (role !== 'locked') return storageStateOf({ url }, ACCOUNTS[role]);
  const boss = await apiOf(url, ACCOUNTS.superAdmin);
  const { id } = await boss.first(`/api/users?filter[email]=${ACCOUNTS.locked}`);
  const lock = (isLocked: boolean) =>
    boss.change({ type: 'users', id, attributes: { 'is-locked': isLocked } });
  await lock(false);
  const kept = await storageStateOf({ url }, ACCOUNTS.locked);
  await lock(true);
  return kept;
}

/** What the heading of a row says in `language`. */
export function headingOf({ title: named }: Pick<RouteRow, 'title'>, language: MailLanguage) {
  return typeof named === 'string' ? said(language, named) : named;
}

/** Text of a key, whatever its values are; lists have their number behind it. */
function said(language: MailLanguage, key: Exclude<RouteRow['title'], RegExp>): RegExp {
  const parts = translate(language, key).split(/\{\{\s*\w+\s*\}\}/);
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^\\s*${escaped.join('.+')}\\s*[\\d.,\\s]*$`);
}

/** Loads the address as one who types it, or goes there as by a link within the app. */
export async function visit(page: Page, address: string, way: 'typed' | 'within'): Promise<void> {
  if (way === 'typed') await page.goto(address);
  else await goWithin(page, address);
}

/** Where one is, without the origin. */
const placeOf = (page: Page): string => new URL(page.url()).pathname;

/** Waits for what `role` gets at `row` by the table: the page, or the way away with its message. */
export async function expectOutcome(
  page: Page,
  row: RouteRow,
  facts: Facts,
  role: Role,
  language: MailLanguage = 'en-US',
): Promise<Outcome> {
  const outcome = outcomeOf(row, role);
  const where = `${role} at ${row.at(facts)}`;
  const expectAt = async (path: string, heading: RegExp) => {
    await expect(title(page).first(), where).toHaveText(heading);
    await expect.poll(() => placeOf(page), { message: where }).toBe(path);
    await expect(title(page).first(), where).toHaveText(heading);
  };
  const own = new URL(row.at(facts), 'http://x').pathname;
  switch (outcome.is) {
    case 'page':
      await expectAt(row.leadsTo?.(facts) ?? own, headingOf(row, language));
      break;
    case 'not-found':
      await expectAt(own, said(language, 'status.notFound.title'));
      break;
    case 'led':
      await expectAt(outcome.to, said(language, outcome.title));
      break;
    case 'turned-away': {
      const toast = page.locator('.toast', { hasText: translate(language, outcome.message) });
      await expect(toast.first(), where).toBeVisible();
      await expectAt('/tasks', said(language, 'tasks.title'));
      break;
    }
  }
  return outcome;
}
