import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expectState, title, untilInstalled, untilLoaded, untilSent } from './people.ts';
import { commandsOf, requestApproval } from './products.ts';
import { test } from './world.ts';

test('an admin approves what waits for approval together, each as a step of its own, and its owner sees it move on [screens 5] [R56]', async ({
  world,
  team,
  page,
  browserOf,
}) => {
  const products = await requestApproval(world, team, ['Harvest', 'River']);
  await page.goto(`${world.url}/tasks`);
  const handed = page.getByRole('rowgroup', { name: 'Handed to others (2)' });
  await expect(handed.getByText('Waiting for Ben')).toHaveCount(2);

  const bens = await (await browserOf(team.ben)).newPage();
  await bens.goto(`${world.url}/tasks`);
  const group = bens.getByRole('rowgroup', { name: 'To approve (2)' });
  await expect(group.getByRole('link', { name: 'Harvest' })).toBeVisible();
  await expectAccessible(bens, 'tasks in groups');
  await bens.getByRole('checkbox', { name: 'Select all to approve' }).check();
  await bens.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = bens.getByRole('dialog', { name: 'Approve together' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(bens, 'what is approved together');
  await dialog.getByRole('button', { name: 'Approve 2 tasks' }).click();
  await expect(bens.getByText('2 tasks approved')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(group).toHaveCount(0);

  await expect(handed).toHaveCount(0);
  for (const product of products) {
    const steps = await commandsOf(team.api, product);
    expect(steps.filter(([given]) => given === 'Approve')).toEqual([['Approve', null]]);
  }
});

test('an admin filters what waits without a connection, goes from one to the next within that, and keeps it as a view [screens 5]', async ({
  world,
  team,
  browserOf,
}) => {
  await requestApproval(world, team, ['Harvest', 'River', 'Stone'], { Harvest: 'fr', Stone: 'fr' });
  const page = await (await browserOf(team.ben)).newPage();
  await page.goto(`${world.url}/tasks`);
  await untilLoaded(page);
  await untilInstalled(page);
  const projects = page.locator('.task-project a');
  await expect(projects).toHaveCount(3);

  await page.context().setOffline(true);
  await expectState(page, 'offline');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('checkbox', { name: /French/ }).check();
  await expectAccessible(page, 'the filters of tasks');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(projects).toHaveText(['Harvest', 'Stone']);
  await expect(page.getByText('The filters hide 1 task.')).toBeVisible();

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel(/^Name/).fill('French tasks');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(title(page)).toContainText('French tasks');

  await page.locator('.task-definition').first().click();
  await expect(page).toHaveURL(/\/flow\/.*\?language=fr/);
  await expect(page).toHaveTitle(/Harvest/);
  await page.getByRole('link', { name: 'Next task' }).click();
  await expect(page).toHaveTitle(/Stone/);
  await page.getByRole('link', { name: 'Next task' }).click();
  await expect(page).toHaveTitle(/Harvest/);
  const trail = page.getByRole('navigation', { name: 'You are here' });
  await trail.getByRole('link', { name: 'My tasks' }).click();
  await expect(title(page)).toContainText('French tasks');
  await expect(projects).toHaveText(['Harvest', 'Stone']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(projects).toHaveCount(3);

  await page.context().setOffline(false);
  await untilSent(page);
  await page.reload();
  await page.getByRole('link', { name: 'French tasks' }).click();
  await expect(page).toHaveURL(/\/tasks\?language=fr&view=/);
  await expect(projects).toHaveText(['Harvest', 'Stone']);
});
