import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessibleInBoth } from './accessible.ts';
import { mailedLink } from './mailbox.ts';
import {
  button,
  expectState,
  expectWaiting,
  fillIn,
  openPanel,
  PASSWORD,
  signIn,
  status,
  title,
  untilInstalled,
  untilLoaded,
} from './people.ts';
import { test } from './world.ts';
import type { World } from './world.ts';

const look = (page: Page) => page.getByRole('link', { name: 'View: Devices' });

async function openAccount(page: Page, { url }: World): Promise<void> {
  await page.goto(`${url}/tasks`);
  await button(page, 'Menu of Ana').click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await expect(title(page)).toHaveText('Your account');
}

test.describe('[12.6] the account of a person', () => {
  test('shows where they are signed in, and signs out elsewhere, at once', async ({
    page,
    browser,
    world,
    team,
  }) => {
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await signIn(other, world.url, team.ana.email);
    await untilLoaded(other);

    await openAccount(page, world);
    await expectAccessibleInBoth(page, 'the account');
    // The device has tokens, and the provider does not know this browser any more.
    await look(page).click();
    await expect(page.getByText('Your sign-in in this browser is too old')).toBeVisible();
    await button(page, 'Sign in').click();
    await fillIn(page, team.ana);
    await expect(title(page)).toHaveText('Your account');

    await look(page).click();
    await expect(title(page)).toHaveText('Where you are signed in');
    await expectAccessibleInBoth(page, 'the devices');
    const devices = page.locator('.devices > li');
    await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1);
    const before = await devices.count();
    await devices.filter({ hasText: 'Chrome' }).getByRole('button').first().click();
    await expect(devices).toHaveCount(before - 1);
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await expectState(page, 'saved');

    await button(page, 'Menu of Ana').click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await look(page).click();
    await button(page, 'Sign out everywhere else').click();
    await expect(title(page)).toHaveText('You are signed out everywhere else');
    await other.reload();
    await expectState(other, 'sign-in');
    await elsewhere.close();
  });

  test('takes another address to sign in with, once the mail to it is confirmed', async ({
    page,
    browser,
    world,
    team,
  }) => {
    const context = await browser.newContext();
    const own = await context.newPage();
    await signIn(own, world.url, team.ana.email);
    await own.goto(`${world.url}/account`);
    await own.getByRole('link', { name: 'Change: Sign-in address' }).click();
    const email = `new-${team.ana.email}`;
    await own.getByLabel('New email').fill(email);
    await own.getByLabel('Present password').fill(PASSWORD);
    await button(own, 'Send me a link').click();
    await expect(title(own)).toHaveText('Check your email');

    await page.goto(await mailedLink(world, email, '/oidc/confirm-address'));
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Confirm my address').click();
    await expect(title(page)).toHaveText('Your address was changed');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await own.goto(`${world.url}/tasks`);
    await expectState(own, 'sign-in');
    await context.close();

    const anew = await browser.newContext();
    const again = await anew.newPage();
    await signIn(again, world.url, email);
    await again.goto(`${world.url}/account`);
    await expect(again.getByText(email)).toBeVisible();
    await anew.close();
  });

  test('leads a member to where an organization is left, without a connection too', async ({
    page,
    world,
  }) => {
    await openAccount(page, world);
    await untilInstalled(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'View: Memberships' }).click();
    await expect(button(page, 'Leave…')).toBeVisible();
    await page.context().setOffline(false);
  });

  test('leads to the kinds of mails; one that is silenced offline is silenced, and undone', async ({
    page,
    world,
    team,
  }) => {
    const silenced = async () =>
      (await world.parts.db.read((tx) => tx.one('user', team.ana.id)))?.silencedMails;
    const kind = page.getByRole('switch', { name: 'Publications' });
    await openAccount(page, world);
    await untilInstalled(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Change: Emails' }).click();
    await kind.click({ force: true });
    await button(page, 'Save').click();
    await expectWaiting(page, 1);
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(kind).toBeChecked();

    await kind.click({ force: true });
    await button(page, 'Save').click();
    await expect(button(page, 'Save')).toBeDisabled();
    await page.context().setOffline(false);
    await expectState(page, 'saved');
    expect(await silenced()).toEqual(['publications']);
    await expectAccessibleInBoth(page, 'the profile');
  });

  test('gives a person what Slipway keeps about them, once it is made', async ({ page, world }) => {
    await openAccount(page, world);
    await button(page, 'Export: Your data').click();
    const download = button(page, 'Download: Your data');
    await expect(download).toBeVisible();
    await expect(page.getByText('It is kept until')).toBeVisible();
    await expect(page.getByText('You can ask again from')).toBeVisible();
    await expect(button(page, 'Export: Your data')).toBeDisabled();
    await expectAccessibleInBoth(page, 'the account with an export');
    const saving = page.waitForEvent('download');
    await download.click();
    expect((await saving).suggestedFilename()).toMatch(/^slipway-.*\.zip$/);

    await untilInstalled(page);
    await page.context().setOffline(true);
    await expect(download).toBeDisabled();
    await page.context().setOffline(false);
    await expect(download).toBeEnabled();

    world.aheadMs = 3_700_000;
    await page.reload();
    await expect(button(page, 'Download: Your data')).toBeVisible();
    world.aheadMs = 0;
  });

  test('is deleted by its person, once they own nothing, and nothing of it stays on the device', async ({
    browser,
    world,
    team,
  }) => {
    const project = await team.project('Harvest');
    const context = await browser.newContext();
    const own = await context.newPage();
    await signIn(own, world.url, team.ana.email);
    await untilLoaded(own);
    await own.goto(`${world.url}/account`);
    await own.getByRole('link', { name: 'Delete…: Delete your account' }).click();
    await expect(own.getByText('cannot be deleted yet')).toBeVisible();
    await expect(own.getByRole('link', { name: 'Harvest' })).toBeVisible();
    await expectAccessibleInBoth(own, 'an account that cannot be deleted yet');
    await own.getByRole('link', { name: 'Hand over and leave' }).click();
    await expect(button(own, 'Leave…')).toBeVisible();

    const { db, clock } = world.parts;
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.change('project', project, { dateArchived: new Date(clock()).toISOString() }),
    );
    await own.goto(`${world.url}/account`);
    await own.getByRole('link', { name: 'Delete…: Delete your account' }).click();
    await expect(own.getByText('Deleted account')).toBeVisible();
    await expectAccessibleInBoth(own, 'the page to delete an account');
    await own.getByLabel('Present password').fill('wrong');
    await button(own, 'Delete my account').click();
    await expect(own.getByText('This is not your present password.')).toBeVisible();
    await own.getByLabel('Present password').fill(PASSWORD);
    await button(own, 'Delete my account').click();
    await expect(title(own)).toHaveText('Your account is deleted');

    expect(await own.evaluate(() => localStorage.length)).toBe(0);
    expect(await own.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    await own.goto(`${world.url}/tasks`);
    await expect(own).toHaveURL(/\/login/);
    await context.close();
    const person = await db.read((tx) => tx.one('user', team.ana.id));
    expect(person).toMatchObject({ name: 'Deleted account', email: null, isLocked: true });
  });

  test('says offline that its parts need a connection', async ({ page, world }) => {
    await openAccount(page, world);
    await untilInstalled(page);
    await page.context().setOffline(true);
    await expect(status(page)).toHaveAttribute('data-reason', 'network');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Change: Password' })).toBeDisabled();
    await expect(page.getByText('needs a connection').first()).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByRole('link', { name: 'Change: Password' })).toBeVisible();

    await world.stop();
    await expect(page.getByRole('button', { name: 'Change: Password' })).toBeDisabled();
    await world.startAgain();
    await expect(page.getByRole('link', { name: 'Change: Password' })).toBeVisible();
  });
});
