import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import english from '#text/en-US.json' with { type: 'json' };
import { pseudo } from '../support/pseudo.ts';
import { apiOf } from './api.ts';
import type { Api } from './api.ts';
import { test } from './demo.ts';
import { status, title } from './people.ts';
import { lookAt, speakPseudo } from './pseudo-texts.ts';
import { storageStateOf } from './storage-state.ts';

/** The narrowest and the usual width. */
const WIDTHS_PX = [375, 1_280];
const superAdmin = 'super@slipway.test';

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
  for (const tag of LANGUAGE_TAGS) known.add(languages.of(tag) ?? tag);
  // Who signed what the app is made of is told by the build.
  add(JSON.parse(readFileSync('dist/open-source.json', 'utf8')));
  const isKnown = (text: string) => known.has(text) || NO_LANGUAGE.some((one) => one.test(text));
  return (text) =>
    isKnown(text) ||
    text.split(/, | · |: /).every((part) =>
      isKnown(
        part
          .trim()
          .replace(/^[(:]+|[)]$/g, '')
          .trim(),
      ),
    );
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
    'system-statuses',
  ],
];

type Key = keyof typeof english;

const ORGANIZATION = '/api/organizations?sort=name';

/** The texts of buttons, of which each opens a menu, a form or a dialog on its page. */
const OPENS: Readonly<Record<string, readonly Key[]>> = {
  '/users': ['users.invite', 'users.addByEmail'],
  '/projects/ID': ['project.addAuthor', 'project.addReviewer'],
  '/users/ID/settings/roles': ['users.membership.end'],
  '/organizations/ID/settings/groups': ['org.addGroup'],
  '/admin/settings/store-types/ID/edit': ['admin.settings.remove'],
};

/** An example of each address of the app. */
async function addressesIn(api: Api): Promise<readonly string[]> {
  const first = async (path: string): Promise<string> => (await api.first(path)).id;
  const organization = await first(ORGANIZATION);
  const project = await first('/api/projects?sort=name');
  const product = await first('/api/products');
  const user = await first('/api/users?filter[email]=builder@lakeside.test');
  const areas = ['workflow-definitions', 'product-definitions', 'stores', 'store-types'];
  return [
    ...['/tasks', '/projects/own', '/projects/organization', '/projects/all', '/projects/active'],
    ...['/projects/archived', '/projects/new', '/projects/import', `/projects/${project}`],
    ...[`/projects/${project}/edit`, `/products/${product}/files`, '/directory'],
    ...[`/directory/${project}`, '/users', `/users/${user}`, `/users/${user}/edit`, '/account'],
    ...['', '/roles', '/groups'].map((part) => `/users/${user}/settings${part}`),
    ...['', '/user-setup', '/products', '/stores', '/groups', '/infrastructure', '/audit'].map(
      (part) => `/organizations/${organization}/settings${part}`,
    ),
    ...[`/flow/any/${product}`, '/form/author-upload', '/admin', '/admin/audit', '/admin/jobs'],
    '/admin/package-names',
    ...['', '/new', `/${organization}/edit`, `/${organization}/stores`].map(
      (part) => `/admin/settings/organizations${part}`,
    ),
    ...(
      await Promise.all(
        areas.map(async (area) => [
          `/admin/settings/${area}`,
          `/admin/settings/${area}/new`,
          `/admin/settings/${area}/${await first(`/api/${area}`)}/edit`,
        ]),
      )
    ).flat(),
    ...['/admin/settings/build-engines', `/admin/workflows/${product}`, '/no/such/page'],
    ...['/login', '/open-source', '/verify-email', '/not-active-user'],
    ...['/organization-membership-changed', '/request-access-for-organization'],
    ...['/request-access-for-organization/success', '/invitations/missing-token'],
    ...['/invitations/organization/token', '/invitations/organization-membership/token'],
  ];
}

/** What stands around every page. */
const AROUND: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the panel of changes': (page) => status(page).click(),
  'the palette': (page) => page.keyboard.press('Control+k'),
  'the list of shortcuts': (page) => page.keyboard.press('?'),
  notifications: (page) =>
    page.getByRole('button', { name: pseudo(english['header.notifications']).slice(0, 8) }).click(),
};

/** The button that says `key`, `name` in it. */
function opener(page: Page, key: Key, name = ''): Locator {
  const says = pseudo(english[key]).replace('{{name}}', name);
  return page.getByRole('button', { name: says, exact: true }).first();
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

test('nothing is hard-coded and nothing is cut off where every text is longer and in brackets', async ({
  demo,
  browser,
}) => {
  test.setTimeout(560_000);
  const api = await apiOf(demo.url, superAdmin);
  const isData = await dataOf(api);
  const found: string[] = [];
  const context = await browser.newContext({
    baseURL: demo.url,
    storageState: await storageStateOf(demo, superAdmin),
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await speakPseudo(page);
  const openAt = async (address: string): Promise<void> => {
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto(address);
    await expect(title(page)).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
  };
  // Of an organization that is not in view a super admin's device has no settings to show.
  await openAt('/admin/settings/organizations');
  const { name } = (await api.first(ORGANIZATION)).attributes ?? {};
  await opener(page, 'admin.settings.organizations.switchTo', String(name)).click();
  await expect(page.getByRole('complementary').first()).toContainText(String(name));

  for (const address of await addressesIn(api)) {
    await openAt(address);
    const where = address.replaceAll(/[0-9a-f-]{36}/g, 'ID');
    await look(page, where, isData, found);
    for (const key of OPENS[where] ?? []) {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await opener(page, key).click();
      await look(page, `${where}, ${key}`, isData, found);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  }
  for (const [what, open] of Object.entries(AROUND)) {
    await openAt('/tasks');
    await open(page);
    await look(page, what, isData, found);
  }

  // The same look finds what is planted.
  await openAt('/tasks');
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
  await context.close();
  const byText = new Map<string, string[]>();
  for (const each of found) {
    const [text = '', where = ''] = each.split(' | ');
    byText.set(text, [...(byText.get(text) ?? []), where]);
  }
  expect(
    [...byText].map(([text, where]) => `${text} | ${[...new Set(where)].slice(0, 3).join(' ')}`),
  ).toEqual([]);
});
