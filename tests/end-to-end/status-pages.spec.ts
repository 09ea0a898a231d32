import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import english from '#text/en-US.json' with { type: 'json' };
import { test } from './demo.ts';
import { button, title, untilInstalled } from './people.ts';
import type { Role } from './route-table.ts';
import { contextOf } from './route-visits.ts';

/** The pages outside the shell that sign out, each with somebody who gets there, and its title. */
const PAGES: readonly (readonly [role: Role, address: string, heading: keyof typeof english])[] = [
  ['withoutMembership', '/organization-membership-required', 'errors.orgMembershipRequired'],
  ['builder', '/organization-membership-changed', 'status.changed.title'],
  ['unverified', '/verify-email', 'status.verify.title'],
  ['locked', '/not-active-user', 'status.notActive.title'],
  ['unverified', '/no/such/page', 'status.notFound.title'],
];

/** What a browser keeps of who is signed in. */
const keptTokens = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('oidc.user:')));

for (const isOffline of [false, true])
  for (const [role, address, heading] of PAGES)
    test(`Sign out on ${address} signs out ${isOffline ? 'without a connection too' : 'at once'}`, async ({
      browser,
      demo,
    }) => {
      const context = await contextOf(browser, demo.url, role);
      const page = await context.newPage();
      await page.goto(address);
      await expect(title(page)).toHaveText(english[heading]);
      expect(await keptTokens(page)).toHaveLength(1);
      await untilInstalled(page);
      await context.setOffline(isOffline);

      await Promise.all([page.waitForEvent('load'), button(page, 'Sign out').click()]);
      await page.waitForURL(/\/login$/);
      await expect(button(page, 'Sign in')).toBeVisible();
      expect(await keptTokens(page)).toEqual([]);

      await context.setOffline(false);
      await page.goto('/tasks');
      await page.waitForURL(/\/login$/);
      await expect(button(page, 'Sign in')).toBeVisible();
      await context.close();
    });

test('who waits for a server that is broken is told what it said, and may sign out [R374]', async ({
  browser,
  demo,
}) => {
  // Its worker would answer in the place of what stands before the server.
  const context = await contextOf(browser, demo.url, 'builder', { hasServiceWorker: false });
  const page = await context.newPage();
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.goto('/projects/own');
  await expect(title(page)).toHaveText(english['loader.title']);
  await expect(page.getByText(/The server answered with status 502: \W?Bad gateway/)).toBeVisible();
  expect(await keptTokens(page)).toHaveLength(1);

  await Promise.all([page.waitForEvent('load'), button(page, 'Sign out').click()]);
  await page.waitForURL(/\/login$/);
  await expect(button(page, 'Sign in')).toBeVisible();
  expect(await keptTokens(page)).toEqual([]);
  await context.close();
});
