import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expectState, expectWaiting } from './people.ts';
import { begin, content, HTML } from './products.ts';
import { test } from './world.ts';

test('a comment written without a connection reaches whom it mentions, who is led to it', async ({
  world,
  team,
  page,
  browserOf,
}) => {
  const { product } = await begin(world, team, HTML, {
    content,
    state: 'App Builder Configuration',
  });
  const bens = await (await browserOf(team.ben)).newPage();
  await bens.goto(`${world.url}/tasks`);
  await page.goto(`${world.url}/products/${product}/files`);
  const field = page.getByRole('textbox', { name: /^Comment on/ });
  await expect(field).toBeVisible();
  await page.context().setOffline(true);
  await expectState(page, 'offline');
  await field.fill('Please look at chapter two, @ben');
  await field.press('End');
  await page.getByRole('option', { name: 'Ben' }).click();
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const line = page.getByRole('list', { name: 'Activity' }).getByText('Please look at chapter two');
  await expect(line).toBeVisible();
  await expectWaiting(page, 1);
  await expectAccessible(page, 'a comment that waits');
  await page.context().setOffline(false);
  await expectState(page, 'saved');

  await bens.getByRole('button', { name: /Notifications/ }).click();
  await bens.getByRole('link', { name: /mentioned you/ }).click();
  await expect(bens).toHaveURL(/\/activity\?product=.*#comment-/);
  const read = bens.locator('.activity-line.is-sought');
  await expect(read).toContainText('Please look at chapter two, @Ben');
  await expect(read).toBeFocused();
  await expectAccessible(bens, 'the activity of a product');
});

test('a comment is sent by one click while people are offered, and nobody is once one is chosen', async ({
  world,
  team,
  page,
}) => {
  const { product } = await begin(world, team, HTML, {
    content,
    state: 'App Builder Configuration',
  });
  await page.goto(`${world.url}/products/${product}/files`);
  const field = page.getByRole('textbox', { name: /^Comment on/ });
  const offered = page.getByRole('listbox', { name: 'People of the project' }).getByRole('option');
  const send = page.getByRole('button', { name: 'Comment', exact: true });
  const lines = page.getByRole('list', { name: 'Activity' });
  await field.fill('Thank you, @ben');
  await expect(offered).toHaveText(['Ben']);
  await send.click();
  await expect(lines.getByText('Thank you, @ben')).toBeVisible();
  await expect(offered).toHaveCount(0);

  await field.fill('And you, @be');
  await offered.click();
  await expect(field).toHaveValue('And you, @Ben ');
  // Also where the caret comes by there once more.
  await field.press('ArrowLeft');
  await field.press('End');
  await expect(offered).toHaveCount(0);
  await send.click();
  await expect(lines.getByText('And you, @Ben')).toBeVisible();
});
