import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aRecord, aProduct } from '../support/make.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import {
  button,
  expectState,
  goWithin,
  switchOf,
  title,
  untilInstalled,
  untilLoaded,
  untilSent,
} from './people.ts';
import { superAdmin, test } from './world.ts';
import type { Person, Team, World } from './world.ts';

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Project directory' }).getByRole('row').filter({ hasText: name });

/** A language that the projects of one test have, and no others. */
const aLanguage = () => `qaa-x-${randomUUID().slice(0, 8)}`;

/** Somebody of no organization of `team`’s, at the directory, filtered by `language`. */
async function atDirectory(world: World, page: Page, language: string): Promise<void> {
  await page.goto(`${world.url}/tasks`);
  await untilLoaded(page);
  await page.getByRole('navigation', { name: 'Main' }).getByText('Project directory').click();
  await expect(title(page)).toContainText('Project directory');
  await filterBy(page, language);
}

/** What is typed counts once the typing rests, which the address then says. */
async function filterBy(page: Page, language: string): Promise<void> {
  await page.getByRole('main').getByLabel('Language').fill(language);
  await expect(page).toHaveURL(new RegExp(`language=${language}`));
}

test.describe('the project directory', () => {
  test('lists public projects of all organizations, searched, filtered by the address, and leads to them [R12, R128, R129, R130, R131, R132, R133, R134, R135]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const language = aLanguage();
    const harvest = await anotherTeam.project('Harvest', {
      language,
      description: 'Songs of the harvest',
    });
    await anotherTeam.project('Hidden', { language, isPublic: false });
    await anotherTeam.project('Archived', { language, dateArchived: '2026-01-01T00:00:00.000Z' });
    await team.project('Psalms', { language });
    const { db } = world.parts;
    const product = await aProduct(db, { project: harvest });
    for (const [buildId, version] of [
      [1, '1.0'],
      [2, '1.1'],
    ] as const) {
      const build = await aRecord(db, 'productBuild', {
        ...{ product: product.id, buildId, buildVersion: version, success: true },
      });
      await aRecord(db, 'productArtifact', {
        ...{ product: product.id, productBuild: build.id, artifactType: 'apk' },
        ...{ filename: `harvest-${version}.apk`, fileSize: 2048 },
      });
    }

    const page = await (await browserOf(team.ana)).newPage();
    await atDirectory(world, page, language);
    await expect(title(page)).toHaveText('Project directory 2');
    await expect(rowOf(page, 'Harvest')).toBeVisible();
    await expect(rowOf(page, 'Psalms')).toBeVisible();
    await expect(rowOf(page, 'Hidden')).toHaveCount(0);
    await expect(page.getByRole('columnheader')).toContainText([
      'Project',
      'Organization',
      'Language',
    ]);
    await expectAccessibleInBoth(page, 'the directory');

    await page.getByRole('searchbox').fill('harv');
    await expect(title(page)).toHaveText('Project directory 1');
    await page.getByRole('searchbox').fill('');
    await expect(title(page)).toHaveText('Project directory 2');
    await page.getByLabel('Updated from').fill('2001-01-01');
    await page.getByLabel('Updated to').fill('2001-02-01');
    await expect(page.getByText('No results')).toBeVisible();
    await expect(page).toHaveURL(/from=2001-01-01.*to=2001-02-01/);
    await page.reload();
    await expect(page.getByText('No results')).toBeVisible();
    await page.getByLabel('Updated from').fill('2001-03-01');
    await expect(page.getByText(/^Not after/)).toBeVisible();
    await expect(page).toHaveURL(/from=2001-01-01/);
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await expect(page).not.toHaveURL(/from=/);
    await filterBy(page, language);
    await page.getByLabel('Updated from').fill('2001-01-01');
    await expect(page).toHaveURL(/from=2001-01-01/);
    await expect(title(page)).toHaveText('Project directory 2');
    await page
      .getByLabel('Organization')
      .selectOption({ value: anotherTeam.organization }, { timeout: 10_000 });
    await expect(title(page)).toHaveText('Project directory 1');

    await page.getByRole('link', { name: 'Harvest' }).click();
    await expect(title(page)).toHaveText('Harvest');
    const main = page.getByRole('main');
    await expect(main).toContainText('Songs of the harvest');
    await expect(main.getByText('Organization contact')).toBeVisible();
    await expect(main).toContainText('harvest-1.1.apk');
    const older = main.getByRole('option', { name: /^Build 1\.0 · Built · / });
    await main.getByRole('combobox').selectOption(await older.getAttribute('value'));
    await expect(main).toContainText('harvest-1.0.apk');
    await expect(main).not.toContainText('harvest-1.1.apk');
    await expect(main.getByRole('link', { name: 'Open the project' })).toHaveCount(0);
    await expectAccessibleInBoth(page, 'a project of the directory');
    await page.goBack();
    await expect(title(page)).toHaveText('Project directory 1');
  });

  test('follows what its owners do, and knows nothing of a project that is not public any more [R136, R137]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const language = aLanguage();
    const harvest = await anotherTeam.project('Harvest', { language });
    const page = await (await browserOf(team.ana)).newPage();
    await page.goto(`${world.url}/directory/${harvest}`);
    await expect(title(page)).toHaveText('Harvest');
    await change(anotherTeam, harvest, { name: 'Harvest Home' });
    await expect(title(page)).toHaveText('Harvest Home');
    await change(anotherTeam, harvest, { 'is-public': false });
    await expect(title(page)).toHaveText('Not Found!');
    await atDirectory(world, page, language);
    await expect(page.getByText('No results')).toBeVisible();
    await page.goto(`${world.url}/directory/something/else`);
    await expect(title(page)).toHaveText('Not Found!');
  });

  test('leads people of its organization on where a project is not public', async ({
    world,
    team,
    page,
  }) => {
    const hidden = await team.project('Hidden', { isPublic: false });
    await page.goto(`${world.url}/directory/${hidden}`);
    await expect(page).toHaveURL(`${world.url}/projects/${hidden}`);
    const psalms = await team.project('Psalms');
    await page.goto(`${world.url}/directory/${psalms}`);
    await page.getByRole('link', { name: 'Open the project' }).click();
    await expect(page).toHaveURL(`${world.url}/projects/${psalms}`);
  });

  test('has offline what was looked at, and says that it is not complete', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const language = aLanguage();
    const harvest = await anotherTeam.project('Harvest', { language });
    await team.project('Psalms', { language });
    const page = await (await browserOf(team.ana)).newPage();
    await atDirectory(world, page, language);
    await expect(title(page)).toHaveText('Project directory 2');
    await rowOf(page, 'Harvest').getByRole('link').click();
    await expect(title(page)).toHaveText('Harvest');
    await untilInstalled(page);
    await page.context().setOffline(true);
    await page.reload();
    await expectState(page, 'offline');
    await expect(title(page)).toHaveText('Harvest');
    await goWithin(page, `/directory?language=${language}`);
    await expect(page.getByText('Not complete without the server')).toBeVisible();
    await expect(rowOf(page, 'Harvest')).toBeVisible();
    await expect(rowOf(page, 'Psalms')).toBeVisible();
    await expectAccessibleInBoth(page, 'the directory offline');
    await goWithin(page, `/directory/${randomUUID()}`);
    await expect(page.getByText('Not on this device')).toBeVisible();
    await goWithin(page, '/projects/organization');
    await expect(page.getByRole('link', { name: 'Psalms' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Harvest' })).toHaveCount(0);
    await page.context().setOffline(false);
    await goWithin(page, `/directory/${harvest}`);
    await change(anotherTeam, harvest, { name: 'Harvest Home' });
    await expect(title(page)).toHaveText('Harvest Home');
  });
});

test.describe('a super admin with all organizations in view', () => {
  /** A super admin of `team`, whose device keeps nothing of `anotherTeam`. */
  async function asSue(
    world: World,
    team: Team,
    browserOf: (person: Person) => Promise<{ newPage(): Promise<Page> }>,
  ): Promise<Page> {
    const page = await (await browserOf(await superAdmin(world, team))).newPage();
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    return page;
  }

  test('sees the projects of all in every list, and opens and changes any by its address [R312, R350]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const name = `Harvest ${randomUUID().slice(0, 8)}`;
    const harvest = await anotherTeam.project(name, { isPublic: false });
    const page = await asSue(world, team, browserOf);
    await goWithin(page, '/projects/organization');
    await page.getByRole('searchbox').fill(name);
    await expect(page.getByRole('link', { name })).toBeVisible();
    await page.goto(`${world.url}/projects/${harvest}/edit`);
    await page.getByLabel(/^Name/).fill(`${name} Home`);
    await button(page, 'Save').click();
    await expect(title(page)).toHaveText(`${name} Home`);
    await untilSent(page);
    const stored = await anotherTeam.api.first(`/api/projects/${harvest}`);
    expect(stored.attributes?.name).toBe(`${name} Home`);
    await change(anotherTeam, harvest, { name: 'Renamed by others' });
    await expect(title(page)).toHaveText('Renamed by others');
    await button(page, 'Add author').click();
    await expect(page.getByText('The people of this organization are not')).toBeVisible();
    await button(page, /^Look at /).click();
    await expect(page.getByText('Nobody else in this group has the role Author')).toBeVisible();
    await goWithin(page, `/projects/${randomUUID()}`);
    await expect(title(page)).toHaveText('Not Found!');
  });

  test('finds everybody, opens their settings, and sees who owns each organization [R140, R154, R315]', async ({
    world,
    team,
    anotherTeam,
    browserOf,
  }) => {
    const page = await asSue(world, team, browserOf);
    const far = await anotherTeam.join(`Far${randomUUID().slice(0, 6)}`, ['Author']);
    await goWithin(page, '/users');
    await page.getByRole('searchbox').fill(far.name);
    const row = page
      .getByRole('table', { name: 'Users' })
      .getByRole('row')
      .filter({ hasText: far.name });
    await expect(row).toContainText('Author');
    await row.getByRole('link').click();
    await expect(title(page)).toContainText(far.name);
    await page.getByRole('link', { name: 'Roles' }).click();
    const role = switchOf(page, 'App Builder');
    await role.click();
    await expect(role).toBeChecked();
    await untilSent(page);
    const roles = await anotherTeam.api.list(`/api/user-roles?filter[user-id]=${far.id}`);
    expect(roles.map(({ attributes }) => attributes?.['role-name'])).toContain('AppBuilder');
  });
});

/** What Ben of `team` does meanwhile. */
async function change(
  team: Team,
  project: string,
  attributes: Readonly<Record<string, unknown>>,
): Promise<void> {
  await team.api.change({ type: 'projects', id: project, attributes });
}
