import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { freePort, freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { launchKillable } from './killable-browser.ts';
import type { KillableBrowser } from './killable-browser.ts';
import { readChangeLog } from '../support/change-log.ts';
import {
  admin,
  builder,
  projectIdAt,
  rename,
  signIn,
  status,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { testWithServers as test } from './world.ts';

/** What a person did while the server was dead must be there after everything else was killed too. */
test.describe('work while the server is dead', () => {
  let dataDir: string;
  let profile: string;
  let port: string;
  let server: SpawnedServer;
  let browser: KillableBrowser;

  const startAgain = () => spawnServer({ DATA_DIR: dataDir, PORT: port, DEMO: '1' });

  test.beforeAll(async () => {
    dataDir = freshFolder();
    profile = mkdtempSync(join(tmpdir(), 'slipway-profile-'));
    port = String(await freePort());
    server = await startAgain();
    browser = await launchKillable(profile);
  });

  test.afterAll(async () => {
    await browser.kill();
    await server.kill();
    for (const folder of [dataDir, profile]) rmSync(folder, { recursive: true, force: true });
  });

  test('survives a reload and a killed browser, and is sent once, in order', async ({
    browser: others,
  }) => {
    let page = await browser.context.newPage();
    await signIn(page, server.url, builder);
    await page.goto(`${server.url}/projects/own`);
    await expect(page.locator('[data-record^="projects:"]').first()).toBeVisible();
    await untilLoaded(page);
    await untilInstalled(page);
    const url = server.url;
    await server.kill();

    // Rename one, create another, open it, edit it.
    await page.locator('[data-record^="projects:"]').first().getByRole('link').first().click();
    const renamed = await projectIdAt(page);
    await rename(page, 'Renamed in the dark');
    const created = await createProject(page, url, 'Made in the dark');
    await rename(page, 'Made and edited in the dark');

    await page.reload();
    await expectWaiting(page, 'Made and edited in the dark');

    await browser.kill();
    browser = await launchKillable(profile);
    page = await browser.context.newPage();
    await page.goto(`${url}/projects/${created}`);
    await expectWaiting(page, 'Made and edited in the dark');
    await page.goto(`${url}/projects/${renamed}`);
    await expectWaiting(page, 'Renamed in the dark');

    const colleague = await others.newPage();
    server = await startAgain();
    await signIn(colleague, url, admin);
    await untilSent(page);

    await colleague.goto(`${url}/projects/${created}`);
    await expect(heading(colleague)).toHaveText(/Made and edited in the dark/);
    await colleague.goto(`${url}/projects/${renamed}`);
    await expect(heading(colleague)).toHaveText(/Renamed in the dark/);

    // From here on without a reload.
    await rename(page, 'Seen by a colleague');
    await expect(heading(colleague)).toHaveText(/Seen by a colleague/);
    await untilSent(page);

    await server.stop();
    const log = await readChangeLog(dataDir, [renamed, created]);
    expect(new Set(log.changesOf(renamed)).size).toBe(2);
    expect(log.changesOf(renamed)).toHaveLength(2);
    // Its edit is a change of its own if sending was tried in between.
    const ofCreated = log.changesOf(created);
    expect(ofCreated).toHaveLength(new Set(ofCreated).size);
    expect([1, 2]).toContain(ofCreated.length);
  });
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function expectWaiting(page: Page, name: string): Promise<void> {
  await expect(heading(page)).toHaveText(new RegExp(name));
  await expect(status(page)).not.toHaveAttribute('data-waiting', '0');
  await expect(status(page)).toHaveAttribute('data-state', 'offline');
}

async function createProject(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/projects/new`);
  await page.getByLabel(/^Name/).fill(name);
  await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  return projectIdAt(page);
}
