import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectWaiting, fillIn, openProject, rename, title, untilLoaded } from './people.ts';
import { asSignedOut, expectOnce, holdBack, refusal, renameUnsent } from './sending.ts';
import { test } from './world.ts';
import type { Person, Team, World } from './world.ts';

/** What a page that goes in circles would call thousands of times. */
const HISTORY_CALLS_MOST = 10;

/** From now on counts what the page at `page` does to its history. */
async function countHistory(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { calls: 0 };
    Object.assign(globalThis, { counted });
    for (const name of ['pushState', 'replaceState'] as const) {
      const does = history[name].bind(history);
      history[name] = (...given) => {
        counted.calls += 1;
        does(...given);
      };
    }
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { counted: { calls: number } }).counted.calls);
}

const lock = (team: Team, { id }: Person, isLocked: boolean): Promise<void> =>
  team.api.change({ type: 'users', id, attributes: { 'is-locked': isLocked } });

/** Until the page has asked the server twice more who this is, which it does by itself. */
async function untilAskedAgain({ proxy }: World): Promise<void> {
  const times = () => proxy.asked.filter(({ url }) => url === '/api/users/current-user').length;
  const before = times();
  await expect.poll(times).toBeGreaterThan(before + 1);
}

/** The page lists what waits, and gives it away as a file. */
async function expectListed(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('list', { name: '1 change not sent yet' })).toContainText(text);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain(text);
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' });

for (const [what, code, address, heading] of [
  ['locked', 'user-locked', '/not-active-user', 'User is not Active'],
  ['unverified', 'email-not-verified', '/verify-email', 'Please verify your email address'],
] as const)
  test(`[fault 41] a person who comes to be ${what} while a tab is open sees one page with what waits, and goes on from there by themselves [R27, R32]`, async ({
    page,
    world,
    harvest,
  }) => {
    const calls = await countHistory(page);
    await renameUnsent(page, world, 'Typed before');
    const before = await calls();
    world.proxy.decide(({ url }) => (url.startsWith('/api/') ? refusal({ code }) : 'pass'));
    await page.waitForURL(`${world.url}${address}`);
    await expect(title(page)).toHaveText(heading);
    await expectListed(page, 'Typed before');
    await untilAskedAgain(world);
    expect((await calls()) - before).toBeLessThan(HISTORY_CALLS_MOST);

    world.proxy.reset();
    await page.waitForURL(`${world.url}/projects/${harvest}`);
    await untilLoaded(page);
    await expectWaiting(page, 0);
    await expect(title(page)).toHaveText(/Typed before/);
    await expectOnce(world, harvest, 1);
    expect((await calls()) - before).toBeLessThan(HISTORY_CALLS_MOST);
  });

test('[fault 41] a person who was locked and unlocked is asked to sign in on the page that says so, and goes on from the same row [R22, R32, R240]', async ({
  page,
  world,
  team,
  harvest,
}) => {
  await renameUnsent(page, world, 'First');
  await rename(page, 'Second');
  await expectWaiting(page, 2);
  await lock(team, team.ana, true);
  await page.waitForURL(`${world.url}/not-active-user`);
  await lock(team, team.ana, false);
  // Whoever was signed in before the lock signs in anew after it.
  world.proxy.decide(asSignedOut);
  await expect(signInButton(page)).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/not-active-user`);

  world.proxy.reset();
  await signInButton(page).click();
  await fillIn(page, team.ana);
  await page.waitForURL(`${world.url}/projects/${harvest}`);
  await untilLoaded(page);
  await expect(title(page)).toHaveText(/Second/);
  await expectOnce(world, harvest, 2);
});

test('[fault 41] both tabs of a person who is locked say so, and both go on after the unlock [R380]', async ({
  page: first,
  context,
  world,
  harvest,
}) => {
  const second = await context.newPage();
  await openProject(second, world.url, harvest);
  holdBack(world.proxy);
  await rename(second, 'By the second tab');
  await expectWaiting(first, 1);
  const locked = refusal({ code: 'user-locked' });
  world.proxy.decide(({ url }) => (url.startsWith('/api/') ? locked : 'pass'));
  for (const page of [first, second]) {
    await page.waitForURL(`${world.url}/not-active-user`);
    await expect(page.getByRole('list', { name: '1 change not sent yet' })).toBeVisible();
  }
  world.proxy.reset();
  for (const page of [first, second]) {
    await page.waitForURL(`${world.url}/projects/${harvest}`);
    await untilLoaded(page);
    await expectWaiting(page, 0);
    await expect(title(page)).toHaveText(/By the second tab/);
  }
  await expectOnce(world, harvest, 1);
});
