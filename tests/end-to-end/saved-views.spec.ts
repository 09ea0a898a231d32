import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expectState, title, untilInstalled, untilLoaded, untilSent } from './people.ts';
import { test } from './world.ts';

test('a view saved without a connection is in the sidebar after a reload, and shared it reaches a colleague', async ({
  world,
  team,
  page,
  browserOf,
}) => {
  await team.project('Harvest', { language: 'fr' });
  await team.project('Lantern', { language: 'en' });
  const names = page.locator('.project-name > a');
  await page.goto(`${world.url}/projects/own`);
  await untilLoaded(page);
  await untilInstalled(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('checkbox', { name: /French/ }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Save view' })).toBeVisible();

  await page.context().setOffline(true);
  await expectState(page, 'offline');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel(/^Name/).fill('French ones');
  await expectAccessible(page, 'the form of a saved view');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const link = page.getByRole('link', { name: 'French ones' });
  await expect(link).toBeVisible();
  await expect(title(page)).toContainText('French ones');
  await expectAccessible(page, 'a saved view');

  await page.getByRole('link', { name: 'My projects' }).click();
  await expect(names).toHaveText(['Harvest', 'Lantern']);
  await page.reload();
  await link.click();
  await expect(names).toHaveText(['Harvest']);
  await expect(page).toHaveTitle(/French ones/);

  await page.context().setOffline(false);
  await expectState(page, 'saved');
  await page.getByRole('button', { name: 'View: French ones' }).click();
  await page.getByRole('menuitem', { name: /^Share in/ }).click();
  await untilSent(page);
  const bens = await (await browserOf(team.ben)).newPage();
  await bens.goto(`${world.url}/tasks`);
  await bens.getByRole('link', { name: 'French ones' }).click();
  await expect(bens).toHaveURL(/\/projects\/own\?language=fr&view=/);
  await expect(title(bens)).toContainText('French ones');
});
