import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aPublishedProduct, aProjectSetUp } from '../support/published.ts';
import { openProject, untilLoaded, untilSent } from './people.ts';
import { content, HTML, offer, whose } from './products.ts';
import { test } from './world.ts';
import type { Team } from './world.ts';

/** What is archived, and what comes back: seen in the lists, and at the server. */
test.describe('archiving projects', () => {
  const archivedAt = async ({ api }: Team, project: string) =>
    (await api.first(`/api/projects/${project}`)).attributes?.['date-archived'] ?? null;
  const openList = async (page: Page, url: string) => {
    await page.goto(url);
    await untilLoaded(page);
  };
  const choose = async (page: Page, project: string, entry: string) => {
    await page.getByRole('button', { name: `More for ${project}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const linkTo = (page: Page, project: string) =>
    page.getByRole('row').getByRole('link', { name: project, exact: true });

  test('is done by the owner from its menu in the list, and undone from that of the archived [R81, R308]', async ({
    world,
    team,
    page,
  }) => {
    const project = await team.project('Harvest');
    await openList(page, `${world.url}/projects/own`);
    await choose(page, 'Harvest', 'Archive');
    await expect(page.locator('.toast')).toContainText('Project archived');
    await untilSent(page);
    expect(await archivedAt(team, project)).not.toBe(null);

    await openList(page, `${world.url}/projects/own`);
    await expect(linkTo(page, 'Harvest')).toHaveCount(0);
    await openList(page, `${world.url}/projects/archived`);
    await expect(linkTo(page, 'Harvest')).toBeVisible();
    await choose(page, 'Harvest', 'Reactivate');
    await untilSent(page);
    expect(await archivedAt(team, project)).toBe(null);
    await openList(page, `${world.url}/projects/own`);
    await expect(linkTo(page, 'Harvest')).toBeVisible();
  });

  test('is done by the owner from the menu of its page [R101, R308]', async ({
    world,
    team,
    page,
  }) => {
    const project = await team.project('Harvest');
    await openProject(page, world.url, project);
    await choose(page, 'Harvest', 'Archive');
    await expect(page.getByText('This project is archived')).toBeVisible();
    await untilSent(page);
    expect(await archivedAt(team, project)).not.toBe(null);
  });

  test('is done by an admin with projects of others, one by its menu and two together [R81, R83, R303]', async ({
    world,
    team,
    page,
    browserOf,
  }) => {
    const names = ['Harvest', 'Juniper', 'Lantern'];
    const projects = await Promise.all(names.map((name) => team.project(name)));
    await openList(page, `${world.url}/projects/own`);
    await expect(linkTo(page, 'Lantern')).toBeVisible();
    const admins = await (await browserOf(team.ben)).newPage();
    await openList(admins, `${world.url}/projects/organization`);
    await choose(admins, 'Harvest', 'Archive');
    for (const name of ['Juniper', 'Lantern'])
      await admins.getByRole('checkbox', { name: `Select ${name}` }).check();
    await admins.getByRole('button', { name: 'Archive', exact: true }).click();
    await untilSent(admins);
    for (const project of projects) expect(await archivedAt(team, project)).not.toBe(null);
    // Their owner has them no longer, without a reload.
    for (const name of names) await expect(linkTo(page, name)).toHaveCount(0);
  });
});

/** The page of a product's files has the actions of its card. */
test.describe('the actions of a product, from the page of its files', () => {
  test('begin a rebuild, and remove the product [R11, R122]', async ({ world, team, page }) => {
    const offered = await offer(world, team, HTML);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    const { id } = await aPublishedProduct(world.parts, project, offered);
    const choose = async (entry: string) => {
      await page.getByRole('button', { name: `More for ${HTML}` }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await page.goto(`${world.url}/products/${id}/files`);
    await untilLoaded(page);
    await choose('Rebuild');
    await untilSent(page);
    const begun = async () =>
      (await team.api.list(`/api/products/${id}/transitions`)).filter(
        ({ attributes }) => attributes?.['transition-type'] === 2,
      ).length;
    await expect.poll(begun).toBe(1);

    const another = await aProjectSetUp(world.parts, { ...whose(team), name: 'Juniper' }, content);
    const other = await aPublishedProduct(world.parts, another, offered);
    await page.goto(`${world.url}/products/${other.id}/files`);
    await untilLoaded(page);
    await choose('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page).toHaveURL(`${world.url}/projects/${another.id}`);
    await untilSent(page);
    expect(await team.api.list(`/api/products?filter[project]=${another.id}`)).toEqual([]);
  });
});
