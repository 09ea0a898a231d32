import { expect } from '@playwright/test';
import type { Browser, Locator, Page } from '@playwright/test';
import { freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { apiOf } from './api.ts';
import { builder, signIn } from './people.ts';
import { testWithServers as test } from './world.ts';

const superAdmin = 'super@slipway.test';
const REASON = 'The agreement was given for another app.';

test.describe('[16.3] a workflow that hangs', () => {
  let server: SpawnedServer;

  test.beforeAll(async () => {
    server = await spawnServer({ DATA_DIR: freshFolder(), DEMO: '1' });
  });
  test.afterAll(async () => {
    await server.kill();
  });

  test('is moved by a super admin, while its owner and another admin look on [R108, R296]', async ({
    browser,
  }) => {
    const { product, project } = await aProductAt('Approval');

    const owner = await visitor(browser, builder);
    await owner.goto(`${server.url}/projects/${project.id}`);
    const card = owner.locator(`[data-record="products:${product}"]`);
    await expect(card.getByText('Approval', { exact: true })).toBeVisible();
    await expect(card.getByRole('link', { name: /^Workflow/ })).toHaveCount(0);

    const other = await visitor(browser, superAdmin);
    await other.goto(`${server.url}/admin/workflows/${product}`);
    await other.getByRole('button', { name: 'Look at Lakeside Press' }).click();
    await expect(presentIn(other)).toHaveAccessibleName(/^Approval\./);

    const page = await visitor(browser, superAdmin);
    await page.getByRole('button', { name: 'All organizations' }).click();
    await page.getByRole('button', { name: 'Lakeside Press' }).click();
    await page.getByRole('link', { name: 'Organization projects' }).click();
    await page.getByRole('searchbox').fill(project.name);
    await page.locator(`[data-record="projects:${project.id}"]`).getByRole('link').first().click();
    const opened = page.waitForEvent('popup');
    await page
      .locator(`[data-record="products:${product}"]`)
      .getByRole('link', { name: /^Workflow/ })
      .click();
    const view = await opened;
    await expect(presentIn(view)).toHaveAccessibleName(/^Approval\./);
    await move(view, 'Readiness check');

    for (const one of [view, other]) {
      await expect(presentIn(one)).toHaveAccessibleName(/^Readiness check\./);
      await expect(one.getByRole('row').filter({ hasText: REASON })).toContainText('Approval');
    }
    await expect(card.getByText('Readiness check', { exact: true })).toBeVisible();
    await card.getByRole('link', { name: /^Continue/ }).click();
    await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Readiness check');
    await expect(owner.getByText(REASON)).toBeVisible();
  });

  async function aProductAt(state: string) {
    const api = await apiOf(server.url, superAdmin);
    const products = await api.list('/api/products?page[limit]=500');
    const product = products.find(({ attributes }) => attributes?.['workflow-state'] === state);
    const { data } = product?.relationships?.project as { readonly data: { readonly id: string } };
    const { id, attributes } = await api.first(`/api/projects/${data.id}`);
    return { product: product?.id ?? '', project: { id, name: attributes?.name as string } };
  }

  async function visitor(browser: Browser, email: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await signIn(page, server.url, email);
    return page;
  }
});

/** The state that the workflow is in. */
function presentIn(page: Page): Locator {
  return page.locator('.machine-state[aria-current="step"]');
}

async function move(page: Page, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Move to state…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move the workflow' });
  await dialog.getByLabel(/^State/).selectOption({ label: to });
  await dialog.getByLabel(/^Reason/).fill(REASON);
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText(`Moved to “${to}”`)).toBeVisible();
}
