import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aMember, anOrganization } from '../support/make.ts';
import { aProjectSetUp, aPublishedProduct } from '../support/published.ts';
import { keyboardOf } from './keyboard.ts';
import { openProject, PASSWORD, status, title, untilLoaded, untilSent, button } from './people.ts';
import { begin, content, HTML, offer, whose } from './products.ts';
import { test } from './world.ts';

const FIRST = 'App Builder Configuration';

/** Each task of the daily screens, from the first Tab to the last Enter; lint forbids a pointer here. */
test.describe('with the keyboard alone one', () => {
  test('signs in and out [R36, R38, R44]', async ({ world, team, browser }) => {
    const page = await (await browser.newContext()).newPage();
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/login`);
    await keys.enter(button(page, 'Sign in'));
    await keys.write(page.getByLabel('Email'), team.ana.email);
    await keys.write(page.getByLabel('Password'), PASSWORD);
    await keys.press('Enter');
    await expect(title(page)).toHaveText('My tasks');
    await keys.take(button(page, 'Menu of Ana'), 'Sign out');
    await expect(button(page, 'Sign in')).toBeVisible();
  });

  test('skips to the content, goes by letters and by the palette', async ({ world, page }) => {
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await page.reload();
    await expect(title(page)).toHaveText('My tasks');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await keys.backTo(skip);
    await keys.press('Enter', 'g', 'p');
    await expect(title(page)).toContainText('My projects');
    await expect(title(page)).toBeFocused();
    await keys.press('g', 'o');
    await expect(title(page)).toContainText('Organization projects');
    await keys.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await keys.press('Escape', 'Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keys.type('add pro');
    await keys.press('Enter');
    await expect(title(page)).toHaveText('New project');
    await keys.press('Escape');
    await keys.enter(mainLink(page, 'My tasks'));
    await expect(title(page)).toHaveText('My tasks');
    await keys.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keys.type('dark');
    await keys.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-appearance', 'dark');
  });

  test('edits what the page shows and goes up by single letters', async ({ team, page, world }) => {
    const project = await team.project('Harvest');
    await openProject(page, world.url, project);
    const keys = keyboardOf(page);
    await keys.press('r', 'e');
    await expect(page).toHaveURL(/\/edit$/);
    await keys.press('Escape');
    await expect(page).toHaveURL(new RegExp(`/projects/${project}$`));
    await expect(title(page)).toBeFocused();
    await keys.press('u');
    await expect(page).toHaveURL(/\/projects\/organization$/);
    await page.goto(`${world.url}/projects/own?sort=-name`);
    await keys.enter(page.getByRole('link', { name: 'Harvest' }));
    await expect(page).toHaveURL(new RegExp(`/projects/${project}$`));
    await expect(title(page)).toBeFocused();
    await keys.press('u');
    await expect(page).toHaveURL(/\/projects\/own\?sort=-name$/);
  });

  test('searches, sorts, chooses columns, archives and takes it back in a list [R9, R78]', async ({
    world,
    team,
    page,
  }) => {
    for (const name of ['Harvest', 'Juniper', 'Lantern']) await team.project(name);
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/projects/own`);
    await expect(names(page)).toHaveText(['Harvest', 'Juniper', 'Lantern']);
    await untilLoaded(page);

    await keys.enter(button(page, 'Project'));
    await expect(names(page)).toHaveText(['Lantern', 'Juniper', 'Harvest']);
    await keys.enter(button(page, 'Choose columns'));
    await keys.toggle(page.getByRole('checkbox', { name: 'Created' }));
    await keys.press('Escape');
    await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();

    await keys.toggle(page.getByRole('checkbox', { name: 'Select Juniper' }));
    await keys.toggle(page.getByRole('checkbox', { name: 'Select Harvest' }));
    await expect(page.getByText('2 selected')).toBeVisible();
    await keys.backTo(button(page, 'Archive'));
    await keys.press('Enter');
    await expect(page.getByText('Selected projects archived')).toBeVisible();
    const archived = page.locator('.project-row.is-dimmed');
    await expect(archived).toHaveCount(2);
    await keys.enter(button(page, 'Undo'));
    await expect(archived).toHaveCount(0);
    await untilSent(page);
    await page.reload();
    await expect(names(page)).toHaveText(['Lantern', 'Juniper', 'Harvest']);

    // The page that came has the focus: it listens.
    await expect(title(page)).toBeFocused();
    await keys.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await keys.type('jun');
    await expect(names(page)).toHaveText(['Juniper']);
    await keys.press('Escape');
    await expect(names(page)).toHaveCount(3);

    await keys.take(button(page, 'More for Lantern'), 'Archive');
    await expect(page.getByText('Project archived')).toBeVisible();
    await keys.take(button(page, /choose another list/), 'Archived projects');
    await expect(names(page)).toHaveText(['Lantern']);
    await keys.enter(names(page));
    await expect(title(page)).toContainText('Lantern');
  });

  test('makes a project, with a language that is suggested, and edits it [R10, R92, R95, R99, R359, R361]', async ({
    world,
    page,
  }) => {
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    await expect(title(page)).toBeFocused();
    await keys.press('c');
    const name = page.getByLabel(/^Name/);
    await expect(name).toBeFocused();
    await keys.type('River Stories');
    await keys.write(page.getByRole('combobox', { name: 'Language' }), 'Quechua');
    await expect(page.getByRole('option').first()).toBeVisible();
    await keys.press('ArrowDown', 'Enter');
    await keys.write(page.getByLabel('Description'), 'Stories of the river.');
    await keys.toggle(page.getByRole('switch', { name: /Public/ }));
    await keys.press('Control+Enter');
    await expect(title(page)).toContainText('River Stories');
    await expect(page.getByText('Private', { exact: true })).toBeVisible();

    await keys.enter(page.getByRole('link', { name: 'Edit' }));
    await keys.write(page.getByLabel(/^Name/), 'River and Sea');
    await keys.press('Enter');
    await expect(title(page)).toContainText('River and Sea');
    await untilSent(page);
  });

  test('settles who and what belongs to a project [R119, R120, R121, R237, R362, R364, R365]', async ({
    world,
    team,
    page,
    harvest,
  }) => {
    const aki = await team.join('Aki', ['Author']);
    const keys = keyboardOf(page);
    await openProject(page, world.url, harvest);

    await keys.toggle(page.getByRole('switch', { name: 'Automatic builds' }));
    await expect(page.getByText('Automatic builds are off')).toBeVisible();

    await keys.enter(button(page, 'Add author'));
    await keys.write(page.getByRole('combobox', { name: /^Person/ }), 'Ak');
    await keys.press('ArrowDown', 'Enter');
    await keys.enter(button(page, 'Add'));
    const author = page.locator('[data-record^="authors:"]');
    await expect(author).toContainText(aki.name);

    await keys.enter(button(page, 'Add reviewer'));
    await keys.write(page.getByLabel(/^Name/), 'Rita');
    await keys.write(page.getByLabel(/^Email/), 'rita@example.org');
    await keys.press('Enter');
    const reviewer = page.locator('[data-record^="reviewers:"]');
    await expect(reviewer).toContainText('rita@example.org');
    await keys.enter(button(page, 'Remove Rita from the reviewers'));
    await expect(reviewer).toHaveCount(0);
    const removed = page.locator('.toast').filter({ hasText: 'Rita was removed' });
    await keys.enter(removed.getByRole('button', { name: 'Undo' }));
    await expect(reviewer).toHaveCount(1);

    const owner = page.getByRole('combobox', { name: 'Owner' });
    await keys.write(owner, 'Ben');
    await keys.press('ArrowDown', 'Enter');
    await expect(owner).toHaveValue('Ben');
    await untilSent(page);
    const project = await team.api.first(`/api/projects/${harvest}`);
    expect(project.relationships?.owner).toMatchObject({ data: { id: team.ben.id } });
    expect(project.attributes).toMatchObject({ 'automatic-builds': false });
  });

  test('brings in files and a product, and works through its task [R61, R363]', async ({
    world,
    team,
    page,
  }) => {
    const { project } = await begin(world, team, HTML, { content, state: FIRST });
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/tasks`);
    await expect(page.getByRole('row').filter({ hasText: 'Harvest' })).toBeVisible();
    await untilLoaded(page);
    await keys.enter(page.getByRole('row').getByRole('link', { name: HTML }));
    await expect(title(page)).toHaveText('App builder configuration');
    await keys.write(page.getByLabel(/^Comment/), 'Songs of the field, as agreed.');
    await keys.enter(button(page, 'Continue'));
    await expect(title(page)).toHaveText('Verify and publish');
    await keys.enter(button(page, 'Approve'));
    await untilSent(page);

    await page.goto(`${world.url}/projects/${project.id}`);
    await expect(page.getByRole('link', { name: /^Open/ }).first()).toBeVisible();
    const choosing = page.waitForEvent('filechooser');
    await keys.enter(button(page, 'Choose a zip file'));
    const file = { name: 'harvest.zip', mimeType: 'application/zip', buffer: content };
    await (await choosing).setFiles(file);
    await keys.enter(button(page, 'Upload'));
    await expect(page.getByText('Version 2')).toBeVisible();

    await keys.take(button(page, `More for ${HTML}`), 'Product page');
    await expect(title(page)).toContainText(HTML);
    await keys.select(page.getByRole('combobox', { name: /build/i }), 'Latest');
    const downloading = page.waitForEvent('download');
    await keys.enter(
      page.getByRole('row').getByRole('button').or(page.getByRole('row').getByRole('link')),
    );
    expect((await downloading).suggestedFilename()).not.toBe('');
  });

  test('adds a product with its store, and takes its removal back [R111, R112, R363]', async ({
    world,
    team,
    page,
  }) => {
    await offer(world, team, HTML);
    const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
    const keys = keyboardOf(page);
    await openProject(page, world.url, project.id);

    await keys.enter(button(page, 'Add products'));
    const dialog = page.getByRole('dialog');
    await keys.enter(dialog.getByRole('button', { name: HTML }));
    await keys.enter(dialog.getByRole('button', { name: 'slipway_web' }));
    await keys.enter(button(page, 'Done'));
    const card = page.locator('[data-record^="products:"]');
    await expect(card).toHaveCount(1);
    await untilSent(page);

    await keys.take(button(page, `More for ${HTML}`), /^Remove/);
    if (await dialog.isVisible()) await keys.enter(dialog.getByRole('button', { name: 'Remove' }));
    await expect(card).toHaveCount(0);
    await keys.enter(button(page, 'Undo'));
    await expect(card).toHaveCount(1);
  });

  test('rebuilds the products of many projects [R9, R84, R331]', async ({ world, team, page }) => {
    const offered = await offer(world, team, HTML);
    for (const name of ['Harvest', 'Juniper']) {
      const project = await aProjectSetUp(world.parts, { ...whose(team), name }, content);
      await aPublishedProduct(world.parts, project, offered);
    }
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/projects/own`);
    await expect(names(page)).toHaveCount(2);
    await untilLoaded(page);
    await keys.toggle(page.getByRole('checkbox', { name: 'Select all on this page' }));
    await expect(button(page, 'Rebuild or republish')).toBeVisible();
    await keys.backTo(button(page, 'Rebuild or republish'));
    await keys.press('Enter');
    await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Rebuild 2 products' }));
    await expect(page.getByText('Rebuild: 2 products started')).toBeVisible();
  });

  test('imports projects from a file [R10, R360]', async ({ world, team, browserOf }) => {
    const page = await (await browserOf(team.ben)).newPage();
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/projects/own`);
    await untilLoaded(page);
    await keys.enter(page.getByRole('link', { name: 'Import projects' }));
    const choosing = page.waitForEvent('filechooser');
    await keys.enter(button(page, 'Choose a file'));
    const projects = { Projects: [{ Name: 'Lantern Path', Language: 'es-419' }] };
    await (
      await choosing
    ).setFiles({
      name: 'projects.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(projects)),
    });
    await keys.enter(button(page, 'Import 1 project'));
    await expect(page.getByText('Import started.')).toBeVisible();
  });

  test('looks through the changes that wait, and takes one back', async ({
    world,
    page,
    context,
    harvest,
  }) => {
    const keys = keyboardOf(page);
    await openProject(page, world.url, harvest);
    await context.setOffline(true);
    await expect(status(page)).toHaveAttribute('data-state', 'offline');
    const automatic = page.getByRole('switch', { name: 'Automatic builds' });
    await keys.toggle(automatic);
    await expect(automatic).not.toBeChecked();
    await expect(status(page)).toHaveAttribute('data-waiting', '1');
    await keys.backTo(status(page));
    await keys.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Changes' });
    await keys.enter(panel.getByRole('button', { name: 'Undo' }));
    await keys.press('Escape');
    await expect(status(page)).toBeFocused();
    await expect(automatic).toBeChecked();
    await context.setOffline(false);
    await untilSent(page);
    await expect(automatic).toBeChecked();
  });

  test('chooses organization, language and look, and reads what is new [R18, R51, R249]', async ({
    world,
    team,
    page,
  }) => {
    const { db } = world.parts;
    const other = await anOrganization(db, { name: 'Harbor' });
    await aMember(db, other.id, { user: team.ana.id, roles: [], groups: [] });
    const keys = keyboardOf(page);
    await page.goto(`${world.url}/tasks`);
    await untilLoaded(page);
    await keys.enter(button(page, 'All organizations'));
    await keys.enter(page.getByRole('complementary').getByRole('button', { name: 'Harbor' }));
    await expect(button(page, /Harbor/)).toBeVisible();
    await expect(title(page)).toBeFocused();

    await keys.backTo(button(page, /^Notifications/));
    await keys.press('Enter');
    await expect(page.getByText('No notifications.', { exact: false })).toBeVisible();
    await keys.press('Escape');
    await keys.take(button(page, 'Menu of Ana'), 'Dark');
    await expect(page.locator('html')).toHaveAttribute('data-appearance', 'dark');
    await keys.take(button(page, /^Language/), 'Español');
    await expect(title(page)).toHaveText('Mis tareas');
  });
});

function mainLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}

/** The names of the projects of a list, which lead to them. */
function names(page: Page): Locator {
  return page.locator('[data-record^="projects:"] .project-name a');
}
