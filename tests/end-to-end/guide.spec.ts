import { expect } from '@playwright/test';
import { test } from './world.ts';
import { openProject, title, untilHelpIsHere } from './people.ts';

/** Covers the help of `src/server/http/help` on a device, by `src/service-worker.ts`. */

const MEMBERS = '/help/guide/members';

test('the user’s guide opens without a connection after the first visit of the app, with its pictures [wire 13.3]', async ({
  page,
  world,
  harvest,
}) => {
  await openProject(page, world.url, harvest);
  await untilHelpIsHere(page);

  world.proxy.setOpen(false);
  await page.goto(`${world.url}${MEMBERS}`);
  await expect(title(page)).toHaveText('For members');
  await expect(page.getByText('This guide is in English.')).toBeVisible();
  for (const picture of await page.getByRole('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100);
  }
  expect(await page.getByRole('img').count()).toBeGreaterThan(5);

  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await expect(title(page)).toHaveText('Help');
  await page.getByRole('main').getByRole('link').first().click();
  await expect(title(page)).toHaveText('User’s guide');
  await page.getByRole('link', { name: 'For operators' }).first().click();
  await expect(title(page)).toHaveText('For operators');
});
