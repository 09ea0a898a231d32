import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { oneTimeCode } from '../support/one-time-code.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import {
  button,
  expectState,
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

const STEP_MS = 30_000;

/** Gives the right password, which leads to the page of the code. */
async function givePassword(page: Page, { url }: World, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await button(page, 'Sign in').click();
  await fillIn(page, { email });
  await expect(title(page)).toHaveText('Enter your code');
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await button(page, 'Sign in').click();
}

test.describe('[12.6] the second factor of a person', () => {
  test('is asked for at sign-in once it is on, replaced by a recovery code, and reset by a super admin', async ({
    browser,
    browserOf,
    world,
    team,
  }) => {
    const { email } = team.ana;
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, world.url, email);
    await page.goto(`${world.url}/account`);
    await expect(page.getByText('Off: your password alone signs you in.')).toBeVisible();
    await page.getByRole('link', { name: 'Change: Second factor' }).click();
    await page.getByLabel('Present password').fill(PASSWORD);
    await button(page, 'Go on').click();
    await expect(page.getByRole('img', { name: /one-time codes/ })).toBeVisible();
    await expectAccessibleInBoth(page, 'the secret');
    const secret = (await page.locator('code').textContent()) ?? '';
    const first = world.parts.clock();
    await page.getByRole('textbox', { name: 'Code' }).fill(oneTimeCode(secret, first));
    await button(page, 'Switch the second factor on').click();
    await expect(title(page)).toHaveText('Your second factor is on');
    await expectAccessibleInBoth(page, 'the recovery codes');
    const codes = await page.locator('.codes code').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('link', { name: 'Go to Slipway' }).click();
    await page.goto(`${world.url}/account`);
    // Its tokens ended with those of the other devices; the provider still knows this browser.
    await status(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Recovery codes left: 10')).toBeVisible();

    await untilLoaded(page);
    await button(page, 'Menu of Ana').click();
    // The way leads past the provider, which ends its session too.
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('menuitem', { name: 'Sign out' }).click(),
    ]);
    await page.waitForURL(/\/login$/);
    await givePassword(page, world, email);
    await expectAccessibleInBoth(page, 'the page of the code');
    await giveCode(page, oneTimeCode(secret, first));
    await expect(page.getByText('was used already')).toBeVisible();
    // The clock of a phone may be half a minute ahead.
    await giveCode(page, oneTimeCode(secret, first + STEP_MS));
    await untilLoaded(page);
    await context.close();

    const other = await browser.newContext();
    const lost = await other.newPage();
    await givePassword(lost, world, email);
    await giveCode(lost, codes[4] ?? '');
    await untilLoaded(lost);

    const sue = await superAdmin(world, team);
    const office = await (await browserOf(sue)).newPage();
    // Of who is in no organization in view, a device may know nothing.
    await office.addInitScript((organization) => {
      localStorage.setItem('slipway.organization', organization);
    }, team.organization);
    await office.goto(`${world.url}/users`);
    await office.locator(`a[href="/users/${team.ana.id}/settings"]`).click({ timeout: 20_000 });
    await expect(office.getByText('On since')).toBeVisible();
    await untilLoaded(office);
    await untilInstalled(office);
    await office.context().setOffline(true);
    await expect(status(office)).toHaveAttribute('data-reason', 'network');
    await expect(button(office, 'Switch it off…')).toBeDisabled();
    await expect(office.getByText('needs a connection').last()).toBeVisible();
    await office.context().setOffline(false);
    await button(office, 'Switch it off…').click();
    await expectAccessibleInBoth(office, 'the question');
    await button(office, 'Switch it off').click();
    await expect(office.getByRole('dialog')).toBeHidden();
    await expect(office.getByText('Off: the password alone signs in.')).toBeVisible();

    await lost.reload();
    await expectState(lost, 'sign-in');
    await other.close();
    const anew = await browser.newContext();
    const again = await anew.newPage();
    await signIn(again, world.url, email);
    await untilLoaded(again);
    await anew.close();
  });
});
