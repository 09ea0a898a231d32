import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import type { Api } from './api.ts';
import { invite } from './asked-online.ts';
import { mailedLink } from './mailbox.ts';
import { button, PASSWORD, title, untilInstalled } from './people.ts';
import { superAdmin, test } from './world.ts';
import type { Team, World } from './world.ts';

const newcomer = () => `newcomer-${randomUUID()}@example.org`;

/** A super admin, at the server itself. */
async function superAdminOf(world: World, team: Team): Promise<Api> {
  return team.apiOf(await superAdmin(world, team));
}

/** At the provider's page: makes an account, and confirms its address by the mailed link. */
async function signUp(page: Page, world: World, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Nadia Newcomer');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Create account').click();
  await expect(title(page)).toHaveText('Check your email');
  await page.goto(await mailedLink(world, email, '/oidc/'));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Confirm my address').click();
  await page.getByRole('link', { name: 'Go to Slipway' }).click();
  await button(page, 'Sign in').click();
}

async function fillInAtProvider(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Sign in').click();
}

test.describe('an invitation to an organization', () => {
  test('lets in somebody who had no account: from the mail to work that they may do [R14, R164, R165]', async ({
    world,
    team,
    browser,
  }) => {
    const email = newcomer();
    await invite(team, email, { 'role-names': ['AppBuilder'], 'group-ids': [team.group] });
    const page = await (await browser.newContext()).newPage();
    await page.goto(await mailedLink(world, email, '/invitations/'));
    await expect(page.getByText('You have an invitation.')).toBeVisible();
    await button(page, 'Sign in').click();
    await signUp(page, world, email);
    // The provider may still know who signed up.
    await page.waitForURL(/organization-membership-changed|\/oidc\//);
    if (page.url().includes('/oidc/')) await fillInAtProvider(page, email);

    await expect(title(page)).toHaveText('Organization Membership has Changed');
    await button(page, 'Continue').click();
    await expect(title(page)).toContainText('My tasks');
    await page.getByRole('banner').getByRole('link', { name: 'Add project' }).click();
    await expect(title(page)).toHaveText('New project');
    await page.context().close();
  });

  test('is used once: who comes after is told so, and why other links do not work [R248, R264, R386]', async ({
    world,
    team,
    page,
  }) => {
    const email = newcomer();
    await invite(team, email);
    const link = await mailedLink(world, email, '/invitations/');
    await page.goto(link);
    await expect(title(page)).toHaveText('Organization Membership has Changed');
    await page.goto(link);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('has been used already');
    await expectAccessibleInBoth(page, 'a used invitation');

    await page.goto(`${world.url}/invitations/organization-membership/nothing`);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'There is no such invitation',
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(title(page)).toContainText('My tasks');

    const another = newcomer();
    await invite(team, another, { 'expires-at': new Date(Date.now() + 60_000).toISOString() });
    const late = await mailedLink(world, another, '/invitations/');
    world.aheadMs = 120_000;
    await page.goto(late);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('has expired');
    world.aheadMs = 0;
    await page.goto(`${world.url}/invitations/organization-membership`);
    await expect(title(page)).toHaveText('Not Found!');
  });

  test('that finds no server goes on by itself, and is accepted once [R164]', async ({
    world,
    team,
    page,
  }) => {
    const email = newcomer();
    await invite(team, email);
    const link = await mailedLink(world, email, '/invitations/');
    await page.goto(`${world.url}/tasks`);
    await untilInstalled(page);
    world.proxy.setOpen(false);
    await page.goto(link);
    await expect(page.getByRole('main').getByRole('status')).toContainText(
      'The server is not answering',
    );
    await expectAccessibleInBoth(page, 'an invitation without an answer');
    world.proxy.reset();
    await expect(title(page)).toHaveText('Organization Membership has Changed');
  });
});

test.describe('an invitation to create an organization', () => {
  async function inviteOwner(world: World, team: Team, email: string): Promise<string> {
    const boss = await superAdminOf(world, team);
    await boss.add({
      type: 'organization-invites',
      id: randomUUID(),
      attributes: { 'owner-email': email, name: 'Northshore', url: 'https://northshore.test' },
    });
    return mailedLink(world, email, '/invitations/organization/');
  }

  test('makes one of which they are the owner, which is in view then [R162, R402]', async ({
    world,
    browser,
    team,
  }) => {
    const email = newcomer();
    const link = await inviteOwner(world, team, email);
    const page = await (await browser.newContext()).newPage();
    await page.goto(link);
    await expect(title(page)).toHaveText('Create your organization');
    await expectAccessibleInBoth(page, 'the invitation, signed out');
    await button(page, 'Sign in to continue').click();
    await signUp(page, world, email);
    await page.waitForURL(/\/invitations\/|\/oidc\//);
    if (page.url().includes('/oidc/')) await fillInAtProvider(page, email);

    await expect(page.getByLabel(/^Name/)).toHaveValue('Northshore');
    await expect(page.getByLabel('Website URL')).toHaveValue('https://northshore.test');
    await page.getByLabel(/^Name/).fill('  ');
    await button(page, 'Add Organization').click();
    await expect(page.getByText('Name is required')).toBeVisible();
    await page.getByLabel(/^Name/).fill('Northshore Texts');
    await expectAccessibleInBoth(page, 'the form of an organization');
    await button(page, 'Add Organization').click();
    await expect(page.getByText('Organization created successfully!')).toBeVisible();
    await expect(title(page)).toContainText('My tasks');
    await expect(page.getByRole('complementary')).toContainText('Northshore Texts');
    const boss = await superAdminOf(world, team);
    const name = encodeURIComponent('Northshore Texts');
    const founded = await boss.list(`/api/organizations?filter[name]=${name}`);
    expect(founded.map(({ attributes }) => attributes?.['website-url'])).toEqual([
      'https://northshore.test',
    ]);

    await page.goto(link);
    await button(page, 'Add Organization').click();
    await expect(page.getByRole('alert').filter({ hasText: 'used already' })).toBeVisible();
    await page.context().close();
  });

  test('without its token says that the link is not complete [R163]', async ({ world, page }) => {
    await page.goto(`${world.url}/invitations/organization`);
    await expect(title(page)).toHaveText('The link is not complete');
    await page.goto(`${world.url}/invitations/missing-token?token=some`);
    await expect(title(page)).toHaveText('Not Found!');
  });
});

test.describe('access for an organization', () => {
  test('is requested without an account, and leads to an invitation [R15, R39, R166, R167, R172, R263, R423]', async ({
    world,
    team,
    browserOf,
    browser,
  }) => {
    const sue = await superAdmin(world, team);
    const boss = await team.apiOf(sue);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${world.url}/login`);
    await page.getByRole('link', { name: 'Request access' }).click();
    await expect(title(page)).toHaveText('Request Organization Invite');
    await button(page, 'Submit').click();
    for (const message of ['Name', 'Admin email', 'Website URL'])
      await expect(page.getByText(`${message} is required`)).toBeVisible();
    await expect(page.getByLabel('Organization name')).toBeFocused();
    await expectAccessibleInBoth(page, 'the request with mistakes');

    const email = newcomer();
    await page.getByLabel('Organization name').fill('Northshore Texts');
    await page.getByLabel('Admin email').fill('office');
    await page.getByLabel('Website URL').fill('northshore.test');
    await expect(page.getByText('is not an email address')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Organization name')).toHaveValue('Northshore Texts');
    await page.getByLabel('Admin email').fill(email);
    await button(page, 'Submit').click();
    await expect(title(page)).toHaveText('Request Sent!');
    await expectAccessibleInBoth(page, 'the request, sent');
    const told = await boss.list('/api/notifications');
    expect(told.map(({ attributes }) => attributes?.message)).toContainEqual(
      expect.stringContaining('Northshore Texts'),
    );
    // What super admins are told leads to an invitation that is filled in.
    const inviting = await (await browserOf(sue)).newPage();
    await inviting.goto(await mailedLink(world, sue.email, '/admin?'));
    await expect(inviting.getByLabel(/^Owner email/)).toHaveValue(email);
    await expectAccessibleInBoth(inviting, 'the form to invite an organization');
    const field = await inviting.getByLabel(/^Owner email/).boundingBox();
    expect(field?.width).toBeLessThanOrEqual(498);
    await button(inviting, 'Add Organization').click();
    await expect(inviting.getByText('Invitation sent')).toBeVisible();
    await expect(inviting.getByLabel(/^Owner email/)).toHaveValue('');
    const first = await mailedLink(world, email, '/invitations/organization/');
    await button(inviting, `Send the invite of ${email} again`).click();
    await expect.poll(() => mailedLink(world, email, '/invitations/organization/')).not.toBe(first);
    // Invitations that others sent may be open beside it.
    await button(inviting, `Remove the invite of ${email}`).click();
    await expect(inviting.getByText(`The invite of ${email} is worth nothing now`)).toBeVisible();
    await expect(inviting.getByText(email, { exact: true })).toHaveCount(0);

    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await expect(title(page)).toHaveText('Welcome to Slipway');
    await page.context().close();
  });

  test('keeps what was typed when the server does not answer or refuses [R263]', async ({
    world,
    browser,
  }) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${world.url}/request-access-for-organization`);
    await page.getByLabel('Organization name').fill('Northshore Texts');
    await page.getByLabel('Admin email').fill(newcomer());
    await page.getByLabel('Website URL').fill('northshore.test');
    world.proxy.setOpen(false);
    await button(page, 'Submit').click();
    await expect(page.getByRole('alert').filter({ hasText: 'did not answer' })).toBeVisible();
    await expect(page.getByLabel('Organization name')).toHaveValue('Northshore Texts');
    world.proxy.reset();
    await button(page, 'Submit').click();
    await expect(title(page)).toHaveText('Request Sent!');
    await page.context().close();
  });
});
