import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aProjectSetUp } from '../support/published.ts';
import { aRecord } from '../support/make.ts';
import {
  expectState,
  expectWaiting,
  openProject,
  title,
  untilLoaded,
  untilSent,
} from './people.ts';
import { begin, content, HTML, offer, whose } from './products.ts';
import { holdBack } from './sending.ts';
import { test } from './world.ts';

const FIRST = 'App Builder Configuration';

/** Here nothing is found but by the role and name that it is read out with. */
test.describe('[issue 5] to who hears the page', () => {
  test('a list is a table with a name, says how it is sorted, and how much a search found', async ({
    world,
    team,
    page,
  }) => {
    for (const name of ['Harvest', 'Juniper', 'Lantern']) await team.project(name);
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    const table = page.getByRole('table', { name: 'My projects' });
    const projects = table.getByRole('link', { name: /^(Harvest|Juniper|Lantern)$/ });
    await expect(projects).toHaveText(['Harvest', 'Juniper', 'Lantern']);
    await expect(page.getByRole('heading', { level: 1, name: /My projects.* 3$/ })).toBeVisible();

    const name = table.getByRole('columnheader', { name: 'Project' });
    const language = table.getByRole('columnheader', { name: 'Language' });
    await expect(name).toHaveAttribute('aria-sort', 'ascending');
    await expect(language).toHaveAttribute('aria-sort', 'none');
    await name.getByRole('button').click();
    await expect(projects).toHaveText(['Lantern', 'Juniper', 'Harvest']);
    await expect(name).toHaveAttribute('aria-sort', 'descending');
    await language.getByRole('button').click();
    await expect(language).toHaveAttribute('aria-sort', 'ascending');
    await expect(name).toHaveAttribute('aria-sort', 'none');

    const search = page.getByRole('searchbox', { name: 'Search projects' });
    await search.fill('jun');
    await expect(said(page, '1 project found')).toHaveCount(1);
    await search.fill('nothing of the kind');
    await expect(said(page, '0 projects found')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'No projects found' })).toBeVisible();
    await search.fill('');
    await expect(projects).toHaveCount(3);
    await expect(said(page, /found/)).toHaveCount(0);
  });

  test('tasks, files and what else is listed have names too', async ({
    world,
    team,
    browserOf,
  }) => {
    const { db } = world.parts;
    const { project, product } = await begin(world, { ...team, ana: team.ben }, HTML, {
      content,
      state: FIRST,
    });
    const build = { product, buildVersion: '1.0.0', success: true };
    const { id: productBuild } = await aRecord(db, 'productBuild', build);
    await aRecord(db, 'productArtifact', { product, productBuild, filename: 'harvest.zip' });
    await aRecord(db, 'productPublication', { product, productBuild, success: true });
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/tasks`);
    const tasks = page.getByRole('table', { name: 'My tasks' });
    await expect(tasks.getByRole('link', { name: HTML })).toBeVisible();
    const waits = tasks.getByRole('columnheader', { name: 'Wait time' });
    const ofProject = tasks.getByRole('columnheader', { name: 'Project' });
    await expect(waits).toHaveAttribute('aria-sort', 'descending');
    await ofProject.getByRole('button').click();
    await expect(ofProject).toHaveAttribute('aria-sort', 'ascending');
    await expect(waits).toHaveAttribute('aria-sort', 'none');

    await page.goto(`${world.url}/products/${product}/files`);
    for (const name of ['Product files', 'Publications'])
      await expect(page.getByRole('table', { name })).toBeVisible();
    await page.getByRole('heading', { name: 'History' }).click();
    await expect(page.getByRole('table', { name: 'History' })).toBeVisible();
    await page.goto(`${world.url}/projects/own`);
    await expect(page.getByRole('link', { name: project.name })).toBeVisible();
    for (const unnamed of await page.getByRole('table').all())
      await expect(unnamed).toHaveAccessibleName(/./);
  });

  test('what is still coming is said', async ({ world, team, browserOf }) => {
    const page = await (await browserOf(team.ben)).newPage();
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    world.proxy.decide(({ url }) => (url.includes('project-imports') ? 'hang' : 'pass'));
    await page.goto(`${world.url}/projects/import`);
    await expect(page.getByRole('status', { name: 'Loading …' })).toHaveText('Loading …');
  });

  test('a dialog has a name and the focus, which goes back to where it was', async ({
    world,
    team,
    page,
  }) => {
    await offer(world, team, HTML);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    await openProject(page, world.url, project.id);
    const opened: readonly (readonly [opener: string | RegExp, dialog: string | RegExp])[] = [
      [/^Saved/, 'Changes'],
      [/^Notifications/, /^Notifications/],
      ['Add products', 'Add products'],
    ];
    for (const [name, dialog] of opened) {
      const opener = page.getByRole('button', { name, exact: true });
      await opener.click();
      await expectModal(page, page.getByRole('dialog', { name: dialog, exact: true }));
      await expect(opener).toBeFocused();
    }

    await page.getByRole('button', { name: 'Menu of Ana' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await expectModal(page, page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    await expect(page.getByRole('button', { name: 'Menu of Ana' })).toBeFocused();

    await page.setViewportSize({ width: 640, height: 800 });
    const toggle = page.getByRole('button', { name: 'Navigation', exact: true });
    await toggle.click();
    await expectModal(page, page.getByRole('dialog', { name: 'Navigation' }));
    await expect(toggle).toBeFocused();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  });

  test('a dialog in a dialog goes back to the one that it stands in', async ({
    world,
    team,
    page,
  }) => {
    await offer(world, team, HTML);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    await openProject(page, world.url, project.id);
    await page.getByRole('button', { name: 'Add products' }).click();
    const outer = page.getByRole('dialog', { name: 'Add products' });
    const choice = outer.getByRole('button', { name: HTML });
    await choice.click();
    await expectModal(page, page.getByRole('dialog', { name: `Select a store for ${HTML}` }));
    await expect(outer).toBeVisible();
    await expect(choice).toBeFocused();
  });

  test('a menu says that it is one, whether it is open, and which of several is chosen', async ({
    world,
    page,
    harvest,
  }) => {
    await openProject(page, world.url, harvest);
    for (const [name, role, entry] of [
      ['Menu of Ana', 'menuitem', 'Sign out'],
      ['Menu of Ana', 'menuitemradio', 'System'],
      [/^Language/, 'menuitemradio', 'English'],
      ['More for Harvest', 'menuitem', 'Archive'],
    ] as const) {
      const opener = page.getByRole('button', { name, exact: true });
      await expect(opener).toHaveAttribute('aria-haspopup', 'menu');
      await expect(opener).toHaveAttribute('aria-expanded', 'false');
      await opener.click();
      await expect(opener).toHaveAttribute('aria-expanded', 'true');
      const menu = page.getByRole('menu', { name, exact: true });
      const found = menu.getByRole(role, { name: entry });
      await expect(found).toBeVisible();
      if (role === 'menuitemradio') await expect(found).toBeChecked();
      await expect(menu.locator(':focus')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
      await expect(opener).toHaveAttribute('aria-expanded', 'false');
      await expect(opener).toBeFocused();
    }

    await page.goto(`${world.url}/projects/own`);
    const lists = page.getByRole('button', { name: 'My projects: choose another list' });
    await lists.click();
    await expect(page.getByRole('menuitemradio', { name: 'My projects' })).toBeChecked();
    await page.getByRole('menuitemradio', { name: 'Archived projects' }).click();
    await expect(title(page)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /Archived projects/ })).toBeVisible();

    await page.goto(`${world.url}/projects/own`);
    const columns = page.getByRole('button', { name: 'Choose columns' });
    await expect(columns).toHaveAttribute('aria-expanded', 'false');
    await columns.click();
    await expect(columns).toHaveAttribute('aria-expanded', 'true');
    const group = page.getByRole('group', { name: 'Choose columns' });
    await expect(group.getByRole('checkbox', { name: 'Owner' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(group).toBeHidden();
    await expect(columns).toBeFocused();
  });

  test('what was done is said when one can, what failed at once, in places that were there before', async ({
    world,
    team,
    page,
    harvest,
  }) => {
    await openProject(page, world.url, harvest);
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(messages.getByRole('status')).toBeEmpty();
    await expect(messages.getByRole('alert')).toBeEmpty();
    await page.getByRole('switch', { name: 'Automatic builds' }).press('Space');
    await expect(messages.getByRole('status')).toContainText('Automatic builds are off');
    await expect(messages.getByRole('alert')).toBeEmpty();
    await untilSent(page);

    holdBack(world.proxy);
    await page.getByRole('switch', { name: 'Automatic builds' }).press('Space');
    await expectWaiting(page, 1);
    const owner = { data: { type: 'users', id: team.ben.id } };
    await team.api.change({ type: 'projects', id: harvest, relationships: { owner } });
    world.proxy.reset();
    await expect(messages.getByRole('alert')).toContainText('Change automatic builds of Harvest');
    await expect(messages.getByRole('alert')).toContainText('You are not allowed to do that');
    await expect(header(page)).toHaveText('1 change needs attention');
  });

  test('where the own changes stand is said, and stands on the button', async ({
    world,
    page,
    context,
    harvest,
  }) => {
    await openProject(page, world.url, harvest);
    await expect(header(page)).toHaveText('Saved');
    const button = page
      .getByRole('banner')
      .getByRole('button', { name: /^(Saved|Offline|Saving)/ });
    await expect(button).toHaveAccessibleName('Saved');
    await expect(button).toHaveAttribute('aria-haspopup', 'dialog');
    await context.setOffline(true);
    await expectState(page, 'offline');
    await expect(header(page)).toHaveText('Offline');
    await page.getByRole('switch', { name: 'Automatic builds' }).press('Space');
    await expect(button).toHaveAccessibleName('Offline, 1 change not sent yet');
    await context.setOffline(false);
    await untilSent(page);
    await expect(header(page)).toHaveText('Saved');
    await expect(button).toHaveAccessibleName('Saved');
  });

  test('why a form cannot be saved is said at its button, and what it must have at the field', async ({
    world,
    page,
    harvest,
  }) => {
    await openProject(page, world.url, harvest);
    await page.getByRole('link', { name: 'Edit' }).click();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await expect(save).toBeDisabled();
    await expect(save).toHaveAccessibleDescription(/./);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('');
    await expect(save).toBeDisabled();
    await expect(save).toHaveAccessibleDescription(/./);
    await expect(name).toHaveAttribute('aria-required', 'true');
  });
});

/** What is read out by itself, when one can. */
function said(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** What the header says by itself: where the changes stand. */
function header(page: Page): Locator {
  return page.getByRole('banner').getByRole('status');
}

/** It has the focus, keeps it, and Escape closes it. */
async function expectModal(page: Page, dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  const focused = dialog.locator(':focus');
  await expect(focused.or(dialog.and(page.locator(':focus')))).toHaveCount(1);
  for (const key of ['Shift+Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
  // Beyond its last part the browser's own controls come, never the page below.
  const isBelow = await page.evaluate(
    () => document.activeElement?.matches('main *, header *') === true,
  );
  const isInside = (await focused.count()) === 1;
  expect(isInside || !isBelow).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}
