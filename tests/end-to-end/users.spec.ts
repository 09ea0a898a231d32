import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { mailedLink } from './mailbox.ts';
import { button, expectState, switchOf, title, untilLoaded, untilSent } from './people.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const newcomer = () => `newcomer-${randomUUID()}@example.org`;
const mainLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });

/** Ben, who administers the team, at its people. */
async function atUsers(world: World, page: Page): Promise<void> {
  await page.goto(`${world.url}/tasks`);
  await untilLoaded(page);
  await mainLink(page, 'Users').click();
  await expect(title(page)).toContainText('Users');
}

async function settingsOf(world: World, page: Page, id: string, part = ''): Promise<void> {
  await page.goto(`${world.url}/users/${id}/settings${part}`);
  await expect(title(page)).toContainText('User settings');
}

test.describe('the people of an organization', () => {
  test('are listed with roles and groups, found by name, and invited by mail [R138, R139, R140, R141, R142]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await atUsers(world, page);
    await expect(rowOf(page, 'Ana')).toContainText('App Builder');
    await expectAccessibleInBoth(page, 'users');
    await page.getByRole('searchbox').fill('be');
    await expect(rowOf(page, 'Ana')).toHaveCount(0);
    await expect(rowOf(page, 'Ben')).toBeVisible();
    await page.getByRole('searchbox').fill('nobody at all');
    await expect(page.getByText('None found')).toBeVisible();
    await page.getByRole('searchbox').fill('');

    const email = newcomer();
    await button(page, 'Invite user').click();
    await button(page, 'Send invite').click();
    await expect(page.getByText('Email is required')).toBeVisible();
    await expectAccessibleInBoth(page, 'the dialog to invite');
    await page.getByLabel(/^Email/).fill(email);
    await switchOf(page, 'Author').click();
    await button(page, 'Send invite').click();
    await expect(page.getByText(`Invite sent to ${email}.`)).toBeVisible();

    const link = await mailedLink(world, email, '/invitations/');
    await page.getByText('Open invites (1)').click();
    await button(page, `Remove the invite of ${email}`).click();
    await expect(page.getByText('Open invites')).toHaveCount(0);
    await untilSent(page);
    await page.goto(link);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'There is no such invitation',
    );
  });

  test('are added by the address that they sign in with, or invited where nobody has it [R143]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await atUsers(world, page);
    await button(page, 'Add by email').click();
    const nobody = newcomer();
    await page.getByLabel(/^Email/).fill(nobody);
    await button(page, 'Add').click();
    await expect(page.getByText('Nobody has an account with that address')).toBeVisible();
    await button(page, 'Invite instead').click();
    await expect(page.getByLabel(/^Email/)).toHaveValue(nobody);
    await button(page, 'Cancel').click();

    await button(page, 'Add by email').click();
    await page.getByLabel(/^Email/).fill(team.ana.email);
    await button(page, 'Add').click();
    await expect(page.getByText('That person is a member already.')).toBeVisible();
    await page.getByLabel(/^Email/).fill(anotherTeam.ana.email);
    await button(page, 'Add').click();
    await expect(page.getByText('is asked whether they stay')).toBeVisible();
    await expect(page.getByText('(not accepted yet)')).toBeVisible();

    // Whoever was added is asked, on every page, and has the answer in hand offline too.
    const anas = await (await browserOf(anotherTeam.ana)).newPage();
    await anas.goto(`${world.url}/tasks`);
    await untilLoaded(anas);
    const question = anas.getByRole('region', { name: /^Do you stay in/ });
    await expect(question).toContainText('Ben added you to');
    await expectAccessibleInBoth(anas, 'the question whether one stays');
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toHaveCount(0);
    await expect(page.getByText('(not accepted yet)')).toHaveCount(0);
  });

  test('leave where they were added unasked, with one question [R143]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await atUsers(world, page);
    await button(page, 'Add by email').click();
    await page.getByLabel(/^Email/).fill(anotherTeam.ana.email);
    await button(page, 'Add').click();
    const anas = await (await browserOf(anotherTeam.ana)).newPage();
    await anas.goto(`${world.url}/tasks`);
    const question = anas.getByRole('region', { name: /^Do you stay in/ });
    await question.getByRole('button', { name: 'Leave…' }).click();
    await anas.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await expect(question).toHaveCount(0);
    await expect(page.getByText('(not accepted yet)')).toHaveCount(0);
  });

  test('are locked out and let in again, whatever they have open [R154, R240, R404]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    const anas = await (await browserOf(team.ana)).newPage();
    await anas.goto(`${world.url}/tasks`);
    await untilLoaded(anas);
    await atUsers(world, page);
    await expect(page.getByRole('checkbox', { name: 'Ben is active' })).toBeDisabled();
    const box = page.getByRole('checkbox', { name: 'Ana is active' });
    await box.click();
    await expect(page.getByText('Ana is locked')).toBeVisible();
    await expect(title(anas)).toHaveText('User is not Active');
    await box.click();
    await expect(page.getByText('Ana is unlocked')).toBeVisible();
    await expect(box).toBeChecked();
    await expect(title(anas)).not.toHaveText('User is not Active');
  });

  test('are no page for who administers nothing [R47]', async ({ world, page }) => {
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await expect(mainLink(page, 'Users')).toHaveCount(0);
    await page.goto(`${world.url}/users`);
    await expect(page.getByText('You are not allowed to do that.')).toBeVisible();
    await expect(title(page)).toContainText('My tasks');
  });
});

test.describe('the settings of a person', () => {
  test('give and take roles at once, at the other’s screen too, with a way back [R151, R300]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    const anas = await (await browserOf(team.ana)).newPage();
    await anas.goto(`${world.url}/tasks`);
    await untilLoaded(anas);
    await settingsOf(world, page, team.ana.id, '/roles');
    await expectAccessibleInBoth(page, 'roles of a person');
    const role = switchOf(page, 'Organization Admin');
    await role.click();
    await expect(page.getByText('Ana added to role')).toBeVisible();
    await expect(mainLink(anas, 'Users')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(role).not.toBeChecked();
    await expect(mainLink(anas, 'Users')).toHaveCount(0);

    await settingsOf(world, page, team.ben.id, '/roles');
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expect(page.getByRole('main')).toContainText('Organization Admin');
  });

  test('take nobody out of a group whose projects are theirs [R152]', async ({
    world,
    team,
    browserOf,
  }) => {
    await team.project('Harvest');
    const page = await (await browserOf(team.ben)).newPage();
    await settingsOf(world, page, team.ana.id, '/groups');
    const group = switchOf(page, /^Group/);
    await expect(group).toBeChecked();
    await group.click();
    await expect(page.getByText('Ana owns projects of this group: Harvest')).toBeVisible();
    await expect(group).toBeChecked();
    const aki = await team.join('Aki', []);
    await settingsOf(world, page, aki.id, '/groups');
    // Aki's membership may reach the page before the group's does, which is written after it.
    await expect(group).toBeChecked();
    await group.click();
    await expect(page.getByText('Aki removed from group')).toBeVisible();
    await expect(group).not.toBeChecked();
  });

  test('changed offline say that they are not in force, and are once they are sent [R151]', async ({
    world,
    team,
    browserOf,
  }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await settingsOf(world, page, team.ana.id, '/roles');
    await expect(switchOf(page, 'Author')).toBeVisible();
    await page.context().setOffline(true);
    await expectState(page, 'offline');
    await switchOf(page, 'Author').click();
    await expect(page.getByText('Not yet in force')).toHaveCount(1);
    await switchOf(page, 'App Builder').click();
    await expect(page.getByText('Not yet in force')).toHaveCount(2);
    await expectAccessibleInBoth(page, 'roles of a person, offline');
    await page.context().setOffline(false);
    await untilSent(page);
    await expect(page.getByText('Not yet in force')).toHaveCount(0);
    const roles = await team.api.list(`/api/user-roles?filter[user-id]=${team.ana.id}`);
    expect(roles.map(({ attributes }) => attributes?.['role-name'])).toEqual(['Author']);
  });

  test('end a membership once what the person owns has other owners', async ({
    world,
    team,
    browserOf,
  }) => {
    const projects = [await team.project('Harvest'), await team.project('Psalms')];
    const aki = await team.join('Aki', []);
    const page = await (await browserOf(team.ben)).newPage();
    await settingsOf(world, page, team.ana.id, '/roles');
    await button(page, 'End membership…').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'End membership' })).toBeDisabled();
    await expectAccessibleInBoth(page, 'the dialog that ends a membership');
    await dialog.getByLabel('All to').selectOption({ label: 'Aki' });
    await dialog.getByLabel('New owner of Psalms').selectOption({ label: 'Ben' });
    await dialog.getByRole('button', { name: 'End membership' }).click();
    await expect(dialog).toHaveCount(0);
    await untilSent(page);
    for (const [n, owner] of [aki, team.ben].entries()) {
      const path = `/api/projects/${projects[n] ?? ''}/relationships/owner`;
      expect((await team.api.first(path)).id).toBe(owner.id);
    }
    await atUsers(world, page);
    await expect(rowOf(page, 'Ana')).toHaveCount(0);
  });

  test('let a member leave, who then has no organization', async ({ world, team, browserOf }) => {
    const aki = await team.join('Aki', ['Author']);
    const page = await (await browserOf(aki)).newPage();
    await settingsOf(world, page, aki.id, '/groups');
    await button(page, 'Leave…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.goto(`${world.url}/tasks`);
    await expect(title(page)).toHaveText('Organization Membership is Required');
  });

  test('show to members without rights what they may see [R149, R153]', async ({
    world,
    team,
    page,
  }) => {
    await page.goto(`${world.url}/users/${team.ben.id}/settings`);
    await expect(title(page)).toHaveText('User settings: Ben');
    await page.getByRole('link', { name: 'Organization Roles' }).click();
    await expect(page.getByRole('main')).toContainText('Organization Admin');
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'End membership…' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Group Memberships' }).click();
    await expect(page.getByRole('switch')).toHaveCount(0);
  });
});
