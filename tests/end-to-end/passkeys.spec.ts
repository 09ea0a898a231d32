import { expect } from '@playwright/test';
import type { CDPSession, Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { untilWhole } from './device-storage.ts';
import {
  button,
  fillIn,
  PASSWORD,
  signIn,
  status,
  title,
  untilInstalled,
  untilLoaded,
} from './people.ts';
import { superAdmin, test } from './world.ts';
import type { World } from './world.ts';

/** An authenticator of Chromium itself, which answers at once; another page has another one. */
async function openAuthenticator(
  page: Page,
): Promise<{ readonly id: string; readonly cdp: CDPSession }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { id, cdp };
}

async function givePassword(page: Page, { url }: World, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await button(page, 'Sign in').click();
  await fillIn(page, { email });
}

async function signOut(page: Page): Promise<void> {
  await untilLoaded(page);
  await button(page, 'Menu of Ana').click();
  // The way leads past the provider, which ends its session too.
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('menuitem', { name: 'Sign out' }).click(),
  ]);
  await page.waitForURL(/\/login$/);
}

/** Adds the first passkey of who is signed in; returns the recovery codes. */
async function addFirst(page: Page, { url }: World, name: string): Promise<readonly string[]> {
  await page.goto(`${url}/oidc/second-factor`);
  await page.getByRole('link', { name: 'Use a passkey instead' }).click();
  await expect(title(page)).toHaveText('Add a passkey');
  await page.getByRole('textbox', { name: 'Name of the passkey' }).fill(name);
  await page.getByLabel('Present password').fill(PASSWORD);
  await button(page, 'Go on').click();
  await button(page, 'Create the passkey').click();
  await expect(title(page)).toHaveText('Your second factor is on');
  return page.locator('.codes code').allTextContents();
}

test.describe('[12.6] a passkey as second factor', () => {
  test('is added, signs in, changes the password, is renamed and removed, by the keyboard too', async ({
    browser,
    world,
    team,
  }) => {
    const { email } = team.ana;
    const context = await browser.newContext();
    const page = await context.newPage();
    const { id, cdp } = await openAuthenticator(page);
    await signIn(page, world.url, email);
    await untilLoaded(page);
    // What is not here yet when the tokens end does not come.
    await untilWhole(page, team.ana);
    await page.goto(`${world.url}/oidc/second-factor`);
    await expectAccessibleInBoth(page, 'the second factor while it is off');
    await page.getByRole('link', { name: 'Use a passkey instead' }).click();
    await expect(page.getByRole('textbox', { name: 'Name of the passkey' })).toHaveValue(/Chrom/);
    await expectAccessibleInBoth(page, 'the form of a passkey');
    const codes = await addFirst(page, world, 'My laptop');
    expect(codes).toHaveLength(10);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
    expect(credentials.map(({ rpId }) => rpId)).toEqual([new URL(world.url).hostname]);

    await page.goto(`${world.url}/account`);
    // Its tokens ended with those of the other devices; the provider still knows this browser.
    await status(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('with 1 passkey. Recovery codes left: 10')).toBeVisible();
    await signOut(page);

    await givePassword(page, world, email);
    await expect(title(page)).toHaveText('Use your passkey');
    await expectAccessibleInBoth(page, 'the page of the passkey');
    const use = button(page, 'Use a passkey');
    await use.focus();
    await page.keyboard.press('Enter');
    await untilLoaded(page);
    await untilWhole(page, team.ana);

    await page.goto(`${world.url}/oidc/password`);
    await page.getByLabel('Present password').fill(PASSWORD);
    await page.getByLabel('New password').fill('battery staple 7');
    await expectAccessibleInBoth(page, 'the new password');
    await button(page, 'Use a passkey').click();
    await expect(page.getByText('Every other device has been signed out')).toBeVisible();

    await page.goto(`${world.url}/oidc/second-factor`);
    await expect(page.getByText(/last used on/)).toBeVisible();
    await expectAccessibleInBoth(page, 'the second factor while it is on');
    await page.getByRole('link', { name: 'Rename: My laptop' }).click();
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Work');
    await button(page, 'Rename').click();
    await page.getByRole('link', { name: 'Remove: Work' }).click();
    await expect(page.getByText('It is your only second factor')).toBeVisible();
    await page.getByLabel('Present password').fill('battery staple 7');
    await button(page, 'Use a passkey').click();
    await expect(title(page)).toHaveText('Your second factor is off');
    await context.close();
  });

  test('says so where none is given, and one is there already; a lost one is replaced by a recovery code', async ({
    browser,
    world,
    team,
  }) => {
    const { email } = team.ana;
    const context = await browser.newContext();
    const page = await context.newPage();
    const { id, cdp } = await openAuthenticator(page);
    await signIn(page, world.url, email);
    const [code = ''] = await addFirst(page, world, 'My laptop');

    await page.goto(`${world.url}/oidc/second-factor?do=passkey`);
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('The same');
    await page.getByLabel('Present password').fill(PASSWORD);
    await button(page, 'Use a passkey').click();
    await button(page, 'Create the passkey').click();
    await expect(page.getByRole('alert')).toContainText(
      'There is a passkey of this account already',
    );
    await expectAccessibleInBoth(page, 'a passkey that is there already');

    await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id });
    const other = await browser.newContext();
    const lost = await other.newPage();
    await openAuthenticator(lost);
    await givePassword(lost, world, email);
    await button(lost, 'Use a passkey').click();
    await expect(lost.getByRole('alert')).toContainText('No passkey was given');
    await lost.getByRole('textbox', { name: 'Recovery code' }).fill(code);
    await button(lost, 'Sign in').click();
    await untilLoaded(lost);
    await other.close();
    await context.close();
  });

  test('is taken away by a super admin: the password alone signs in', async ({
    browser,
    browserOf,
    world,
    team,
  }) => {
    const { email } = team.ana;
    const context = await browser.newContext();
    const page = await context.newPage();
    await openAuthenticator(page);
    await signIn(page, world.url, email);
    await addFirst(page, world, 'My laptop');

    const sue = await superAdmin(world, team);
    const office = await (await browserOf(sue)).newPage();
    // Of who is in no organization in view, a device may know nothing.
    await office.addInitScript((organization) => {
      localStorage.setItem('slipway.organization', organization);
    }, team.organization);
    await office.goto(`${world.url}/users`);
    await office.locator(`a[href="/users/${team.ana.id}/settings"]`).click({ timeout: 20_000 });
    await untilLoaded(office);
    await untilInstalled(office);
    await button(office, 'Switch it off…').click();
    await button(office, 'Switch it off').click();
    await expect(office.getByText('Off: the password alone signs in.')).toBeVisible();

    const anew = await browser.newContext();
    const again = await anew.newPage();
    await signIn(again, world.url, email);
    await untilLoaded(again);
    await again.goto(`${world.url}/account`);
    await expect(again.getByText('Off: your password alone signs you in.')).toBeVisible();
    await anew.close();
    await context.close();
  });

  test('is not offered where scripts are off, and a code is taken', async ({
    browser,
    world,
    team,
  }) => {
    const { email } = team.ana;
    const context = await browser.newContext();
    const page = await context.newPage();
    await openAuthenticator(page);
    await signIn(page, world.url, email);
    await untilLoaded(page);
    const codes = await addFirst(page, world, 'My laptop');
    await context.close();
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await givePasswordWithoutScripts(other, world, email);
    await expect(button(other, 'Use a passkey')).toBeHidden();
    await other.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '');
    await button(other, 'Sign in').click();
    await untilLoaded(other);
    await elsewhere.close();
  });
});

/** Gives the password; the page that follows gets no script of ours, as where scripts are off. */
async function givePasswordWithoutScripts(page: Page, world: World, email: string): Promise<void> {
  await page.route('**/passkey-page.js', (route) => route.abort());
  await givePassword(page, world, email);
  await expect(title(page)).toHaveText('Use your passkey');
}
