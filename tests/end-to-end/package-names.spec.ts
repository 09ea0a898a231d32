import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { expectAccessibleInBoth } from './accessible.ts';
import { title, untilLoaded } from './people.ts';
import { superAdmin, test } from './world.ts';
import type { Team, World } from './world.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** A package name that the team's organization holds. */
async function claimed({ parts: { db } }: World, { organization }: Team): Promise<string> {
  const name = `org.moved.n${randomUUID().replaceAll('-', '')}`;
  await db.transact((tx) =>
    tx.query(sql`insert into package_names (name, organization_id, since)
      values (${name}, ${organization}, now())`),
  );
  return name;
}

/** Gives the team's organization a name that no other one has. */
async function renamed({ api, organization }: Team, word: string): Promise<string> {
  const name = `${word} ${randomUUID().slice(0, 8)}`;
  await api.change({ type: 'organizations', id: organization, attributes: { name } });
  return name;
}

async function openSettings(world: World, page: Page, { organization }: Team): Promise<void> {
  await page.goto(`${world.url}/organizations/${organization}/settings/products`);
  await untilLoaded(page);
  await expect(page.getByRole('heading', { name: 'Package names', exact: true })).toBeVisible();
}

test.describe('[16.4] a package name', () => {
  test('is found and moved by a super admin by keyboard, which both sides and the audit log tell', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const [from, to] = [await renamed(team, 'Seller'), await renamed(anotherTeam, 'Buyer')];
    const name = await claimed(world, team);
    const [bens, theirs] = [
      await (await browserOf(team.ben)).newPage(),
      await (await browserOf(anotherTeam.ben)).newPage(),
    ];
    await openSettings(world, bens, team);
    await expect(row(bens, name)).toHaveCount(1);
    await openSettings(world, theirs, anotherTeam);
    await expect(row(theirs, name)).toHaveCount(0);

    const context = await browserOf(await superAdmin(world, team));
    const page = await context.newPage();
    await page.goto(`${world.url}/admin/settings/stores`);
    await untilLoaded(page);
    await page
      .getByRole('navigation', { name: 'Parts of the admin settings' })
      .getByRole('link', { name: 'Package names' })
      .click();
    await expect(title(page)).toContainText('Package names');
    await page.getByRole('searchbox').fill(from.toUpperCase());
    await expect(row(page, name)).toContainText(from);
    await expectAccessibleInBoth(page, 'the list of package names');
    await page.setViewportSize({ width: 375, height: 800 });
    await expectAccessibleInBoth(page, 'the list of package names on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      375,
    );
    await page.setViewportSize({ width: 1280, height: 800 });

    const move = page.getByRole('button', { name: `Move ${name}` });
    await move.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('combobox', { name: /^New organization/ })).toBeFocused();
    await page.keyboard.type(to);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('combobox', { name: /^New organization/ })).toHaveValue(to);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Sold with all rights');
    await expectAccessibleInBoth(page, 'the dialog that moves a package name');
    await context.setOffline(true);
    await expect(dialog.getByText('Needs a connection')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Move' })).toBeDisabled();
    await context.setOffline(false);
    await expect(dialog.getByRole('button', { name: 'Move' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Move' }).press('Enter');
    await expect(page.getByText(`${name} belongs to ${to} now`)).toBeVisible();
    await page.getByRole('searchbox').fill(name);
    await expect(row(page, name)).toContainText(to);
    await expect(row(page, name)).toContainText('Moved: Sold with all rights');

    for (const [side, says] of [
      [bens, `${name} does not belong to ${from} any more`],
      [theirs, `${name} belongs to ${to} now`],
    ] as const) {
      await side.getByRole('button', { name: /notifications/i }).click();
      const line = side.getByRole('dialog').getByText(says);
      await expect(line).toBeVisible();
      await expect(side.getByRole('dialog')).toContainText('Sold with all rights');
      await expect(side.getByRole('dialog')).not.toContainText(side === bens ? to : from);
      await side.keyboard.press('Escape');
    }
    await openSettings(world, bens, team);
    await expect(row(bens, name)).toHaveCount(0);
    await openSettings(world, theirs, anotherTeam);
    await expect(row(theirs, name)).toHaveCount(1);
    await expectAccessibleInBoth(theirs, 'the package names of an organization');

    await page.goto(`${world.url}/admin/audit?kind=package-name-given`);
    await expect(page.getByRole('table', { name: 'Audit log' })).toContainText(name);
    await bens.goto(`${world.url}/organizations/${team.organization}/settings/audit`);
    const told = bens.getByRole('table', { name: 'Audit log' });
    await expect(told).toContainText(`Package name: ${name}`);
    await expect(told).not.toContainText(to);
  });

  test('that is moved back is the former holder’s again, on every screen that is open', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const [from, to] = [await renamed(team, 'Keeper'), await renamed(anotherTeam, 'Taker')];
    const name = await claimed(world, team);
    const admin = await superAdmin(world, team);
    const [page, second] = [
      await (await browserOf(admin)).newPage(),
      await (await browserOf(await superAdmin(world, anotherTeam))).newPage(),
    ];
    for (const one of [page, second]) {
      await one.goto(`${world.url}/admin/package-names?search=${name}`);
      await expect(row(one, name)).toContainText(from);
    }
    const move = async (holder: string) => {
      await page.getByRole('button', { name: `Move ${name}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').fill(holder);
      await dialog.getByRole('option', { name: holder }).click();
      await dialog.getByLabel(/^Reason/).fill('As agreed');
      await dialog.getByRole('button', { name: 'Move' }).click();
      await expect(page.getByText(`${name} belongs to ${holder} now`)).toBeVisible();
      await expect(row(page, name)).toContainText(holder);
    };
    // Somebody who still sees the former holder is told of the new one before anything happens.
    await second.getByRole('button', { name: `Move ${name}` }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('combobox').fill(to);
    await dialog.getByRole('option', { name: to }).click();
    await dialog.getByLabel(/^Reason/).fill('Mine');
    await move(to);
    await expect(dialog).toContainText(`it now belongs to ${to}`, { timeout: 15_000 });
    await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await move(from);
    await expect(row(second, name)).toContainText(from, { timeout: 15_000 });
  });

  test('is nothing that admins of an organization move, nor a list that they see whole', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/admin/package-names`);
    await expect(page.getByText('You are not allowed to do that.')).toBeVisible();
  });
});
