import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import { build } from '../../webpack.config.ts';
import { apiOf } from '../end-to-end/api.ts';
import {
  admin,
  builder,
  signIn,
  status,
  untilInstalled,
  untilLoaded,
} from '../end-to-end/people.ts';
import { untilDemoRests } from '../end-to-end/demo-at-rest.ts';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';
import { freshFolder, spawnServer } from '../support/server.ts';
import { takeGuidePictures } from './guide-pictures.ts';

/**
 * `npm run pictures [-- NAME …]`: every screen of the demo in three widths, and wide in each other language, into
 * `docs/screens`; and those of the user's guide, all called `guide`, into `docs/guide/pictures`.
 */

/** Of these alone; all when none is named. */
const wanted = process.argv.slice(2);
const FOLDER = 'docs/screens';
const WIDTHS_PX = [375, 768, 1_280];
const WIDE_PX = 1_280;
const OTHER_LANGUAGES = ['es-419', 'fr-FR'];

/** What is to be done on the page before it is taken. */
type Prepare = (page: Page) => Promise<unknown>;
interface Picture {
  readonly name: string;
  readonly route: string;
  readonly prepare?: Prepare;
}

await build({ ifStale: true });
mkdirSync(FOLDER, { recursive: true });
const { path, env } = await findBrowser();
const server = await spawnServer({ DATA_DIR: freshFolder(), DEMO: '1' });
const browser = await chromium.launch({
  executablePath: path,
  args: BROWSER_FLAGS,
  env: { ...process.env, ...env },
});

try {
  const { project, product, person } = await whatToShow();
  await take(builder, [
    { name: 'tasks', route: '/tasks' },
    { name: 'my-projects', route: '/projects/own' },
    { name: 'organization-projects', route: '/projects/organization' },
    { name: 'search', route: '/projects/all?search=ri' },
    { name: 'archived-projects', route: '/projects/archived' },
    { name: 'new-project', route: '/projects/new' },
    { name: 'project', route: `/projects/${project}` },
    { name: 'edit-project', route: `/projects/${project}/edit` },
    { name: 'product-files', route: `/products/${product}/files` },
    { name: 'product-builds', route: `/products/${product}/builds` },
    { name: 'step', route: `/flow/any/${product}` },
    { name: 'palette', route: '/tasks', prepare: (page) => page.keyboard.press('Control+k') },
    { name: 'shortcuts', route: '/tasks', prepare: (page) => page.keyboard.press('?') },
    { name: 'changes', route: '/tasks', prepare: (page) => status(page).click() },
    { name: 'notifications', route: '/tasks', prepare: pressing('header.notifications') },
    { name: 'person', route: `/users/${person}` },
    { name: 'edit-profile', route: `/users/${person}/edit` },
    { name: 'add-products', route: `/projects/${project}`, prepare: pressing('products.add') },
    { name: 'product-details', route: `/projects/${project}`, prepare: chooseOf('details') },
    { name: 'not-found', route: '/no/such/page' },
  ]);
  await take(admin, [
    { name: 'import', route: '/projects/import', prepare: chooseFile },
    { name: 'active-projects', route: '/projects/active' },
    { name: 'product-properties', route: `/projects/${project}`, prepare: chooseOf('properties') },
    { name: 'rebuild', route: '/projects/organization', prepare: chooseProjects },
  ]);
  await take(
    builder,
    [
      { name: 'my-projects-offline', route: '/projects/own' },
      { name: 'project-offline', route: `/projects/${project}` },
    ],
    { isOffline: true },
  );
  // They change what the pictures above show.
  if (wanted.length === 0 || wanted.includes('guide')) {
    await untilDemoRests(server.url);
    await takeGuidePictures({ browser, url: server.url });
  }
} finally {
  await browser.close();
  await server.stop();
}

interface Shown {
  readonly project: string;
  readonly product: string;
  readonly person: string;
}

/** The builder, and a project of theirs with a product that was built. */
async function whatToShow(): Promise<Shown> {
  const api = await apiOf(server.url, builder);
  let built: Awaited<ReturnType<typeof api.list>>[number] | undefined;
  // The demo builds its first products after the start.
  while (built === undefined) {
    await pause(1_000);
    [built] = await api.list('/api/product-builds?filter[success]=true&page[limit]=1');
  }
  const product = toOne(built, 'product');
  const project = toOne(await api.first(`/api/products/${product}`), 'project');
  const { id: person } = await api.first('/api/users/current-user');
  return { project, product, person };
}

function toOne(record: { readonly relationships?: object } | undefined, name: string): string {
  const to = Reflect.get(record?.relationships ?? {}, name) as { data: { id: string } } | undefined;
  if (to === undefined) throw new Error(`The demo has no ${name} that was built`);
  return to.data.id;
}

async function take(
  account: string,
  all: readonly Picture[],
  { isOffline = false } = {},
): Promise<void> {
  const pictures = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (pictures.length === 0) return;
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signIn(page, server.url, account);
  await untilLoaded(page);
  await untilInstalled(page);
  await context.setOffline(isOffline);
  for (const picture of pictures)
    for (const width of WIDTHS_PX) await takeOne(page, picture, width, `${picture.name}-${width}`);
  if (!isOffline)
    for (const language of OTHER_LANGUAGES) {
      await page.setViewportSize({ width: WIDE_PX, height: 900 });
      await page.goto(`${server.url}/tasks`);
      await page.getByRole('button', { name: /: (English|Español|Français)$/ }).click();
      await page.locator(`[role="menuitemradio"][lang="${language}"]`).click();
      await page.locator(`html[lang="${language}"]`).waitFor();
      for (const picture of pictures)
        await takeOne(page, picture, WIDE_PX, `${picture.name}-${language}`);
    }
  await context.close();
}

async function takeOne(page: Page, picture: Picture, width: number, name: string): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${server.url}${picture.route}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await picture.prepare?.(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  process.stdout.write(`${name}\n`);
}

/** What the page's language says of `key`, up to its first value. */
async function saidOn(page: Page, key: MailTextKey): Promise<string> {
  const language = (await page.locator('html').getAttribute('lang')) as MailLanguage;
  return translate(language, key).split('{{')[0] ?? '';
}

function pressing(key: MailTextKey): Prepare {
  return async (page) => {
    const label = await saidOn(page, key);
    await page.getByRole('button', { name: label }).first().click();
    await page.getByRole('dialog').waitFor();
  };
}

function chooseOf(dialog: 'details' | 'properties'): Prepare {
  return async (page) => {
    const more = await saidOn(page, 'products.menuOf');
    await page
      .locator('[data-record^="products:"]')
      .getByRole('button', { name: more })
      .first()
      .click();
    await page.getByRole('menuitem', { name: await saidOn(page, `products.${dialog}`) }).click();
    await page.getByRole('dialog').waitFor();
  };
}

async function chooseProjects(page: Page): Promise<void> {
  for (const box of (await page.locator('.project-row input').all()).slice(0, 3)) await box.check();
  const label = await saidOn(page, 'projects.bulk.build');
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByRole('button').last().waitFor();
}

async function chooseFile(page: Page): Promise<void> {
  const named = ['Lantern Path', 'Orchard Gate', ''].map((Name) => ({ Name, Language: 'es-419' }));
  await page.locator('input[type="file"]').setInputFiles({
    name: 'projects.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ Projects: named })),
  });
  await page.getByRole('alert').first().waitFor({ state: 'attached' });
}
