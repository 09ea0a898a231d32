import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aCause, aGroup, aProject, aRecord } from '../support/make.ts';
import { aProjectSetUp, aPublishedProduct } from '../support/published.ts';
import {
  expectState,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
  button,
  switchOf,
} from './people.ts';
import { ASSETS, begin, content, HTML, offer, seeded, whose } from './products.ts';
import { recordsOf } from './compared-records.ts';
import { test } from './world.ts';
import type { Team, World } from './world.ts';

const FIRST = 'App Builder Configuration';
/** Projects that never get a repository. */
const UNSETTLED = ['Juniper', 'Lantern', 'Orchard'];

/** What a team has before the day begins: the same for each. */
interface Ground {
  readonly harvest: string;
  readonly heron: string;
  readonly psalms: string;
}

/** Everything that these screens write, done twice by two teams: what is in the database is the same. */
test('[issue 5] a day’s work without the server ends as the same work with it', async ({
  world,
  team,
  anotherTeam,
  browserOf,
}) => {
  test.setTimeout(8 * 60_000);
  const online = await groundOf(world, team);
  const page = await (await browserOf(team.ben)).newPage();
  await arrive(page, world);
  await aDaysWork(page, world, online);
  await untilSent(page);
  await untilAtRest(world, team);

  const offline = await groundOf(world, anotherTeam);
  const other = await (await browserOf(anotherTeam.ben)).newPage();
  await arrive(other, world);
  await world.stop();
  await expectState(other, 'offline');
  await aDaysWork(other, world, offline);
  await world.startAgain();
  await untilSent(other);
  await untilAtRest(world, anotherTeam);

  const there = await recordsOf(world, rootsOf(team));
  expect(there.length).toBeGreaterThan(60);
  await expect
    .poll(() => recordsOf(world, rootsOf(anotherTeam)), { timeout: 60_000 })
    .toEqual(there);
});

async function groundOf(world: World, { ana, ben, ...rest }: Team): Promise<Ground> {
  const team = { ...rest, ben, ana: ben };
  const { db } = world.parts;
  const { organization } = team;
  const aki = await team.join('Aki', ['Author']);
  const choir = await aGroup(db, { owner: organization, name: 'Choir', abbreviation: 'CH' });
  for (const { id } of [ana, ben, aki])
    await aRecord(db, 'groupMembership', { user: id, group: choir.id });
  const { project: river } = await begin(world, team, HTML, { content, state: FIRST });
  await db.write(aCause(), (w) => w.change('project', river.id, { name: 'River' }));
  await offer(world, team, ASSETS);

  const mine = whose(team);
  const harvest = await aProjectSetUp(world.parts, { ...mine, name: 'Harvest' }, content);
  await aRecord(db, 'reviewer', {
    project: harvest.id,
    name: 'Rolf',
    email: 'rolf@example.org',
    locale: 'en-US',
  });
  const psalms = await aProjectSetUp(world.parts, { ...mine, name: 'Psalms' }, content);
  const productDefinition = await seeded(world, 'productDefinition', HTML);
  const store = await seeded(world, 'store', 'slipway_web');
  await aPublishedProduct(world.parts, psalms, { productDefinition, store });
  for (const name of ['Juniper', 'Lantern']) await aProject(db, { ...mine, name });
  await aProject(db, { ...mine, owner: ana.id, name: 'Orchard' });
  const heron = await aProjectSetUp(world.parts, { ...mine, name: 'Heron' }, content);
  return { harvest: harvest.id, heron: heron.id, psalms: psalms.id };
}

async function arrive(page: Page, { url }: World): Promise<void> {
  await page.goto(`${url}/tasks`);
  await expect(page.getByRole('row').filter({ hasText: 'River' })).toBeVisible();
  await untilLoaded(page);
  await untilInstalled(page);
}

async function aDaysWork(page: Page, { url }: World, ground: Ground): Promise<void> {
  await makeOne(page);
  await page.goto(`${url}/projects/${ground.harvest}`);
  await settle(page);
  await page.goto(`${url}/projects/${ground.heron}`);
  await giveAway(page);
  await page.goto(`${url}/projects/${ground.psalms}`);
  await publishAnew(page);
  await archiveAndClaim(page, url);
  await page.goto(`${url}/tasks`);
  await giveCommand(page);
  await page.goto(`${url}/projects/import`);
  await importOne(page);
  await page.goto(`${url}/tasks`);
  await tidyUp(page);
}

async function makeOne(page: Page): Promise<void> {
  await mainLink(page, 'My projects').click();
  await page.getByRole('link', { name: 'Add project' }).last().click();
  await page.getByLabel(/^Name/).fill('Songs');
  await page.getByRole('combobox', { name: 'Language' }).fill('es-419');
  await page.getByLabel('Description').fill('Songs of the river.');
  await switchOf(page, /Public/).click();
  await button(page, 'Save').click();
  await expect(title(page)).toContainText('Songs');
}

/** Settings, people and products. */
async function settle(page: Page): Promise<void> {
  for (const name of [
    'Automatic builds',
    'Allow other organizations to download',
    'Public visibility',
  ])
    await switchOf(page, name).click();

  await button(page, 'Add author').click();
  await page.getByRole('combobox', { name: /^Person/ }).fill('Ak');
  await page.getByRole('option', { name: 'Aki' }).click();
  await button(page, 'Add').click();
  await expect(page.locator('[data-record^="authors:"]')).toHaveCount(1);

  await button(page, 'Remove Rolf from the reviewers').click();
  await button(page, 'Add reviewer').click();
  await page.getByLabel(/^Name/).fill('Rita');
  await page.getByLabel(/^Email/).fill('rita@example.org');
  await button(page, 'Add').last().click();
  await expect(page.locator('[data-record^="reviewers:"]')).toHaveCount(1);

  await button(page, 'Add products').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: ASSETS }).click();
  await dialog.getByRole('button', { name: 'slipway_files' }).click();
  await button(page, 'Done').click();
  await expect(page.locator('[data-record^="products:"]')).toHaveCount(1);
}

/** Of a project that nobody else has to do with meanwhile: who is told of what depends on who owns it then. */
async function giveAway(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel(/^Name/).fill('Grey heron');
  await button(page, 'Save').click();
  await expect(title(page)).toContainText('Grey heron');
  await page.getByLabel('Group').selectOption({ label: 'Choir' });
  await page.getByRole('combobox', { name: 'Owner' }).fill('An');
  await page.getByRole('option', { name: 'Ana' }).click();
  await expect(page.getByRole('combobox', { name: 'Owner' })).toHaveValue('Ana');
}

async function publishAnew(page: Page): Promise<void> {
  const more = button(page, `More for ${HTML}`);
  await more.click();
  await page.getByRole('menuitem', { name: 'Publishing properties' }).click();
  await page.getByLabel('Image tag').fill('stable');
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await more.click();
  await page.getByRole('menuitem', { name: 'Rebuild' }).click();
  await expect(page.getByText(/Rebuild started|Will be sent/).first()).toBeVisible();
}

async function archiveAndClaim(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/projects/organization`);
  for (const name of ['Juniper', 'Lantern'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await button(page, 'Archive').click();
  await button(page, 'More for Orchard').click();
  await page.getByRole('menuitem', { name: 'Claim ownership' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Orchard' })).toContainText('Ben');
  await page.goto(`${url}/projects/archived`);
  const lantern = page.getByRole('checkbox', { name: 'Select Lantern' });
  await lantern.click();
  await expect(lantern).toBeChecked();
  await button(page, 'Reactivate').click();
  await expect(page.getByText('active again')).toBeAttached();
}

async function giveCommand(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'River' }).locator('[href^="/flow/"]').click();
  await page.getByLabel(/^Comment/).fill('Songs of the field, as agreed.');
  await button(page, 'Continue').click();
  await expect(page.getByText(/Will be sent: Continue|Step completed/).first()).toBeVisible();
}

async function importOne(page: Page): Promise<void> {
  const Projects = [{ Name: 'Lantern Path', Language: 'es-419' }];
  await page.locator('input[type="file"]').setInputFiles({
    name: 'projects.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ Projects })),
  });
  await button(page, 'Import 1 project').click();
  await expect(page.getByText('Import started.').or(saved(page)).first()).toBeVisible();
}

async function tidyUp(page: Page): Promise<void> {
  await button(page, /^Language/).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(title(page)).toContainText('Mis tareas');
}

function saved(page: Page): Locator {
  return page.getByText('Saved on this device.', { exact: false });
}

function mainLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}

const rootsOf = ({ organization, ana, ben }: Team) => [organization, ana.id, ben.id];

/** Until nobody but people have something to do. */
async function untilAtRest(world: World, { organization }: Team): Promise<void> {
  const { db } = world.parts;
  const busy = () =>
    db.read(async (tx) => {
      const projects = await tx.all('project', { organization });
      const products = await Promise.all(
        projects.map(({ id }) => tx.all('product', { project: id })),
      );
      const imports = await tx.all('projectImport', { organization });
      const isBusy = products
        .flat()
        .some(({ workflowState }) => workflowState?.startsWith('Product '));
      const isSetUp = projects.every(
        ({ name, workflowProjectUrl }) => workflowProjectUrl !== null || UNSETTLED.includes(name),
      );
      return isBusy || !isSetUp || imports.length === 0;
    });
  await expect.poll(busy, { timeout: 90_000 }).toBe(false);
}
