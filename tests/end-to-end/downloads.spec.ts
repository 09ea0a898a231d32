import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { apiOf } from './api.ts';
import { test } from './demo.ts';
import { builder, openProject, title, untilInstalled, untilLoaded } from './people.ts';

interface Published {
  readonly product: string;
  readonly project: string;
  /** The download page. */
  readonly path: string;
}

/** A site of the builder's that the demo has published. */
async function publishedIn(url: string): Promise<Published> {
  const api = await apiOf(url, builder);
  for (const { id, attributes, relationships } of await api.list('/api/products?page[limit]=500')) {
    const link = attributes?.['publish-link'];
    if (typeof link !== 'string' || !link.endsWith('/html')) continue;
    const project = (relationships?.project as { readonly data: { readonly id: string } }).data.id;
    return { product: id, project, path: new URL(link).pathname };
  }
  throw new Error('The demo has published no site');
}

test.describe('the download page of a product', () => {
  test('leads strangers to the file alone, with no script but the door', async ({ page, demo }) => {
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await page.goto((await publishedIn(demo.url)).path);
    await expect(page.locator('a[data-file]')).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('link', { name: 'Open the project' })).toHaveCount(0);
    expect(scripts).toEqual(['/download-door.js']);
  });

  for (const width of [375, 1_280])
    test(`fits into ${width} px, and axe finds nothing, light and dark`, async ({ page, demo }) => {
      await page.setViewportSize({ width, height: 800 });
      const { path } = await publishedIn(demo.url);
      await page.goto(path);
      await expectAccessibleInBoth(page, path);
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(needed).toBeLessThanOrEqual(width);
      const code = page.getByRole('img', { name: 'QR code of this page' });
      await expect(code).toBeVisible({ visible: width > 767 });
    });

  test.describe('for who is signed in', () => {
    test.use({ account: builder });

    test('is reached from the product, and leads back to its project', async ({ page, demo }) => {
      const { product, project, path } = await publishedIn(demo.url);
      await page.goto(`${demo.url}/products/${product}/files`);
      const site = page.getByRole('region', { name: 'Site' });
      // The site was published while the demo was made, by a server at another port.
      const address = (await site.getByRole('link').getAttribute('href')) ?? '';
      expect(new URL(address).pathname).toBe(path);
      await expect(site.getByRole('img', { name: `QR code of ${address}` })).toBeVisible();
      await page
        .context()
        .route(address, (route) =>
          route.fulfill({ status: 302, headers: { location: `${demo.url}${path}` } }),
        );
      const opening = page.waitForEvent('popup');
      await site.getByRole('link').click();
      const opened = await opening;
      await opened.getByRole('link', { name: 'Open the project' }).click();
      await opened.waitForURL(`${demo.url}/projects/${project}`);
      await expect(title(opened)).toBeVisible();
    });

    test('has its code on paper without what is around it', async ({ page, demo }) => {
      await page.goto(`${demo.url}/products/${(await publishedIn(demo.url)).product}/files`);
      const code = page.getByRole('region', { name: 'Site' }).locator('svg');
      await expect(code).toBeVisible();
      await page.emulateMedia({ media: 'print' });
      await expect(code).toBeVisible();
      await expect(page.locator('.shell-header')).toBeHidden();
      await expect(page.locator('.shell-sidebar')).toBeHidden();
    });
  });
});

test.describe('a project with a name from right to left', () => {
  test.use({ account: builder });
  /** In a line from left to right its last bracket would stand at the other end. */
  const NAME = 'قصص النهر 2 (تجربة)';

  test('is read from right to left wherever its name stands', async ({ page, demo }) => {
    const { product, project } = await publishedIn(demo.url);
    const api = await apiOf(demo.url, builder);
    const { attributes } = await api.first(`/api/projects/${project}`);
    const rename = (name: unknown) =>
      api.change({ type: 'projects', id: project, attributes: { name } });
    await rename(NAME);
    try {
      await openProject(page, demo.url, project);
      await expect(title(page)).toHaveText(NAME);
      await expectLeftward(title(page), NAME);
      expect(await page.title()).toContain(`\u2068${NAME}\u2069 · Slipway`);
      await page.goto(`${demo.url}/products/${product}/files`);
      await expectLeftward(page.getByRole('navigation', { name: 'You are here' }), NAME);
      await page.goto(`${demo.url}/projects/own?sort=-name`);
      await expectLeftward(page.getByRole('link', { name: NAME }), NAME);
      await page.goto(`${demo.url}/directory/${project}`);
      await expectLeftward(title(page), NAME);
      await page.goto((await publishedIn(demo.url)).path);
      await expectLeftward(title(page), NAME);
    } finally {
      await rename(attributes?.name);
    }
  });
});

/** The last character of `text` stands at the left of its first. */
async function expectLeftward(within: Locator, text: string): Promise<void> {
  await expect(within).toContainText(text);
  const [first, last] = await within.evaluate((element, name) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node = texts.nextNode();
    while (node !== null && !(node.textContent ?? '').includes(name)) node = texts.nextNode();
    if (node === null) throw new Error('The name is in pieces');
    const start = (node.textContent ?? '').indexOf(name);
    const leftOf = (at: number): number => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [leftOf(start), leftOf(start + name.length - 1)];
  }, text);
  expect(last).toBeLessThan(first);
}

test.describe('the app', () => {
  test.use({ account: builder });

  test('can be installed, as Chromium sees it', async ({ page, demo }) => {
    await page.goto(`${demo.url}/tasks`);
    await untilLoaded(page);
    await untilInstalled(page);
    expect(await installabilityErrors(page)).toEqual([]);
  });
});

async function installabilityErrors(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors: errors } = await session.send('Page.getInstallabilityErrors');
  return errors.map(({ errorId }) => errorId);
}
