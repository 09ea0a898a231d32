import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { startProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { freePort, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { apiOf } from './api.ts';
import type { Api } from './api.ts';
import {
  admin,
  builder,
  rename,
  signIn,
  status,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { testWithServers as test } from './world.ts';

const stranger = 'admin@harbor.test';

/** Whoever leaves takes their work along, and leaves nothing of it to the next person. */
test.describe('[fault 33] signing out while changes wait', () => {
  let server: SpawnedServer;
  let proxy: Proxy;
  let colleague: Api;

  test.beforeAll(async () => {
    const port = await freePort();
    proxy = await startProxy(port);
    server = await spawnServer({ PORT: String(port), PUBLIC_URL: proxy.url, DEMO: '1' });
    colleague = await apiOf(proxy.url, admin);
  });

  test.afterAll(async () => {
    await proxy.close();
    await server.stop();
  });

  test('keeps them for that person alone, discards them, or sends them first [R44]', async ({
    page,
  }) => {
    await signIn(page, proxy.url, builder);
    await page.goto(`${proxy.url}/projects/own`);
    const first = page.locator('[data-record^="projects:"]').first().getByRole('link').first();
    const project = (await first.getAttribute('href')) ?? '';
    const nameThere = async () => (await colleague.first(`/api${project}`)).attributes?.name;
    await untilLoaded(page);
    await untilInstalled(page);

    // Kept, with the server away: nobody is held here by a dead network.
    await page.goto(`${proxy.url}/projects/new`);
    await page.getByLabel(/^Name/).fill('A draft of my own');
    await page.goto(`${proxy.url}${project}`);
    proxy.setOpen(false);
    await rename(page, 'Kept for me');
    await expect(status(page)).toHaveAttribute('data-state', 'offline');
    const kept = await askToSignOut(page);
    await expect(kept.getByRole('button', { name: 'Send first, then sign out' })).toBeDisabled();
    await expect(kept.getByText('Needs a connection')).toBeVisible();
    await expect(kept.getByRole('listitem')).toHaveText(/Kept for me/);
    await leaving(
      page,
      kept.getByRole('button', { name: 'Sign out and keep everything here' }).click(),
    );

    // The next person sees nothing of it, does not land where the first one was, and leaves nothing.
    proxy.setOpen(true);
    await signIn(page, proxy.url, stranger);
    await page.waitForURL(/\/tasks$/);
    await untilSent(page);
    await page.goto(`${proxy.url}/projects/new`);
    await expect(page.getByLabel(/^Name/)).toHaveValue('');
    await page.goto(`${proxy.url}/projects/all`);
    await untilLoaded(page);
    await expect(page.getByText('Kept for me')).toHaveCount(0);
    await status(page).click();
    await expect(page.getByRole('dialog', { name: 'Changes' })).toContainText('saved');
    await page.keyboard.press('Escape');
    await leaving(page, signOut(page));
    expect(await nameThere()).not.toBe('Kept for me');

    // The first one comes back, and it goes on by itself.
    await signIn(page, proxy.url, builder);
    await untilSent(page);
    await untilLoaded(page);
    expect(await nameThere()).toBe('Kept for me');

    // Discarded: gone from this device, whatever the network does.
    await page.goto(`${proxy.url}${project}`);
    await untilLoaded(page);
    proxy.setOpen(false);
    await rename(page, 'Thrown away');
    await expect(status(page)).toHaveAttribute('data-state', 'offline');
    const viewed = () =>
      page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.includes('slipway.viewed')),
      );
    expect(await viewed()).toHaveLength(1);
    const discarded = await askToSignOut(page);
    await leaving(
      page,
      discarded.getByRole('button', { name: 'Discard 1 change and sign out' }).click(),
    );
    expect(await localCopies(page)).toEqual([]);
    expect(await viewed()).toEqual([]);
    proxy.setOpen(true);
    await signIn(page, proxy.url, builder);
    await untilLoaded(page);
    expect(await nameThere()).toBe('Kept for me');

    // Sent first: signs out by itself once the server has it.
    await page.goto(`${proxy.url}${project}`);
    await untilLoaded(page);
    let isHeld = true;
    proxy.decide(({ url }) => (isHeld && url === '/api/operations' ? 'cut-before' : 'pass'));
    await rename(page, 'Sent first');
    const sent = await askToSignOut(page);
    isHeld = false;
    const send = sent.getByRole('button', { name: /^(Send first, then sign out|Sign out)$/ });
    await leaving(page, send.click());
    expect(await nameThere()).toBe('Sent first');
    expect(await localCopies(page)).toEqual([]);
  });
});

async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Menu of/ })
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function askToSignOut(page: Page): Promise<Locator> {
  await signOut(page);
  return page.getByRole('dialog', { name: 'Sign out' });
}

/** Until the app has let go of the person, and of its page, after `act`. */
async function leaving(page: Page, act: Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act]);
  await page.waitForURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
}

/** Databases of people on this device. */
function localCopies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    return names.filter((name) => /^slipway-[0-9a-f]{8}-/.test(name));
  });
}
