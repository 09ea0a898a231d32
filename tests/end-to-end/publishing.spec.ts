import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { androidAppAt, siteOf } from '../support/android-app.ts';
import { bringAndroidTools } from '../support/android-tools.ts';
import { freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { filesOfZip, zipOfFiles } from '../support/zips.ts';
import { builder, projectIdAt, signIn, untilSent } from './people.ts';
import { testWithServers as test } from './world.ts';

const author = 'author@lakeside.test';

/** What the project is made of: two languages, and what makes an app of them. */
const content = zipOfFiles({
  'en/index.md': '# River Stories\n\nThe heron stands still.\n\n[Onward](second.md)\n',
  'en/second.md': '# The second story\n\nThe boat is gone.\n',
  'es/index.md': '# Cuentos del río\n\nLa garza no se mueve.\n',
  'app.json': JSON.stringify({
    name: { en: 'River Stories', es: 'Cuentos del río' },
    description: { en: 'Stories of the river', es: 'Cuentos del río' },
    color: '#0a5aa8',
  }),
});

/** From nothing to a published file, as people do it: by what they can see. */
test.describe('a project comes to be published [R1, R2]', () => {
  let server: SpawnedServer;

  test.beforeAll(async () => {
    test.setTimeout(10 * 60_000);
    await bringAndroidTools();
    server = await spawnServer({ DATA_DIR: freshFolder(), DEMO: '1' });
  });
  test.afterAll(async () => {
    await server.kill();
  });

  test('as a web app that opens without a network [R8, R104]', async ({ browser }) => {
    const page = await visitor(browser, builder);
    const project = await newProject(page, 'River Stories');
    await upload(page);
    await addAuthor(page, 'Aurore Petit');
    await addProduct(page, 'PWA to Cloud Provider', 'slipway_web');

    await give(page, 'River Stories', 'Transfer to Authors', 'Please look it over.');
    const others = await visitor(browser, author);
    await give(others, 'River Stories', 'Continue');
    await give(page, 'River Stories', 'Continue');
    await give(page, 'River Stories', 'Approve');

    await page.goto(`${server.url}/projects/${project}`);
    const files = await unzipped(browser, page);
    await opensOffline(browser, files, 'River Stories');
  });

  for (const [definition, store, file] of [
    ['HTML Site to Cloud Provider', 'slipway_web', 'index.html'],
    ['Asset Package to Amazon S3 Bucket', 'slipway_files', 'manifest.json'],
  ] as const)
    test(`with ${definition}, from the sample`, async ({ browser }) => {
      const page = await visitor(browser, builder);
      const name = `Published with ${file}`;
      const project = await newProject(page, name);
      await page.getByRole('button', { name: 'Start from a sample' }).click();
      await expect(page.getByText('Version 1')).toBeVisible();
      await addProduct(page, definition, store);
      await give(page, name, 'Continue');
      await give(page, name, 'Approve');

      await page.goto(`${server.url}/projects/${project}`);
      expect([...(await unzipped(browser, page)).keys()]).toContain(file);
    });

  test('as an app for phones, in its languages', async ({ browser }) => {
    const page = await visitor(browser, builder);
    const project = await newProject(page, 'Stories for phones');
    await upload(page);
    await addProduct(page, 'Android App to Amazon S3 Bucket (No Admin)', 'slipway_files');
    await give(page, 'Stories for phones', 'Continue');
    await give(page, 'Stories for phones', 'Approve');

    await page.goto(`${server.url}/projects/${project}`);
    const app = await androidAppAt(await download(browser, page));
    expect(app).toMatchObject({ versionCode: 1, versionName: '1.0', permissions: [] });
    expect(app.names).toMatchObject({ en: 'River Stories', es: 'Cuentos del río' });
    expect(app.schemes).toContain('v2');
    expect([...siteOf(app).keys()]).toContain('en/second.html');
  });

  async function visitor(browser: Browser, email: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await signIn(page, server.url, email);
    return page;
  }

  async function newProject(page: Page, name: string): Promise<string> {
    await page.getByRole('link', { name: 'Add project' }).click();
    await page.getByLabel(/^Name/).fill(name);
    await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const id = await projectIdAt(page);
    await expect(page.getByRole('button', { name: 'Start from a sample' })).toBeVisible();
    return id;
  }

  async function upload(page: Page): Promise<void> {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a zip file' }).click();
    const file = { name: 'river.zip', mimeType: 'application/zip', buffer: content };
    await (await choosing).setFiles(file);
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByText('Version 1')).toBeVisible();
  }
});

async function addAuthor(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add author' }).click();
  await page.getByRole('combobox', { name: /^Person/ }).fill(name.slice(0, 3));
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('button', { name: `Remove ${name} from the authors` })).toBeVisible();
}

async function addProduct(page: Page, definition: string, store: string): Promise<void> {
  await page.getByRole('button', { name: 'Add products' }).click();
  await page.getByRole('dialog').getByRole('button', { name: definition }).click();
  await page.getByRole('dialog').getByRole('button', { name: store }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await untilSent(page);
}

/** Opens one's task for the project's product once it comes, and gives the command. */
async function give(page: Page, project: string, command: string, comment = ''): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: /^My tasks/ }).click();
  const row = page.getByRole('row').filter({ hasText: project });
  await row.locator('[href^="/flow/"]').click();
  if (comment !== '') await page.getByLabel(/^Comment/).fill(comment);
  await page.getByRole('button', { name: command, exact: true }).click();
  await untilSent(page);
}

/** The file that a visitor who is not signed in gets at the address on the product's card. */
async function download(browser: Browser, page: Page): Promise<string> {
  const address = await page
    .getByRole('main')
    .getByRole('link', { name: /^Open/ })
    .first()
    .getAttribute('href');
  const visitor = await (await browser.newContext({ acceptDownloads: true })).newPage();
  await visitor.goto(address ?? '');
  const downloading = visitor.waitForEvent('download');
  await visitor.locator('a[data-file]').click();
  return (await downloading).path();
}

const unzipped = async (browser: Browser, page: Page): Promise<Map<string, Buffer>> =>
  filesOfZip(await download(browser, page));

/** Serves the files as any host would, opens them, and again once the network is gone. */
async function opensOffline(
  browser: Browser,
  files: ReadonlyMap<string, Buffer>,
  title: string,
): Promise<void> {
  const host = await serve(files);
  const { port } = host.address() as AddressInfo;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${String(port)}/`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  host.closeAllConnections();
  host.close();
  await page.reload();
  await expect(page.getByRole('heading', { name: title }).first()).toBeVisible();
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webmanifest': 'application/manifest+json',
};

function serve(files: ReadonlyMap<string, Buffer>): Promise<Server> {
  const host = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname).slice(1);
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const bytes = files.get(name);
    response.writeHead(bytes === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
    });
    response.end(bytes);
  });
  return new Promise((done) =>
    host.listen(0, () => {
      done(host);
    }),
  );
}
