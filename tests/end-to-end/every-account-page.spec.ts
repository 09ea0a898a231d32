import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { LOCALES } from '#schema/user.ts';
import { accountByEmail } from '#server/domain/accounts/accounts.ts';
import { mailLink, mailNewAddress } from '#server/http/identity/account-mail.ts';
import { translate } from '#text/say.ts';
import type { MailTextKey } from '#text/say.ts';
import { authorizeAddress } from '../support/sign-in.ts';
import { mailedLink } from './mailbox.ts';
import { PASSWORD, signIn, title } from './people.ts';
import { ACCOUNT_PAGES } from './route-table.ts';
import { beyondTheSides } from './sideways.ts';
import { expectUsable } from './usable-page.ts';
import { test } from './world.ts';
import type { Person, World } from './world.ts';

/**
 * Covers the pages of the bundled issuer to which no address alone leads: those for who is signed in
 * with it in the same browser, those that a mailed link opens, and its form to sign in.
 */

/** Looks at each page, in each language; `title` is what its heading says. */
async function lookAtEach(
  page: Page,
  { url }: World,
  pages: readonly (readonly [address: string, title: MailTextKey])[],
): Promise<void> {
  for (const [address, key] of pages)
    await test.step(key, async () => {
      const target = new URL(address, url);
      await page.goto(target.href);
      await expect(title(page)).toHaveText(translate('en-US', key));
      await expectUsable(page, 'body', address);
      for (const language of LOCALES) {
        target.searchParams.set('ui_locales', language);
        await page.setViewportSize({ width: 375, height: 800 });
        await page.goto(target.href);
        await expect(title(page)).toHaveText(translate(language, key));
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        expect(await beyondTheSides(page), `${address} in ${language}`).toEqual([]);
      }
      await page.setViewportSize({ width: 1_280, height: 800 });
    });
}

/** Mails three links about the account of `person`, and returns where each leads. */
async function mailedTo(world: World, { email }: Person) {
  const { parts } = world;
  const account = await parts.db.transact((tx) => accountByEmail(tx, email));
  if (account === null) throw new Error(`${email} has no account`);
  for (const purpose of ['reset', 'sign-in'] as const) mailLink(parts, account, purpose);
  const next = `next-${email}`;
  mailNewAddress(parts, account, next);
  return {
    reset: await mailedLink(world, email, '/oidc/reset'),
    signIn: await mailedLink(world, email, '/oidc/sign-in'),
    address: await mailedLink(world, next, '/oidc/confirm-address'),
  };
}

test.describe('[wire 2.4] axe, Tab, every width and every language find nothing wrong', () => {
  test.setTimeout(240_000);

  test('on the pages that the account leads to', async ({ world, team, browser }) => {
    // Another device of hers.
    await team.apiOf(team.ana);
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await signIn(page, world.url, team.ana.email);
    await lookAtEach(page, world, [
      ...ACCOUNT_PAGES.map(({ at, title: heading }) => [at, heading] as const),
      ['/oidc/second-factor?do=passkey', 'identity.passkey.add'],
    ]);
    await page.context().close();
  });

  test('on the form to sign in, and on what mailed links open', async ({
    world,
    team,
    browser,
  }) => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const email = `new-${randomUUID()}@slipway.test`;
    await page.goto(`${world.url}/oidc/sign-up`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Name').fill('Nora');
    await page.locator('form[method="post"] button[type="submit"]').click();
    const verify = await mailedLink(world, email, '/oidc/verify');
    const { reset, signIn: instead, address } = await mailedTo(world, team.ana);
    await lookAtEach(page, world, [
      [authorizeAddress(world.parts.config.auth).address, 'identity.signIn.title'],
      [verify, 'identity.verify.title'],
      [reset, 'identity.reset.title'],
      [instead, 'identity.signInLink.title'],
      [address, 'identity.address.title'],
    ]);
    await page.context().close();
  });
});
