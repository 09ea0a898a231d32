import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { apiOf } from '../end-to-end/api.ts';
import {
  admin,
  builder,
  button,
  openPanel,
  rename,
  signIn,
  status,
  switchOf,
  title,
  untilInstalled,
  untilLoaded,
} from '../end-to-end/people.ts';

const FOLDER = 'docs/guide/pictures';
const WINDOW = { width: 1_024, height: 660 };
/** For pages with two columns. */
const WIDE = { width: 1_280, height: 760 };
const PHONE = { width: 375, height: 480 };
const superAdmin = 'super@slipway.test';

interface Camera {
  readonly browser: Browser;
  /** Where the demo is. */
  readonly url: string;
}

/** Takes the pictures of the user's guide at the demo of `camera.url`, into `docs/guide/pictures`. */
export async function takeGuidePictures(camera: Camera): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const signedOut = await openPage(camera, null);
  await signedOut.goto(`${camera.url}/login`);
  await save(signedOut, 'sign-in', { width: 640, height: 500 });
  await signedOut.context().close();

  await takeForMembers(camera);
  await takeForAdmins(camera);
  await takeForSuperAdmins(camera);
  await takeDownloadPage(camera);
  await takeWithoutConnection(camera);
}

async function takeForMembers(camera: Camera): Promise<void> {
  const page = await openPage(camera, builder);
  const api = await apiOf(camera.url, builder);

  await visit(page, camera, '/tasks');
  await save(page, 'tasks');

  await visit(page, camera, '/projects/new');
  await page.getByLabel(/^Name/).fill('Lantern Path');
  await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
  await page.getByLabel('Description').fill('A walk through the town after dark.');
  await save(page, 'new-project');

  const product = await productIn(api, 'Verify and Publish');
  await visit(page, camera, `/projects/${projectOf(product)}`);
  await page.getByRole('region', { name: 'Repository' }).getByText('Version 1').waitFor();
  await save(page, 'project', WIDE);
  await visit(page, camera, `/flow/any/${product.id}`);
  await button(page, 'Approve').waitFor();
  await save(page, 'step', { ...WIDE, height: 1_000 });

  await visit(page, camera, `/projects/${projectOf(await productIn(api, 'Readiness Check'))}`);
  await button(page, 'Add products').click();
  await saveDialog(page, 'add-products');
  await page.context().close();
}

async function takeForAdmins(camera: Camera): Promise<void> {
  const page = await openPage(camera, admin);
  await visit(page, camera, '/users');
  await button(page, 'Invite user').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('nadia@example.org');
  await dialog.locator('label').filter({ hasText: 'App Builder' }).click();
  await dialog.locator('label').filter({ hasText: 'Lakeside North' }).click();
  await saveDialog(page, 'invite-user');

  await visit(page, camera, '/users');
  await page.getByRole('link', { name: 'Miguel Santos' }).click();
  await page.getByRole('link', { name: 'Organization Roles' }).click();
  await switchOf(page, 'Organization Admin').waitFor();
  await save(page, 'roles', { height: 490 });

  await page.getByRole('link', { name: 'Organization settings' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Products', exact: true }).click();
  await page.getByRole('switch', { name: 'PWA to Cloud Provider' }).waitFor();
  await save(page, 'organization-products', { height: 760 });
  await page.getByRole('main').getByRole('link', { name: 'Groups', exact: true }).click();
  await button(page, 'Add group').waitFor();
  await save(page, 'groups', { height: 500 });
  await page.context().close();
}

async function takeForSuperAdmins(camera: Camera): Promise<void> {
  const page = await openPage(camera, superAdmin);
  await visit(page, camera, '/admin/settings/organizations');
  const lakeside = page.getByRole('row', { name: /Lakeside Press/ });
  await lakeside.getByRole('button').click();
  await lakeside.getByText('Ada Lindqvist').waitFor();
  await save(page, 'organizations', { height: 490 });

  const asked = 'name=Northshore+Texts&orgAdminEmail=office%40northshore.example.org';
  await visit(page, camera, `/admin?${asked}&websiteUrl=https%3A%2F%2Fnorthshore.example.org`);
  await save(page, 'invite-organization', { height: 560 });

  await visit(page, camera, '/admin/settings/organizations');
  await page.getByRole('link', { name: 'Stores of Lakeside Press' }).click();
  await page.getByRole('switch', { name: 'slipway_web' }).waitFor();
  await save(page, 'organization-stores', { height: 530 });

  await visit(page, camera, '/admin/package-names');
  await page.getByRole('button', { name: 'Move test.lakeside.tides' }).click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await save(page, 'move-package-name', { height: 760 });
  await page.context().close();
}

async function takeDownloadPage(camera: Camera): Promise<void> {
  const api = await apiOf(camera.url, builder);
  const found = await api.list('/api/products?page[limit]=500');
  const links = found.map(({ attributes }) => String(attributes?.['publish-link']));
  const address = links.find((link) => link.endsWith('/html'));
  if (address === undefined) throw new Error('The demo has published no site');
  const page = await openPage(camera, null);
  await page.setViewportSize(PHONE);
  await page.goto(`${camera.url}${new URL(address).pathname}`);
  await save(page, 'download', PHONE);
  await page.context().close();
}

/** A change that waits, and one that somebody else has made as well. */
async function takeWithoutConnection(camera: Camera): Promise<void> {
  const page = await openPage(camera, builder);
  const api = await apiOf(camera.url, builder);
  const project = await api.first(`/api/projects/${projectOf(await productIn(api, 'Approval'))}`);
  const projectName = String(project.attributes?.name);
  await visit(page, camera, `/projects/${project.id}`);
  await untilInstalled(page);
  // By now every part of the form is on the device.
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.context().setOffline(true);
  await rename(page, `${projectName} by Night`);
  await expect(status(page)).toHaveAttribute('data-state', 'offline');
  await openPanel(page);
  await save(page, 'changes-waiting');
  await page.keyboard.press('Escape');

  const name = `${projectName} in Spring`;
  await (
    await apiOf(camera.url, admin)
  ).change({ type: 'projects', id: project.id, attributes: { name } });
  await page.context().setOffline(false);
  await expect(status(page)).toHaveAttribute('data-state', 'attention');
  await openPanel(page);
  await button(page, 'Keep mine').waitFor();
  await save(page, 'changes-need-you');
  await page.context().close();
}

type Api = Awaited<ReturnType<typeof apiOf>>;
type Product = Awaited<ReturnType<Api['first']>>;

/** A product of the builder's whose workflow is at `state`. */
async function productIn(api: Api, state: string): Promise<Product> {
  const products = await api.list('/api/products?page[limit]=500');
  const found = products.find(({ attributes }) => attributes?.['workflow-state'] === state);
  if (found === undefined) throw new Error(`The demo has no product at ${state}`);
  return found;
}

const projectOf = ({ relationships }: Product): string =>
  (relationships?.project as { readonly data: { readonly id: string } }).data.id;

/** A page of `account`, or of nobody, that stands still. */
async function openPage({ browser, url }: Camera, account: string | null): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: WINDOW,
  });
  const page = await context.newPage();
  if (account === null) return page;
  await signIn(page, url, account);
  await untilLoaded(page);
  return page;
}

async function visit(page: Page, { url }: Camera, path: string): Promise<void> {
  await page.setViewportSize(WINDOW);
  await page.goto(`${url}${path}`);
  await title(page).waitFor();
  await untilLoaded(page);
  await page.waitForLoadState('networkidle');
}

/** Messages cover what the pictures are of. */
async function closeMessages(page: Page): Promise<void> {
  const messages = page.getByRole('button', { name: /^Close: / });
  for (const message of await messages.all()) await message.click();
  await expect(messages).toHaveCount(0);
}

async function save(page: Page, name: string, size: Partial<typeof WINDOW> = {}): Promise<void> {
  await page.setViewportSize({ ...WINDOW, ...size });
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await write(name, await page.screenshot());
}

/** The dialog alone. */
async function saveDialog(page: Page, name: string): Promise<void> {
  await write(name, await page.getByRole('dialog').screenshot());
}

/** Few colours are enough for a screen, and take a third of the bytes. */
async function write(name: string, picture: Buffer): Promise<void> {
  const small = await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toBuffer();
  writeFileSync(join(FOLDER, `${name}.png`), small);
  process.stdout.write(`${name} ${String(Math.ceil(small.length / 1_000))} kB\n`);
}
