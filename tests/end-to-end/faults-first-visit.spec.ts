import { expect } from '@playwright/test';
import { status, title, untilLoaded } from './people.ts';
import { test } from './world.ts';

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
  await page.reload();
  await expect(title(page)).toHaveText(/Harvest/);
  await page.context().setOffline(false);
  await world.stop();
  await expect(status(page)).toHaveAttribute('data-reason', 'server');
  await world.startAgain();
  await untilLoaded(page);
});
