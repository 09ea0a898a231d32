import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Of } from '#schema/index.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { aCause, aRecord } from '../support/make.ts';
import { aProjectSetUp, aPublishedProduct, fillRepository } from '../support/published.ts';
import { title, untilLoaded } from './people.ts';
import { begin, content, HTML, newsOf, seeded, toOne, whose } from './products.ts';
import { test } from './world.ts';
import type { Person, Team, World } from './world.ts';

const FIRST = 'App Builder Configuration';

/**
 * What one person does shows on the screen of another, who does nothing: after how long is printed.
 * Of what the engine does there is no answer: there it is since the moment that the product keeps.
 */
test.describe('[issue 4] on a second screen', () => {
  let letters: Mail[];
  let stopListening: () => void;

  test.beforeEach(({ world: { parts } }) => {
    letters = [];
    const { mail } = parts;
    const send = mail.send.bind(mail);
    mail.send = (letter) => {
      letters.push(letter);
      return send(letter);
    };
    stopListening = () => {
      mail.send = send;
    };
  });
  // The tests of other files have the same server.
  test.afterEach(() => {
    stopListening();
  });

  test('a transfer to authors and back shows as their task and ours [R4, R19, R232]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    const aki = await team.join('Aki', ['Author']);
    const { project, product } = await begin(world, team, HTML, { content, state: FIRST });
    const [ofProject, ofAki] = [toOne('projects', project.id), toOne('users', aki.id)];
    await team.api.add({
      type: 'authors',
      id: randomUUID(),
      relationships: { project: ofProject, user: ofAki },
    });
    const theirs = await (await browserOf(aki)).newPage();
    await goTo(theirs, `${world.url}/tasks`);
    await expect(theirs.getByText('You’re all caught up')).toBeVisible();
    // They were told that they are an author now; she of her product, and that it waits for her.
    await expect(bell(theirs, 1)).toBeVisible();
    await goTo(page, `${world.url}/flow/any/${product}`);
    await expect(title(page)).toHaveText('App builder configuration');

    await page.getByLabel(/^Comment/).fill('Please look it over.');
    const row = theirs.getByRole('row').filter({ hasText: 'Author configuration' });
    await live('a transfer, to the author', row, () => give(page, 'Transfer to Authors'));
    await expect(theirs.getByText('Please look it over.')).toBeVisible();
    const main = theirs.getByRole('navigation', { name: 'Main' });
    await expect(main.getByRole('link', { name: 'My tasks (1)' })).toBeVisible();
    await expect(bell(theirs, 2)).toBeVisible();
    await expect(title(page)).toHaveText('Author configuration');
    await expect(bell(page, 2)).toBeVisible();

    await row.locator('[href^="/flow/"]').click();
    const back = title(page).filter({ hasText: 'App builder configuration' });
    await live('the way back, to the owner', back, () => give(theirs, 'Continue'));
    await expect(bell(page, 3)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();

    await main.getByRole('link', { name: /^My tasks/ }).click();
    await live('a second transfer', row, () => give(page, 'Transfer to Authors'));
    await live('what is taken back', theirs.getByText('You’re all caught up'), () =>
      give(page, 'Take Back'),
    );
    await expect(main.getByRole('link', { name: 'My tasks', exact: true })).toBeVisible();
  });

  test('a build that fails and a verification that is rejected show to the admin [R19, R407]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    const { project, product } = await begin(world, team, HTML, { state: FIRST });
    const admins = await (await browserOf(team.ben)).newPage();
    await goTo(admins, `${world.url}/flow/any/${product}`);
    await goTo(page, `${world.url}/flow/any/${product}`);
    const state = (name: string) => title(admins).filter({ hasText: name });

    const failed = seenAt(state('Synchronize data'));
    await expect(page.getByText(/^Nothing has been uploaded yet/)).toBeVisible();
    await give(page, 'Continue', 'Build anyway');
    tell('a build that failed', (await failed) - (await movedAt(world, product)));
    await expect(admins.getByText('Build failed')).toBeVisible();
    await expect(bell(admins, 1)).toBeVisible();
    await expect(title(page)).toHaveText('Synchronize data');
    await expect.poll(() => mailTo(team.ben)).toEqual(['notification']);

    await fillRepository(world.parts, project.workflowProjectUrl, content);
    await goTo(page, `${world.url}/flow/any/${product}`);
    const built = seenAt(state('Verify and publish'));
    await live('a build that begins', state('Product build'), () => give(page, 'Continue'));
    tell('a build that succeeded', (await built) - (await movedAt(world, product)));

    await page.getByLabel(/^Comment/).fill('The heron is missing.');
    const note = admins.getByText('The heron is missing.');
    await live('a rejected verification', note, () => give(page, 'Reject'));
    await expect(state('Synchronize data')).toBeVisible();
    await expect(admins.getByText('This step is waiting for Ana.')).toBeVisible();
    await expect.poll(() => mailTo(team.ben)).toEqual(['notification', 'rejection']);
    expect(mailTo(team.ana)).not.toContain('rejection');
  });

  test('a rebuild and its cancel show on the project’s page [R19, R106, R251]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    const of = { ...whose(team), name: 'Harvest' };
    const project = await aProjectSetUp(world.parts, of, content);
    const fields = { productDefinition: await seeded(world, 'productDefinition', HTML) };
    await aPublishedProduct(world.parts, project, fields);
    const admins = await (await browserOf(team.ben)).newPage();
    for (const screen of [page, admins]) await goTo(screen, `${world.url}/projects/${project.id}`);
    const card = admins.locator('.product-card').filter({ hasText: HTML });

    await live('a rebuild', card.getByText('Product rebuild'), async () => {
      await page.getByRole('button', { name: `More for ${HTML}` }).click();
      return answered(page, 'product-action-runs', () =>
        page.getByRole('menuitem', { name: 'Rebuild' }).click(),
      );
    });
    await expect(page.getByText('Rebuild started')).toBeVisible();

    const atWork = card.getByText(/^(Product rebuild|Verify and publish)/);
    await live(
      'a cancel',
      atWork,
      async () => {
        await page.getByRole('button', { name: `More for ${HTML}` }).click();
        await page.getByRole('menuitem', { name: 'Cancel' }).click();
        const dialog = page.getByRole('dialog');
        return answered(page, 'product-action-runs', () =>
          dialog.getByRole('button', { name: 'Cancel', exact: true }).click(),
        );
      },
      'hidden',
    );
    await expect(bell(admins, 0)).toBeVisible();
  });

  test('fifty products that are rebuilt together, of which five may not be, show as they begin [R19, R86, R370]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    const preview = await aDefinition(world);
    const fields = await fifty(world, team, preview.id);
    const admins = await (await browserOf(team.ben)).newPage();
    await goTo(admins, `${world.url}/projects/active`);
    await expect(admins.getByText('No projects found')).toBeVisible();
    const news = await newsOf(page);
    await goTo(page, `${world.url}/projects/own`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Select all 50' }).click();
    await page.getByRole('button', { name: 'Rebuild or republish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rebuild or republish' });
    await expect(dialog.getByText('49 of 49 products can be rebuilt')).toBeVisible();

    news.hold();
    await refuseFive(world, team, fields, preview);
    const active = (count: number) => title(admins).filter({ hasText: ` ${String(count)}` });
    await expect(active(1)).toBeVisible();
    await dialog.getByRole('button', { name: 'Rebuild 50 products' }).click();
    for (const [n, reason] of [
      [3, 'It is being worked on already'],
      [11, 'Its project is archived'],
      [22, 'You are not allowed to do that'],
      [33, 'There is no workflow for that'],
      [44, 'It is not there, or you may not see it'],
    ] as const) {
      const name = n === 33 ? 'HTML Preview' : HTML;
      const line = dialog.getByRole('listitem').filter({ hasText: `${name}, ${field(n)}` });
      await expect(line).toContainText(reason);
    }
    await expect(active(1)).toBeVisible();

    await live('fifty but five that are rebuilt', active(46), async () => {
      const path = '/api/product-actions/run';
      const answer = page.waitForResponse((one) => one.url().endsWith(path) && one.ok());
      await dialog.getByRole('button', { name: 'Rebuild 45 products' }).click();
      await answer;
      return Date.now();
    });
    await expect(page.getByText('Rebuild: 45 products started')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    news.release();
    await untilLoaded(page);
  });

  const mailTo = ({ email }: Person) =>
    letters.filter(({ to }) => to === email).map(({ template }) => template);
});

/** Prints what a person would have to wait, for people to read: it is nothing that a test could rely on. */
function tell(what: string, afterMs: number): void {
  const description = `${what}: after ${String(afterMs)} ms`;
  test.info().annotations.push({ type: 'on the second screen', description });
  process.stdout.write(`    ${description}\n`);
}

async function seenAt(shows: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<number> {
  await shows.waitFor({ state, timeout: 60_000 });
  return Date.now();
}

/** Does what has an answer, and waits until it shows on the other screen. */
async function live(
  what: string,
  shows: Locator,
  deed: () => Promise<number>,
  state: 'visible' | 'hidden' = 'visible',
): Promise<void> {
  const seen = seenAt(shows, state);
  const answeredAt = await deed();
  tell(what, (await seen) - answeredAt);
}

/** The moment at which the server’s answer to what `deed` sends has come. */
async function answered(page: Page, type: string, deed: () => Promise<void>): Promise<number> {
  const answer = page.waitForResponse(
    (one) =>
      one.url().endsWith('/api/operations') && one.request().postData()?.includes(type) === true,
  );
  await deed();
  await answer;
  return Date.now();
}

/** Presses the button of a command, and that of the question that comes. */
function give(page: Page, command: string, anyway?: string): Promise<number> {
  return answered(page, 'task-commands', async () => {
    await page.getByRole('button', { name: command, exact: true }).click();
    if (anyway !== undefined) await page.getByRole('button', { name: anyway, exact: true }).click();
  });
}

async function movedAt({ parts }: World, product: string): Promise<number> {
  const moved = await parts.db.read((tx) => tx.one('product', product));
  return Date.parse(moved?.dateUpdated ?? '');
}

const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: `Notifications, unread: ${String(unread)}` });

async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilLoaded(page);
}

const field = (n: number): string => `Field ${String(n).padStart(2, '0')}`;

interface Field {
  readonly project: string;
  readonly product: string;
}

/** A kind of product that this test may spoil. */
async function aDefinition({ parts: { db } }: World): Promise<Of<'productDefinition'>> {
  const [html] = await db.read((tx) => tx.all('productDefinition', { name: HTML }));
  const rebuildWorkflow = await aRecord(db, 'workflowDefinition', {
    name: 'html_preview_rebuild',
    type: 2,
    workflowScheme: 'AppBuilders_Default_Html_Cloud_Rebuild',
    enabled: true,
  });
  return aRecord(db, 'productDefinition', {
    name: 'HTML Preview',
    type: html?.type ?? '',
    workflow: html?.workflow ?? '',
    rebuildWorkflow: rebuildWorkflow.id,
  });
}

/** Fifty projects of Ana’s with a published product each; one is of another kind. */
async function fifty(world: World, team: Team, other: string): Promise<readonly Field[]> {
  const usual = await seeded(world, 'productDefinition', HTML);
  const fields: Field[] = [];
  for (let n = 1; n <= 50; n += 1) {
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: field(n) });
    const productDefinition = n === 33 ? other : usual;
    const { id: product } = await aPublishedProduct(world.parts, project, { productDefinition });
    fields.push({ project: project.id, product });
  }
  return fields;
}

/** Ben does what forbids five of them, each in another way. */
async function refuseFive(
  { parts: { db } }: World,
  { api, ben }: Team,
  fields: readonly Field[],
  { rebuildWorkflow }: Of<'productDefinition'>,
): Promise<void> {
  const of = (n: number) => fields[n - 1] ?? { project: '', product: '' };
  await api.add({
    type: 'product-action-runs',
    id: randomUUID(),
    attributes: { action: 'rebuild' },
    relationships: { product: toOne('products', of(3).product) },
  });
  const archived = { 'date-archived': new Date().toISOString() };
  await api.change({ type: 'projects', id: of(11).project, attributes: archived });
  const relationships = { owner: toOne('users', ben.id) };
  await api.change({ type: 'projects', id: of(22).project, relationships });
  await db.write(aCause(), (write) =>
    write.change('workflowDefinition', rebuildWorkflow ?? '', { enabled: false }),
  );
  await api.remove({ type: 'products', id: of(44).product });
}
