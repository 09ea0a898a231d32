import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { button, title, untilLoaded } from './people.ts';
import { superAdmin, test } from './world.ts';
import type { World } from './world.ts';

const entries = (page: Page) =>
  page
    .getByRole('table', { name: 'Audit log' })
    .getByRole('row')
    .filter({ has: page.locator('td') });

async function open(world: World, page: Page, path: string): Promise<void> {
  await page.goto(`${world.url}${path}`);
  await expect(title(page)).toBeVisible();
  await untilLoaded(page);
}

test.describe('[16.4] the audit log', () => {
  test('shows admins what was done in their organization, in plain words, and nothing of others', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await team.api.change({ type: 'users', id: team.ana.id, attributes: { 'is-locked': true } });
    await team.api.change({ type: 'users', id: team.ana.id, attributes: { 'is-locked': false } });
    await anotherTeam.api.change({
      type: 'organizations',
      id: anotherTeam.organization,
      attributes: { name: 'Unheard of' },
    });
    await open(world, page, `/organizations/${team.organization}/settings`);
    await page
      .getByRole('navigation', { name: 'Parts of the organization settings' })
      .getByRole('link', { name: 'Audit log' })
      .click();
    const first = entries(page).first();
    await expect(first).toContainText('A person was let in again.');
    await expect(first).toContainText('Ben');
    await expect(first).toContainText(/Locked out: On.*Off/);
    await expect(page.getByRole('main')).not.toContainText('Unheard of');
    await expectAccessibleInBoth(page, 'the audit log of an organization');

    await page.getByLabel('Kind').selectOption('A person was locked out.');
    await expect(page).toHaveURL(/kind=user-locked/);
    await expect(entries(page)).toHaveCount(1);
    await page.reload();
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page).first()).toContainText(/Locked out: Off.*On/);
    await entries(page).first().getByRole('link', { name: 'Ana' }).click();
    await expect(page).toHaveURL(new RegExp(`/users/${team.ana.id}$`));

    // Another organization's log is not to be had by typing its address.
    await page.goto(`${world.url}/organizations/${anotherTeam.organization}/settings/audit`);
    await expect(page.getByText(/You are not (allowed|a member)/).first()).toBeVisible();
    await page.goto(`${world.url}/admin/audit`);
    await expect(page.getByText('You are not allowed to do that.')).toBeVisible();
  });

  test('shows super admins all of it, by days, on a phone too, and saves it as a CSV', async ({
    world,
    team,
    browserOf,
  }) => {
    await team.api.change({
      type: 'organizations',
      id: team.organization,
      attributes: { name: '=Riverside()' },
    });
    const context = await browserOf(await superAdmin(world, team));
    const page = await context.newPage();
    await open(world, page, '/admin/settings/organizations');
    await page
      .getByRole('navigation', { name: 'Parts of the admin settings' })
      .getByRole('link', { name: 'Audit log' })
      .click();
    await expect(title(page)).toHaveText('Audit log');
    await expect(page.getByRole('main')).toContainText('127.0.0.1');
    await expectAccessibleInBoth(page, 'the audit log');
    await page.getByLabel('Kind').selectOption('Settings were changed.');
    await page.getByLabel('First day').fill('2000-01-01');
    // Rows that are still those of the choice before move away from under the pointer.
    await expect(page.locator('.audit-log [aria-busy]')).toHaveAttribute('aria-busy', 'false');
    const row = entries(page)
      .filter({ hasText: 'Settings were changed.' })
      .filter({ hasText: 'Name:' })
      .filter({ hasText: '=Riverside()' });
    await row.getByRole('button', { name: /^Only what was done to/ }).click();
    await expect(page).toHaveURL(new RegExp(`record=${team.organization}`));
    await expect(entries(page)).toHaveCount(1);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save as CSV').click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n').length).toBe(3);
    expect(text).toContain(`"'=Riverside()"`);
    await expect(page.getByText('1 entry is in the file')).toBeVisible();

    await page.setViewportSize({ width: 375, height: 800 });
    await expectAccessibleInBoth(page, 'the audit log on a phone');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(375);

    await context.setOffline(true);
    await expect(page.getByText('Needs a connection')).toBeVisible();
    await expect(page.getByLabel('Kind')).toBeDisabled();
    await expect(entries(page)).toHaveCount(1);
    await context.setOffline(false);
    await expect(page.getByLabel('Kind')).toBeEnabled();
    await button(page, 'Clear filters').click();
    await expect(entries(page)).not.toHaveCount(1);
  });
});
