import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aRecord } from '../support/make.ts';
import { button, openPanel, title, untilLoaded } from './people.ts';
import { ASSETS, begin, content, HTML, offer, requestApproval } from './products.ts';
import type { Team, World } from './world.ts';

/** A team with something on every page and in every dialog, for tests that look at all of them. */

const FIRST = 'App Builder Configuration';
export const LONG = 'Songs of the field and of the river, collected over many harvests';
/** As long as the name of a view may be. */
const LONG_VIEW = LONG.slice(0, 60);

interface Filled {
  /** The id of a project of Ben’s, “Harvest”, of which nothing is published yet. */
  readonly project: string;
  /** That of its product, which has been built, once in vain. */
  readonly product: string;
  /** That of a view which Ana shares. */
  readonly view: string;
}

export async function fillTeam(world: World, team: Team): Promise<Filled> {
  const { db } = world.parts;
  const { project, product } = await begin(world, { ...team, ana: team.ben }, HTML, {
    content,
    state: FIRST,
  });
  await offer(world, team, ASSETS);
  await requestApproval(world, team, [`${LONG}, to be approved`, 'River']);
  await team.project(LONG, { owner: team.ben.id });
  await team.project(LONG.replaceAll(' ', ''), { owner: team.ben.id, dateArchived: null });
  await aRecord(db, 'reviewer', { project: project.id, name: LONG, email: 'rita@example.org' });
  const times = {
    dateStarted: new Date(Date.now() - 90_000).toISOString(),
    dateFinished: new Date(Date.now() - 60_000).toISOString(),
  };
  await aRecord(db, 'productBuild', { product, ...times, success: false, error: LONG });
  const build = await aRecord(db, 'productBuild', {
    product,
    ...times,
    buildVersion: '1.0.0',
    success: true,
  });
  await aRecord(db, 'productArtifact', {
    product,
    productBuild: build.id,
    artifactType: 'html',
    filename: `${LONG.replaceAll(' ', '-')}.zip`,
  });
  const view = await aRecord(db, 'savedView', {
    name: LONG_VIEW,
    list: 'organization',
    query: 'search=songs',
    isShared: true,
    organization: team.organization,
    owner: team.ana.id,
  });
  return { project: project.id, product, view: view.id };
}

/** Unfolds the figures of an organization if they are not, and those of each chart of the page. */
export async function unfoldCharts(page: Page, { count }: { readonly count: number }) {
  const charts = page.locator('.chart');
  const figures = page.locator('.builds-figures-title');
  await expect(charts.or(figures).first()).toBeVisible();
  const folded = page.locator('details:not([open]) > .builds-figures-title');
  if ((await folded.count()) > 0) await folded.click();
  await expect(charts).toHaveCount(count);
  for (const chart of await charts.all()) {
    await chart.locator('summary').click();
    await expect(chart.getByRole('table')).toBeVisible();
  }
}

interface DialogPlace {
  readonly route: string;
  readonly title: string | RegExp;
  /** What opens over the page, by its name. */
  readonly dialogs: readonly (readonly [what: string, open: (page: Page) => Promise<unknown>])[];
}

/** Every dialog and drawer of Ben’s pages, below 992 px. */
function dialogPlaces({ project, view }: Filled): readonly DialogPlace[] {
  const entry = (menu: string, name: string | RegExp) => async (page: Page) => {
    await button(page, menu).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const ofProduct = (name: string | RegExp) => entry(`More for ${HTML}`, name);
  const add = (page: Page) => button(page, 'Add products').click();
  return [
    {
      route: `/projects/${project}`,
      title: 'Harvest',
      dialogs: [
        ['changes', openPanel],
        ['notifications', (page) => button(page, /^Notifications/).click()],
        ['navigation', (page) => button(page, 'Navigation').click()],
        ['shortcuts', (page) => page.keyboard.press('?')],
        ['add products', add],
        [
          'store of a product',
          async (page) => {
            await add(page);
            await page.getByRole('dialog').getByRole('button', { name: ASSETS }).click();
            await expect(page.getByRole('dialog', { name: /^Select a store/ })).toBeVisible();
          },
        ],
        ['remove products', (page) => button(page, 'Remove products').click()],
        ['details', ofProduct('Details')],
        ['properties', ofProduct('Publishing properties')],
        ['removal', ofProduct('Remove')],
      ],
    },
    {
      route: '/tasks',
      title: /^My tasks/,
      dialogs: [
        [
          'approve together',
          async (page) => {
            await page.getByRole('checkbox', { name: 'Select all to approve' }).check();
            await button(page, 'Approve').click();
          },
        ],
      ],
    },
    {
      route: '/projects/own?search=songs',
      title: /^My projects/,
      dialogs: [['save view', (page) => button(page, 'Save view').click()]],
    },
    {
      route: `/projects/organization?search=songs&view=${view}`,
      title: new RegExp(`^${LONG_VIEW}`),
      dialogs: [
        ['rename view', entry(`View: ${LONG_VIEW}`, 'Rename')],
        ['stop sharing', entry(`View: ${LONG_VIEW}`, 'Stop sharing')],
      ],
    },
  ];
}

/**
 * Opens every dialog and drawer of Ben’s pages in turn, hands it to `look` by its name, and closes
 * it. Where the window is 992 px wide or more, the navigation is no drawer.
 */
export async function eachDialog(
  page: Page,
  world: World,
  filled: Filled,
  look: (dialog: Locator, what: string) => Promise<void>,
): Promise<void> {
  const opened = page.locator('dialog[open]');
  for (const { route, title: name, dialogs } of dialogPlaces(filled)) {
    await page.goto(`${world.url}${route}`);
    await expect(title(page)).toHaveText(name);
    await untilLoaded(page);
    for (const [what, open] of dialogs) {
      await open(page);
      await expect(opened.last(), what).toBeVisible();
      await look(opened.last(), what);
      for (let left = (await opened.count()) - 1; left >= 0; left -= 1) {
        await page.keyboard.press('Escape');
        await expect(opened, what).toHaveCount(left);
      }
    }
  }
}
