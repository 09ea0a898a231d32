import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { JSON_API } from '#protocol/document.ts';
import { errorObject, invalid } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { startProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { freePort, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { apiOf } from './api.ts';
import type { Api } from './api.ts';
import {
  admin,
  builder,
  projectIdAt,
  rename,
  signIn,
  status,
  untilLoaded,
  untilSent,
} from './people.ts';
import { isSending } from './sending.ts';
import { testWithServers as test } from './world.ts';

const LONG = 'A text that took an hour to write.';

/** What the server says no to must be seen, kept, and in the person's hands. */
test.describe('a change that the server refuses', () => {
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

  /** Nothing that is done arrives until `letThrough`; news still comes in. */
  const holdBack = (): void => {
    proxy.decide(({ url }) => (url === '/api/operations' ? 'cut-before' : 'pass'));
  };
  const letThrough = (): void => {
    proxy.decide(() => 'pass');
  };

  test('is told with its reason, can be taken away as a file, discarded, mended, tried again', async ({
    page,
  }) => {
    await signIn(page, proxy.url, builder);
    await untilLoaded(page);
    const role = await colleague.first(`/api/user-roles?filter[user]=${await personAt(page)}`);
    holdBack();
    await create(page, proxy.url, 'To be discarded');
    const kept = await create(page, proxy.url, 'To be kept');
    await rename(page, 'To be kept, and edited');
    await expect(status(page)).toHaveAttribute('data-waiting', /[23]/);

    await colleague.remove(role);
    letThrough();
    await expect(status(page)).toHaveAttribute('data-waiting', '0');
    await expect(status(page)).toHaveAttribute('data-state', 'attention');
    expect(new URL(page.url()).pathname).toBe(`/projects/${kept}`);
    await expectWhole(page, 'To be kept, and edited');
    await page.reload();
    await expectWhole(page, 'To be kept, and edited');

    const panel = await openPanel(page);
    const line = panel.locator(`[data-record="projects:${kept}"][data-change="refused"]`);
    await expect(line).toContainText('You are not allowed to do that');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      line.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toContain(LONG);

    const other = panel.locator('[data-change="refused"]', { hasText: 'To be discarded' });
    await other.getByRole('button', { name: 'Discard' }).click();
    await expect(other).toHaveCount(0);
    await panel.press('Escape');

    // Still without the right: mended and sent again, it is refused again, and not a letter is lost.
    await rename(page, 'To be kept, and mended');
    await expect(status(page)).toHaveAttribute('data-attention', '1');
    await expectWhole(page, 'To be kept, and mended');

    await colleague.add(role);
    const again = await openPanel(page);
    await again.getByRole('button', { name: 'Try again' }).click();
    await expect(status(page)).toHaveAttribute('data-state', 'saved');
    const { attributes } = await colleague.first(`/api/projects/${kept}`);
    expect(attributes).toMatchObject({ name: 'To be kept, and mended', description: LONG });
    const gone = await colleague.list('/api/projects?filter[name]=To%20be%20discarded');
    expect(gone).toEqual([]);
  });

  test('because someone else changed the field overwrites nothing until the person says so', async ({
    page,
  }) => {
    await signIn(page, proxy.url, builder);
    await page.goto(`${proxy.url}/projects/own`);
    await page.locator('[data-record^="projects:"]').first().getByRole('link').first().click();
    const project = await projectIdAt(page);
    await untilLoaded(page);
    const nameThere = async () => (await colleague.first(`/api/projects/${project}`)).attributes;

    holdBack();
    await rename(page, 'As I want it');
    await colleague.change({ type: 'projects', id: project, attributes: { name: 'As they do' } });
    letThrough();
    await expect(status(page)).toHaveAttribute('data-attention', '1');
    expect(await nameThere()).toMatchObject({ name: 'As they do' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/As they do/);

    const panel = await openPanel(page);
    await expect(panel.locator('[data-change="conflict"]')).toContainText('As I want it');
    await panel.getByRole('button', { name: 'Keep mine' }).click();
    await expect(status(page)).toHaveAttribute('data-state', 'saved');
    expect(await nameThere()).toMatchObject({ name: 'As I want it' });
    // What is read aloud does not go on saying that a change needs the person.
    const said = page.locator('[role=status]:has(+ [data-testid=sync-status])');
    await expect(said).toHaveText(/^Saved( · getting ready for offline)?$/, { timeout: 15_000 });
  });

  /** Says no to what is sent with `text` in it, one change at a time, until `letThrough`. */
  const refuse = (text: string, problem: Problem, status: number): void => {
    proxy.decide((request) => {
      if (!isSending(request) || !request.body.includes(text)) return 'pass';
      const { operations } = JSON.parse(request.body) as { operations: { meta: object }[] };
      const errors = [errorObject(problem, 'a-request')];
      const verdicts = operations.map(({ meta }) => ({ errors, meta: { ...meta, status } }));
      return {
        status: 200,
        headers: { 'Content-Type': JSON_API },
        body: JSON.stringify({ operations: verdicts }),
      };
    });
  };

  test('of a profile stands in its form with the reason, there and after a reload, and is saved again [R394]', async ({
    page,
  }) => {
    await signIn(page, proxy.url, builder);
    await untilLoaded(page);
    const person = await personAt(page);
    const firstName = page.getByRole('textbox', { name: 'First name' });
    const phone = page.getByRole('textbox', { name: 'Phone' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const expectKept = async () => {
      await expect(firstName).toHaveValue('Aurelia');
      await expect(phone).toHaveValue('+1 555 0100');
      await expect(firstName).toHaveAccessibleDescription(/First name is longer than 250/);
      await expect(save).toBeEnabled();
    };

    await page.goto(`${proxy.url}/users/${person}/edit`);
    refuse('Aurelia', invalid('/data/attributes/given-name', 'too-long', { limit: 250 }), 422);
    await firstName.fill('Aurelia');
    await phone.fill('+1 555 0100');
    await save.click();
    await expect(status(page)).toHaveAttribute('data-attention', '1');
    await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toContainText(
      'First name is longer than 250',
    );
    await expectKept();
    await page.reload();
    await expectKept();

    letThrough();
    await save.click();
    // The refused change goes before the new one comes: nothing waits then, but nothing was sent.
    const there = async () => (await colleague.first(`/api/users/${person}`)).attributes;
    const mended = { 'given-name': 'Aurelia', phone: '+1 555 0100' };
    await expect.poll(there).toMatchObject(mended);
    await untilSent(page);
    await untilLoaded(page);
    await expect(firstName).toHaveValue('Aurelia');
    await expect(save).toBeDisabled();
  });

  test('of an import is told where imports are, keeps its file, and is sent again [R198]', async ({
    page,
  }) => {
    await signIn(page, proxy.url, admin);
    await page.goto(`${proxy.url}/projects/import`);
    await untilLoaded(page);
    refuse('Lantern Path', { code: 'forbidden' }, 403);
    const Projects = [{ Name: 'Lantern Path', Language: 'es-419' }];
    await page.locator('input[type="file"]').setInputFiles({
      name: 'projects.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ Projects })),
    });
    await page.getByRole('button', { name: 'Import 1 project' }).click();
    await expect(status(page)).toHaveAttribute('data-attention', '1');
    const told = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
    await expect(told).toContainText('Import 1 project');
    await expect(told).toContainText('You are not allowed to do that');
    await page.goto(`${proxy.url}/projects/import`);
    const earlier = page.getByRole('table', { name: 'Earlier imports' });
    await expect(earlier.getByRole('row', { name: 'refused' })).toContainText(
      'You are not allowed to do that',
    );

    const panel = await openPanel(page);
    const line = panel.locator('[data-change="refused"]');
    await expect(line).toContainText('You are not allowed to do that');
    await expect(line).toContainText('Lantern Path');
    const sent = () => proxy.asked.filter(isSending).length;
    const before = sent();
    await line.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(sent).toBe(before + 1);
    await expect(line).toContainText('You are not allowed to do that');

    letThrough();
    await line.getByRole('button', { name: 'Try again' }).click();
    await untilSent(page);
    await panel.press('Escape');
    const made = () => colleague.list('/api/projects?filter[name]=Lantern%20Path');
    await expect.poll(async () => (await made()).length).toBe(1);
  });
});

async function create(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/projects/new`);
  await page.getByLabel(/^Name/).fill(name);
  await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
  await page.getByLabel(/^Description/).fill(LONG);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  return projectIdAt(page);
}

async function expectWhole(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByText(LONG)).toBeVisible();
  await expect(page.locator('[data-record^="projects:"]').first()).toHaveAttribute(
    'data-change',
    'refused',
  );
}

async function openPanel(page: Page): Promise<Locator> {
  await status(page).click();
  return page.getByRole('dialog', { name: 'Changes' });
}

function personAt(page: Page): Promise<string> {
  return page.evaluate(() => {
    const person = localStorage.getItem('slipway.person') ?? '';
    return (JSON.parse(person) as { userId: string }).userId;
  });
}
