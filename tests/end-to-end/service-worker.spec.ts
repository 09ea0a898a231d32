import { expect } from '@playwright/test';
import { test } from './world.ts';
import { openProject, rename, untilHelpIsHere, untilInstalled, untilSent } from './people.ts';
import { processOf } from './tab-process.ts';

/** Without it data would wait for it too: while it starts, and for as long as it is halted. */
test('a service worker that is halted holds up nothing that is asked of the server', async ({
  browser,
  page,
  world,
  team,
  harvest,
}) => {
  await openProject(page, world.url, harvest);
  await untilInstalled(page);
  await page.reload();
  // By now every part of the app that this takes is in the page.
  await rename(page, 'Sent before');
  await untilSent(page);
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error('The app has no service worker');
  const id = await processOf(browser, worker);
  expect(id).not.toBe(await processOf(browser, page));
  process.kill(id, 'SIGSTOP');
  try {
    await rename(page, 'Sent past it');
    await untilSent(page);
    const { attributes } = await team.api.first(`/api/projects/${harvest}`);
    expect(attributes?.name).toBe('Sent past it');
  } finally {
    process.kill(id, 'SIGCONT');
  }
});

test('languages are suggested without a connection after the first visit, in whichever language one chooses', async ({
  page,
  world,
  harvest,
}) => {
  await openProject(page, world.url, harvest);
  await untilInstalled(page);
  // The help comes after the names of languages.
  await untilHelpIsHere(page);
  world.proxy.setOpen(false);
  await page.goto(`${world.url}/projects/new`);
  await page.getByRole('combobox', { name: 'Language' }).fill('quechu');
  await expect(page.getByRole('option', { name: /Quechua/ }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitemradio', { name: 'Français' }).click();
  await page.getByRole('combobox', { name: 'Langue' }).fill('suédois');
  await expect(page.getByRole('option', { name: /suédois/ }).first()).toBeVisible();
});

test('projects are found by the name of their language without a connection after the first visit [R73]', async ({
  page,
  world,
  team,
}) => {
  const project = await team.project('Harvest', { language: 'qu' });
  await openProject(page, world.url, project);
  await untilInstalled(page);
  await untilHelpIsHere(page);
  world.proxy.setOpen(false);
  await page.goto(`${world.url}/projects/all?search=Quechua%20harv`);
  await expect(page.locator('mark')).toHaveText(['Harv', 'Quechua']);
});
