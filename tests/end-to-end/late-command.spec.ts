import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aProjectSetUp, aPublishedProduct } from '../support/published.ts';
import type { Api } from './api.ts';
import {
  expectState,
  expectWaiting,
  openPanel,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { ANDROID, begin, command, commandsOf, HTML, newsOf, seeded, whose } from './products.ts';
import { test } from './world.ts';
import type { Team, World } from './world.ts';

const WORDS = 'Fine by me, and the cover is lovely.';
const GIVEN = `Approve: ${ANDROID}, Harvest`;

/** Ben and Cleo both administer: what waits for one of them waits for the other too. */
test.describe('[issue 4] a command on a task that moved on meanwhile', () => {
  test('made offline needs attention with the reason, keeps the words, and is given anew', async ({
    world,
    team,
    browserOf,
  }) => {
    const { product, cleo } = await waitingForApproval(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await open(page, `${world.url}/flow/any/${product}`);
    await approveOffline(page, world);
    await command(cleo, product, 'Hold', 'Whose songs are they?');

    world.proxy.reset();
    await expectState(page, 'attention');
    await expectRefused(page, 'This step was already done by Cleo.');
    await expect(title(page)).toHaveText('Approval pending');
    await expect(page.getByText('Whose songs are they?')).toBeVisible();
    await expect(comment(page)).toHaveValue(WORDS);
    await page.reload();
    await expectRefused(page, 'This step was already done by Cleo.');
    await expect(comment(page)).toHaveValue(WORDS);
    expect(await commandsOf(cleo, product)).toEqual([
      ['Continue', null],
      ['Hold', 'Whose songs are they?'],
    ]);

    await page.goto(`${world.url}/tasks`);
    const line = (await openPanel(page)).getByRole('listitem').filter({ hasText: GIVEN });
    await expect(line).toContainText('The workflow has moved on');
    await expect(line).toContainText(WORDS);
    await line.getByRole('link', { name: 'Edit' }).click();
    await expect(title(page)).toHaveText('Approval pending');
    await expect(comment(page)).toHaveValue(WORDS);

    await approve(page);
    await untilSent(page);
    await expect
      .poll(async () => (await commandsOf(cleo, product)).at(-1))
      .toEqual(['Approve', WORDS]);
    await untilSent(page);
    expect(await commandsOf(cleo, product)).toHaveLength(3);
  });

  test('and that nobody waits for any more is discarded, and nothing of it was done', async ({
    world,
    team,
    browserOf,
  }) => {
    const { product, cleo } = await waitingForApproval(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    await open(page, `${world.url}/flow/any/${product}`);
    await approveOffline(page, world);
    await command(cleo, product, 'Approve');

    world.proxy.reset();
    await expectState(page, 'attention');
    const refused = await expectRefused(page, 'This step was already done by Cleo.');
    await expect(title(page)).toHaveText('App builder configuration');
    await expect(page.getByText('This step is waiting for Ana.')).toBeVisible();
    await refused.getByRole('button', { name: 'Discard' }).click();
    await expect(refused).toHaveCount(0);
    await untilLoaded(page);
    const panel = await openPanel(page);
    await expect(panel.getByText(GIVEN)).toHaveCount(0);
    expect(await commandsOf(cleo, product)).toEqual([
      ['Continue', null],
      ['Approve', null],
    ]);
  });

  test('is refused at once while nothing was heard of that, and the words stay', async ({
    world,
    team,
    browserOf,
  }) => {
    const { product, cleo } = await waitingForApproval(world, team);
    const page = await (await browserOf(team.ben)).newPage();
    const news = await newsOf(page);
    await open(page, `${world.url}/flow/any/${product}`);
    await comment(page).fill(WORDS);
    news.hold();
    await command(cleo, product, 'Hold', 'Whose songs are they?');
    await approve(page);
    await expectRefused(page, 'This step was already done');
    await expect(comment(page)).toHaveValue(WORDS);

    news.release();
    await expectRefused(page, 'This step was already done by Cleo.');
    await expect(title(page)).toHaveText('Approval pending');
    await expect(comment(page)).toHaveValue(WORDS);
    await approve(page);
    await expect(page.getByRole('alert').filter({ hasText: WORDS })).toHaveCount(0);
    await expect
      .poll(() => commandsOf(cleo, product))
      .toEqual([
        ['Continue', null],
        ['Hold', 'Whose songs are they?'],
        ['Approve', WORDS],
      ]);
  });

  test('is a rebuild that somebody else began: its reason stands on the product', async ({
    world,
    team,
    page,
  }) => {
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' });
    const fields = { productDefinition: await seeded(world, 'productDefinition', HTML) };
    const { id } = await aPublishedProduct(world.parts, project, fields);
    await open(page, `${world.url}/projects/${project.id}`);
    world.proxy.setOpen(false);
    await page.getByRole('button', { name: `More for ${HTML}` }).click();
    await page.getByRole('menuitem', { name: 'Rebuild' }).click();
    await expect(page.getByText('Will be sent: Rebuild')).toBeVisible();
    await expectWaiting(page, 1);
    await team.api.add({
      type: 'product-action-runs',
      id: randomUUID(),
      attributes: { action: 'rebuild' },
      relationships: { product: { data: { type: 'products', id } } },
    });

    world.proxy.reset();
    await expectState(page, 'attention');
    const card = page.locator('.product-card').filter({ hasText: HTML });
    await expect(card).toContainText('It is being worked on already');
    const runs = await team.api.list(`/api/products/${id}/transitions`);
    const begun = runs.filter(({ attributes }) => attributes?.['transition-type'] === 2);
    expect(begun).toHaveLength(1);
    const panel = await openPanel(page);
    await panel.getByRole('button', { name: 'Discard', exact: true }).click();
    await untilLoaded(page);
  });
});

/** Ana has asked for approval of an Android app; `cleo` is what Cleo does meanwhile. */
async function waitingForApproval(world: World, team: Team) {
  const cleo = await team.apiOf(await team.join('Cleo', ['OrganizationAdmin']));
  const { product } = await begin(world, team, ANDROID, { state: 'Readiness Check' });
  await command(await team.apiOf(team.ana), product, 'Continue');
  return { product, cleo } satisfies { readonly cleo: Api; readonly product: string };
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(title(page)).toBeVisible();
  await untilLoaded(page);
  await untilInstalled(page);
}

const comment = (page: Page) => page.getByLabel(/^Comment/);

const approve = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true }).click();

/** Writes and approves, and nothing of it arrives. */
async function approveOffline(page: Page, world: World): Promise<void> {
  world.proxy.setOpen(false);
  await comment(page).fill(WORDS);
  await approve(page);
  await expect(page.getByText('Will be sent: Approve')).toBeVisible();
  await expectState(page, 'offline');
  await expectWaiting(page, 1);
}

/** That the page says so, why, and what was written; gives where. */
async function expectRefused(page: Page, why: string) {
  const refused = page.getByRole('alert').filter({ hasText: '“Approve” was not accepted' });
  await expect(refused).toContainText(why);
  await expect(refused).toContainText(WORDS);
  return refused;
}
