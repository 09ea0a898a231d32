import { expect } from '@playwright/test';
import { projectIdAt, title, untilInstalled, untilLoaded, untilSent } from './people.ts';
import { expectOnce } from './sending.ts';
import { test } from './world.ts';

test.describe('[fault 40] a new release that removed the scripts of an open tab', () => {
  test('offers to reload, and keeps the text of the form', async ({ page, world, team }) => {
    const project = await team.project('Harvest');
    // Without the worker that keeps the files of older builds.
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
    });
    await page.goto(`${world.url}/projects/${project}/edit`);
    await page.getByLabel(/^Name/).fill('Typed before the release');
    await untilLoaded(page);

    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    world.proxy.decide(({ url }) =>
      url.startsWith('/static/') ? { status: 404, body: 'Gone' } : 'pass',
    );
    await page.getByRole('link', { name: 'Harvest' }).first().click();
    await expect(page.getByText('This part of the app could not be loaded')).toBeVisible();
    world.proxy.reset();
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(title(page)).toHaveText(/Harvest/);
    await page.getByRole('link', { name: /edit/i }).click();
    await expect(page.getByLabel(/^Name/)).toHaveValue('Typed before the release');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await projectIdAt(page);
    await untilSent(page);
    await expectOnce(world, project, 1);
  });
});

test.describe('the first visit', () => {
  test('is enough to open any screen offline', async ({ page, world }) => {
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    await untilInstalled(page);
    world.proxy.setOpen(false);
    await page.getByRole('link', { name: 'My tasks' }).click();
    await expect(title(page)).toHaveText('My tasks');
    await page.getByRole('link', { name: 'Add project' }).first().click();
    await expect(page.getByLabel(/^Name/)).toBeVisible();
  });
});
