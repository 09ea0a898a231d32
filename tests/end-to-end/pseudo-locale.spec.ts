import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { secondFactorPath } from '#protocol/second-factor.ts';
import type { SecondFactorState } from '#protocol/second-factor.ts';
import english from '#text/en-US.json' with { type: 'json' };
import { pseudo } from '../support/pseudo.ts';
import { apiOf } from './api.ts';
import type { Api } from './api.ts';
import { test } from './demo.ts';
import { status, title } from './people.ts';
import { lookAt, speakPseudo } from './pseudo-texts.ts';
import { ACCOUNTS, factsOf } from './route-facts.ts';
import { ROWS } from './route-table.ts';
import type { Role, RouteRow } from './route-table.ts';
import { contextOf } from './route-visits.ts';

/** The narrowest and the usual width. */
const WIDTHS_PX = [375, 1_280];
/** What the server says of somebody whose second factor is on. */
const SECOND_FACTOR: SecondFactorState = {
  on: true,
  since: '2026-11-02T08:00:00.000Z',
  recoveryCodes: 10,
  passkeys: 1,
};

const languages = new Intl.DisplayNames(['en-US'], { type: 'language' });
const UNITS = '(second|minute|hour|day|week|month|year)s?';
/**
 * What is in no language of the texts: the product's name, languages by their own names, and what the
 * browser says by itself in the language that is asked for: times, sizes and numbers.
 */
const NO_LANGUAGE = [
  // The name of a package.
  /^[a-z]\w*(\.[a-z]\w*){2,}$/,
  /^Slipway$/,
  /^(English|Español|Français)$/,
  /^[\d\s.,:;·|/()+%#@…–−→×-]*$/,
  new RegExp(`^(in )?\\d+ ${UNITS}( ago)?$`),
  /^(today|yesterday|tomorrow|now|this (minute|hour))$/,
  /^\d+(\.\d+)? (byte|kB|MB|GB)s?$/,
  /^[A-Z][a-z]{2} \d+, \d{4}(, \d+:\d+ [AP]M)?$/,
  /^\d+:\d\d:\d\d [AP]M$|^\d+\.\ds$/,
  /^\(GMT([+−-][\d:]+)?\) [\w/+-]+$/,
  /^(Ctrl|Enter|Esc|Tab|Shift|Alt|[⌘⇧]|[A-Za-z?])$/,
  /^https?:\/\/|^[\w.-]+@[\w.-]+$|^[\d.]+$/,
];

/** All texts that people or the demo typed, as the server tells them to a super admin. */
async function dataOf(api: Api): Promise<(text: string) => boolean> {
  const known = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') known.add(value.replaceAll(/\s+/g, ' ').trim());
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
  };
  for (const type of TYPES)
    for (const { id, attributes } of await api.list(`/api/${type}?page[limit]=500`)) {
      add(id);
      add(attributes);
    }
  for (const { attributes } of await api.list('/api/product-transitions?page[limit]=500'))
    add(attributes?.comment);
  // Names that were given before stand in the audit log alone.
  for (const { attributes } of await api.list('/api/audit-events?page[limit]=500'))
    for (const side of ['before', 'after'] as const)
      add((attributes?.[side] as Readonly<Record<string, unknown>> | null)?.name);
  for (const tag of LANGUAGE_TAGS) known.add(languages.of(tag) ?? tag);
  // Who signed what the app is made of is told by the build.
  add(JSON.parse(readFileSync('dist/open-source.json', 'utf8')));
  const isKnown = (text: string) => known.has(text) || NO_LANGUAGE.some((one) => one.test(text));
  const isSentence = (text: string) =>
    text.split(/, |: /).every((part) =>
      isKnown(
        part
          .trim()
          .replace(/^[(:]+|[)]$/g, '')
          .trim(),
      ),
    );
  // A date has a comma of its own.
  return (text) =>
    isKnown(text) || text.split(' · ').every((part) => isKnown(part) || isSentence(part));
}

const LANGUAGE_TAGS = ['en', 'es', 'fr', 'qu', 'sw', 'pt', 'ar', 'hi', 'de'];

const TYPES = [
  ...['organizations', 'users', 'groups', 'projects', 'products', 'product-definitions'],
  ...['workflow-definitions', 'stores', 'store-types', 'store-languages', 'application-types'],
  ...[
    'product-artifacts',
    'product-builds',
    'product-publications',
    'reviewers',
    'saved-views',
    'system-statuses',
  ],
];

type Key = keyof typeof english;

/**
 * The texts of buttons, of which each opens a menu, a form or a dialog on pages of its pattern; of
 * several, those before the last are what is clicked first.
 */
const OPENS: Readonly<Record<string, readonly (readonly Key[])[]>> = {
  '/projects/all': [
    ['projectTable.selectAll', 'projects.bulk.build', 'projects.bulk.buildModal.which'],
    ['projects.filter', 'productStatus.published', 'projectFilters.done', 'views.save'],
  ],
  '/builds': [
    ['builds.figures.title'],
    // Those of each chart.
    ['charts.figures'],
    ['charts.figures'],
    ['charts.figures'],
  ],
  '/products/:productId/builds': [['charts.figures']],
  '/users': [['users.invite'], ['users.addByEmail']],
  '/projects/:projectId': [
    ['project.addAuthor'],
    ['project.addReviewer'],
    ['products.add'],
    ['project.products.popup.removeTitle'],
  ],
  '/users/:userId/settings': [['users.secondFactor.reset']],
  '/users/:userId/settings/roles': [['users.membership.end']],
  '/organizations/:orgId/settings/groups': [['org.addGroup']],
  '/admin/settings/store-types/:recordId/edit': [['admin.settings.remove']],
  '/admin/workflows/:productId': [['workflow.move']],
};

/** Returns what is opened at a row; rows of one pattern have it opened at the first of them only. */
const openedAt = (row: RouteRow): readonly (readonly Key[])[] =>
  ROWS.find(({ pattern }) => pattern === row.pattern) === row ? (OPENS[row.pattern] ?? []) : [];

/** Who looks at a row: a super admin with its organization in view sees all that an admin does, and more. */
const viewerOf = ({ as }: RouteRow): Role => (as === 'admin' ? 'superAdmin' : as);
const PAGES = ROWS.filter(({ kind }) => kind === 'app');
const VIEWERS = [...new Set(PAGES.map(viewerOf))];

/** What stands around every page. */
const AROUND: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the panel of changes': (page) => status(page).click(),
  'the palette': (page) => page.keyboard.press('Control+k'),
  'the list of shortcuts': (page) => page.keyboard.press('?'),
  notifications: (page) =>
    page.getByRole('button', { name: pseudo(english['header.notifications']).slice(0, 8) }).click(),
};

/** The button, box or summary that says `key`; of what is unfolded already none. */
function opener(page: Page, key: Key): Locator {
  const named = { name: pseudo(english[key]), exact: true };
  const [hasText = ''] = named.name.split('{{');
  return page
    .getByRole('button', named)
    .or(page.getByRole('checkbox', named))
    .or(page.locator('details:not([open]) > summary', { hasText }))
    .first();
}

/** Looks at the page in each width, and gives what is wrong to `found`. */
async function look(
  page: Page,
  where: string,
  isData: (text: string) => boolean,
  found: string[],
): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    const { unsaid, cut } = await lookAt(page, isData);
    found.push(
      ...unsaid.map((text) => `hard-coded: ${text} | ${where}`),
      ...cut.map((text) => `cut off at ${String(width)}: ${text} | ${where}`),
    );
  }
}

const DESK = { width: 1_280, height: 800 };

async function openAt(page: Page, address: string): Promise<void> {
  await page.setViewportSize(DESK);
  await page.goto(address);
  await expect(title(page).first()).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

test('nothing is hard-coded and nothing is cut off where every text is longer and in brackets', async ({
  demo,
  browser,
}) => {
  test.setTimeout(800_000);
  const api = await apiOf(demo.url, ACCOUNTS.superAdmin);
  const isData = await dataOf(api);
  const found: string[] = [];
  const facts = await factsOf(demo.url);
  const pageOf = async (role: Role): Promise<Page> => {
    const context = await contextOf(browser, demo.url, role, {
      organization: facts.organization,
      hasServiceWorker: false,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await speakPseudo(page);
    // Nobody of the demo has a second factor.
    await page.route(`**${secondFactorPath('*')}`, (route) =>
      route.fulfill({ json: SECOND_FACTOR }),
    );
    return page;
  };

  expect(PAGES.map(({ pattern }) => pattern)).toEqual(expect.arrayContaining(Object.keys(OPENS)));
  for (const role of VIEWERS) {
    const page = await pageOf(role);
    for (const row of PAGES.filter((each) => viewerOf(each) === role)) {
      const where = `${role} at ${row.pattern}`;
      await openAt(page, row.at(facts));
      await look(page, where, isData, found);
      for (const keys of openedAt(row)) {
        await page.setViewportSize(DESK);
        for (const key of keys) await opener(page, key).click();
        await expect(page.locator('.skeleton')).toHaveCount(0);
        await look(page, `${where}, ${keys.join(', ')}`, isData, found);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
    }
    await page.context().close();
  }
  const admins = await pageOf('admin');
  await openAt(admins, '/tasks');
  for (const key of ['tasks.approve.selectAll', 'commands.approve'] as const)
    await opener(admins, key).click();
  await look(admins, 'what is approved together', isData, found);
  await admins.context().close();
  const page = await pageOf('superAdmin');
  for (const [what, open] of Object.entries(AROUND)) {
    await openAt(page, '/tasks');
    await open(page);
    await look(page, what, isData, found);
  }

  // The same look finds what is planted.
  await openAt(page, '/tasks');
  await page.evaluate(() => {
    const planted = document.createElement('div');
    planted.textContent = 'Planted in English';
    planted.style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap';
    document.querySelector('main')?.append(planted);
  });
  const { unsaid, cut } = await lookAt(page, isData);
  expect([unsaid, cut].map((all) => all.filter((one) => one.startsWith('Planted')).length)).toEqual(
    [1, 1],
  );
  await page.context().close();
  const byText = new Map<string, string[]>();
  for (const each of found) {
    const [text = '', where = ''] = each.split(' | ');
    byText.set(text, [...(byText.get(text) ?? []), where]);
  }
  expect(
    [...byText].map(([text, where]) => `${text} | ${[...new Set(where)].slice(0, 3).join(' ')}`),
  ).toEqual([]);
});
