import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { paths } from '#protocol/paths.ts';
import { fillIn, status, title, untilLoaded } from './people.ts';
import { asSignedOut } from './sending.ts';
import { test } from './world.ts';
import type { Person, World } from './world.ts';

test('[fault 45] the status says that the app is not yet kept for offline until every part of it is', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest');
  // A part that this page never asks for itself.
  world.proxy.decide(({ url }) => (url.includes('/static/late-text-fr') ? 'cut-before' : 'pass'));
  await page.goto(`${world.url}/projects/${project}`);
  await untilLoaded(page);
  await expect(status(page)).toHaveAttribute('data-offline-ready', 'false');
  await expect(status(page)).toHaveText('Saved · getting ready for offline');

  world.proxy.reset();
  await expect(status(page)).toHaveAttribute('data-offline-ready', 'true');
  await expect(status(page)).toHaveText('Saved');
  await page.context().setOffline(true);
  await expect(status(page)).toHaveAttribute('data-reason', 'network');
  await expect(status(page)).toHaveText('Offline');
  await page.reload();
  await expect(title(page)).toHaveText(/Harvest/);
  await page.context().setOffline(false);
  await world.stop();
  await expect(status(page)).toHaveAttribute('data-reason', 'server');
  await expect(status(page)).toHaveText('Server unavailable');
  await world.startAgain();
  await untilLoaded(page);
});

test('a first visit whose question who it is had no answer goes on by itself once the server answers', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest');
  const isQuestion = ({ url }: { readonly url: string }) => url.includes(paths.currentUser);
  world.proxy.decide((asked) => (isQuestion(asked) ? 'cut-before' : 'pass'));
  await page.goto(`${world.url}/projects/${project}`);
  await expect(title(page)).toHaveText('Waiting for the server');

  world.proxy.decide(() => 'pass');
  await untilLoaded(page);
  await expect(title(page)).toHaveText(/Harvest/);
});

test('an address that there is not says so on a first visit without an answer too', async ({
  page,
  world,
}) => {
  const isQuestion = ({ url }: { readonly url: string }) => url.includes(paths.currentUser);
  world.proxy.decide((asked) => (isQuestion(asked) ? 'cut-before' : 'pass'));
  await page.goto(`${world.url}/no/such/page`);
  await expect(title(page)).toHaveText('Not Found!');

  world.proxy.decide(() => 'pass');
  await untilLoaded(page);
  await expect(title(page)).toHaveText('Not Found!');
});

test('what waits for the server gives way to the page, and to nothing empty between', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest');
  await page.addInitScript(() => {
    const pages: string[] = [];
    Object.assign(globalThis, { pages });
    new MutationObserver(() => {
      const main = document.querySelector('main');
      const shown = main === null ? 'nothing' : main.querySelector('h1')?.textContent;
      if (shown !== undefined && shown !== pages.at(-1)) pages.push(shown);
    }).observe(document, { childList: true, subtree: true });
  });
  const isQuestion = ({ url }: { readonly url: string }) => url.includes(paths.currentUser);
  world.proxy.decide((asked) => (isQuestion(asked) ? 'cut-before' : 'pass'));
  await page.goto(`${world.url}/projects/${project}`);
  await expect(title(page)).toHaveText('Waiting for the server');

  world.proxy.decide(() => 'pass');
  await expect(title(page)).toHaveText(/Harvest/);
  const pages = await page.evaluate(
    () => (globalThis as unknown as { readonly pages: readonly string[] }).pages,
  );
  const waiting = pages.indexOf('Waiting for the server');
  expect(pages.slice(waiting)).toEqual([
    'Waiting for the server',
    expect.stringMatching(/Harvest/),
  ]);
});

test('a first load during which the sign-in ends asks to sign in again, and goes on from there', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest');
  world.proxy.decide((asked) =>
    asked.url.includes(paths.currentUser) ? 'pass' : asSignedOut(asked),
  );
  await page.goto(`${world.url}/projects/${project}`);
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await expect(title(page)).toHaveText('Welcome to Slipway');

  await signInAndGoOn(page, world, team.ana, `/projects/${project}`);
  await expect(title(page)).toHaveText(/Harvest/);
});

test('a first visit with a sign-in that has ended is sent to the sign-in, and comes back from it [R26, R38]', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest');
  world.proxy.decide(asSignedOut);
  await page.goto(`${world.url}/projects/${project}`);
  await expect(title(page)).toHaveText('Welcome to Slipway');

  await signInAndGoOn(page, world, team.ana, `/projects/${project}`);
  await expect(title(page)).toHaveText(/Harvest/);
});

/** Through a server that answers again: signs in from the page that asks for it, and is led back. */
async function signInAndGoOn(
  page: Page,
  { proxy, url }: World,
  person: Person,
  path: string,
): Promise<void> {
  proxy.reset();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await fillIn(page, person);
  await page.waitForURL(`${url}${path}`);
}
