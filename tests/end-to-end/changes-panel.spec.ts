import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { limits } from '#protocol/limits.ts';
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts';
import { apiOf } from './api.ts';
import { test } from './demo.ts';
import {
  admin,
  builder,
  button,
  openPanel,
  openProject,
  projectIdAt,
  rename,
  status,
  untilLoaded,
  untilSent,
} from './people.ts';
import { begin, content, HTML } from './products.ts';
import { test as inWorld } from './world.ts';

test.use({ account: builder });

/** The panel as people reach it: by any means, in any light, on any screen. */
test.describe('the changes panel', () => {
  /** Someone else has renamed the project that was renamed here while nothing could be sent. */
  async function conflicted(page: Page, url: string): Promise<string> {
    let isCut = false;
    await page.route('**/api/operations', (route) => (isCut ? route.abort() : route.continue()));
    await page.goto(`${url}/projects/own`);
    await untilLoaded(page);
    const rows = page.locator('[data-record^="projects:"]');
    // The rows beyond the first come in their turn: other tests name the first ones.
    await expect(rows).toHaveCount(limits.pageSize);
    await rows.last().getByRole('link').first().click();
    const project = await projectIdAt(page);
    await rename(page, 'Done before');
    await untilLoaded(page);
    isCut = true;
    await rename(page, `Mine of ${project}`);
    const colleague = await apiOf(url, admin);
    await colleague.change({ type: 'projects', id: project, attributes: { name: 'Theirs' } });
    isCut = false;
    await expect(status(page)).toHaveAttribute('data-state', 'attention');
    return project;
  }

  test('is worked by the keyboard alone, and gives the focus back', async ({ page, demo }) => {
    const project = await conflicted(page, demo.url);
    await status(page).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Changes' });
    const conflict = panel.locator('[data-change="conflict"]');
    await expect(conflict).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(conflict).not.toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(conflict).toBeFocused();
    const keepMine = conflict.getByRole('button', { name: 'Keep mine' });
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(keepMine).toBeFocused({ timeout: 100 });
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(conflict).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(status(page)).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Mine of ${project}`);
    await expect(status(page)).toHaveAttribute('data-state', 'saved');
  });

  test('gives axe nothing to find, nor do its details, light and dark, wide and narrow', async ({
    page,
    demo,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await conflicted(page, demo.url);
    for (const width of [375, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessibleInBoth(page, `the page, ${width} px`);
      await status(page).click();
      await button(page, 'Edit a merge').click();
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
      await expectAccessibleInBoth(page, `the panel, ${width} px`);
      await page.getByRole('button', { name: 'Details for support' }).click();
      await expect(page.getByText('Leading tab')).toBeVisible();
      await expectAccessibleInBoth(page, `the details, ${width} px`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });
});

test('a device that keeps nothing says so, and axe finds nothing in that', async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: null });
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${demo.url}/projects/own`);
  await expect(page.getByRole('region', { name: 'State of this device' })).toContainText(
    'keeps nothing on this device',
  );
  await untilLoaded(page);
  await expectAccessible(page, 'the banner');
});

inWorld(
  'every line of the changes says where it stands at the same place, with Undo beside it and without [screens 3.5]',
  async ({ page, world, team }) => {
    const state = 'App Builder Configuration';
    const { product, project } = await begin(world, team, HTML, { content, state });
    await openProject(page, world.url, project.id);
    await rename(page, 'Harvest songs');
    await untilSent(page);
    await page.goto(`${world.url}/flow/flow/${product}`);
    await button(page, 'Continue').click();
    await untilSent(page);
    const panel = await openPanel(page);
    const lines = panel.locator('.change-line');
    await expect(lines).toHaveCount(2);
    await expect(lines.getByRole('button', { name: 'Undo' })).toHaveCount(1);
    const places = await lines.evaluateAll((all) =>
      all.map((line) => {
        const [says, when] = ['.change-says', '.change-when'].map((part) =>
          line.querySelector(part)?.getBoundingClientRect(),
        );
        return [when?.left === says?.left, when?.top === says?.bottom];
      }),
    );
    expect(places).toEqual([
      [true, true],
      [true, true],
    ]);
  },
);
