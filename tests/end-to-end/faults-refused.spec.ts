import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { JSON_API } from '#protocol/document.ts';
import { errorObject, invalid } from '#protocol/problem.ts';
import { aGroup, aRecord } from '../support/make.ts';
import type { Proxy } from '../support/proxy.ts';
import {
  expectState,
  expectWaiting,
  openPanel,
  openProject,
  projectIdAt,
  rename,
  status,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { expectOnce, holdBack, isSending, renameUnsent, untilTried } from './sending.ts';
import { test } from './world.ts';

const expectAttention = (page: Page, count: number): Promise<void> =>
  expect(status(page)).toHaveAttribute('data-attention', String(count));

test.describe('[fault 21] 403 for one change', () => {
  test('that one and what depends on it need the person; others go on', async ({
    page,
    world,
    team,
  }) => {
    const { db } = world.parts;
    const group = (await aGroup(db, { owner: team.organization })).id;
    const membership = await aRecord(db, 'groupMembership', { user: team.ana.id, group });
    const lost = await team.project('Harvest', { group, owner: team.ben.id });
    const kept = await team.project('Orchard');
    await openProject(page, world.url, lost);
    await renameUnsent(page, world, 'No longer mine');
    await untilTried(world);
    await rename(page, 'Nor is this');
    await expectWaiting(page, 2);
    await page.goto(`${world.url}/projects/${kept}`);
    await rename(page, 'Still mine');
    await expectWaiting(page, 3);
    await team.api.remove({ type: 'group-memberships', id: membership.id });

    world.proxy.reset();
    await expectWaiting(page, 0);
    await expectAttention(page, 2);
    await expectState(page, 'attention');
    await expectOnce(world, kept, 1);
    await expectOnce(world, lost, 0);
    const panel = await openPanel(page);
    await expect(panel.locator('[data-change="refused"]')).toContainText('You are not allowed');
    await expect(panel.locator('[data-change="held"]')).toHaveCount(1);
  });
});

test.describe('[fault 22] [same field] two people change one field, one of them offline', () => {
  for (const [choice, name] of [
    ['Keep mine', 'As I say'],
    ['Take theirs', 'As they say'],
  ] as const) {
    test(`nothing is overwritten unseen, and "${choice}" works`, async ({
      page,
      world,
      team,
      harvest,
    }) => {
      world.proxy.setOpen(false);
      await rename(page, 'As I say');
      await expectState(page, 'offline');
      await team.api.change({
        type: 'projects',
        id: harvest,
        attributes: { name: 'As they say', description: 'A field apart' },
      });
      world.proxy.reset();
      await expectAttention(page, 1);
      const there = async () => (await team.api.first(`/api/projects/${harvest}`)).attributes;
      expect(await there()).toMatchObject({ name: 'As they say' });

      const line = (await openPanel(page)).locator('[data-change="conflict"]');
      for (const text of ['Harvest', 'As I say', 'As they say', 'Ben'])
        await expect(line).toContainText(text);
      await line.getByRole('button', { name: choice }).click();
      await expectAttention(page, 0);
      await untilSent(page);
      await page.keyboard.press('Escape');
      await expect(title(page)).toHaveText(new RegExp(name));
      expect(await there()).toMatchObject({ name, description: 'A field apart' });
      await expect(page.getByText('A field apart')).toBeVisible();
    });
  }
});

test.describe('[fault 23] an id that exists already', () => {
  test('is read back: what is ours and equal is the acknowledgement', async ({
    page,
    world,
    team,
  }) => {
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    holdBack(world.proxy);
    await page.goto(`${world.url}/projects/new`);
    await page.getByLabel(/^Name/).fill('Made twice');
    await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const project = await projectIdAt(page);
    await untilTried(world);
    const [{ body } = { body: '' }] = world.proxy.asked.filter(isSending);
    const { operations } = JSON.parse(body) as {
      operations: { data: { type: string; id: string } }[];
    };
    const [made] = operations;
    if (made === undefined) throw new Error('Nothing was sent');
    await (await team.apiOf(team.ana)).add(made.data);

    const isReadBack = page.waitForResponse((one) => one.url().endsWith(`/projects/${project}`));
    world.proxy.reset();
    await isReadBack;
    await untilSent(page);
    await untilLoaded(page);
    expect(await team.api.list('/api/projects?filter[name]=Made%20twice')).toHaveLength(1);
  });
});

/** Finds the name "What the server refuses" too long, whenever it is sent. */
function refuseThat(proxy: Proxy): void {
  proxy.decide((request) => {
    if (!isSending(request) || !request.body.includes('What the server refuses')) return 'pass';
    const { operations } = JSON.parse(request.body) as { operations: { meta: object }[] };
    const errors = [errorObject(invalid('/data/attributes/name', 'too-long'), 'a-request')];
    const verdicts = operations.map(({ meta }) => ({ errors, meta: { ...meta, status: 422 } }));
    return {
      status: 200,
      headers: { 'Content-Type': JSON_API },
      body: JSON.stringify({ operations: verdicts }),
    };
  });
}

test.describe('[fault 24] 422 for one change', () => {
  test('tells its field and keeps what was typed, to be mended and sent', async ({
    page,
    world,
    harvest,
  }) => {
    refuseThat(world.proxy);
    await rename(page, 'What the server refuses');
    await expectAttention(page, 1);
    await page.goto(`${world.url}/projects/${harvest}/edit`);
    await expect(page.getByLabel(/^Name/)).toHaveValue('What the server refuses');
    await expect(page.locator('.field-error')).toContainText('Name is longer than');

    await page.getByLabel(/^Name/).fill('What it takes');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await projectIdAt(page);
    await untilSent(page);
    await untilLoaded(page);
    await expect(title(page)).toHaveText(/What it takes/);
    await expectOnce(world, harvest, 1);
  });

  test('also in a form that was open while it waited', async ({ page, world, harvest }) => {
    await renameUnsent(page, world, 'What the server refuses');
    await page.goto(`${world.url}/projects/${harvest}/edit`);
    await expect(page.getByLabel(/^Name/)).toHaveValue('What the server refuses');
    refuseThat(world.proxy);
    await expectAttention(page, 1);
    await expect(page.getByLabel(/^Name/)).toHaveValue('What the server refuses');
    await expect(page.locator('.field-error')).toContainText('Name is longer than');
  });
});
