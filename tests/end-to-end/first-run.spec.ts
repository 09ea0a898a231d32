import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { BrowserContextOptions, Locator, Page } from '@playwright/test';
import pg from 'pg';
import { startPostgres } from '../support/postgres.ts';
import type { Postgres } from '../support/postgres.ts';
import { freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { filesOfZip } from '../support/zips.ts';
import { expectAccessibleInBoth } from './accessible.ts';
import { openFilm } from './film.ts';
import { blocksOf, pressing, sectionOf, wayOfTheGuide } from './guide-way.ts';
import type { GuideSection, Press } from './guide-way.ts';
import { mailedLinkIn } from './mailbox.ts';
import { switchOf, title, untilLoaded, untilSent } from './people.ts';
import { testWithServers as test } from './world.ts';

/**
 * Covers the guide's way from nothing to a published app, on an empty PostgreSQL, as
 * `NODE_ENV=production` has it. `npm run first-run` makes a film and pictures of it.
 */

const PHONE = { width: 375, height: 700 };
const PASSWORD = 'a lantern at the harbour';
const ORGANIZATION = 'Northshore Press';
const DEFINITION = 'Story site';
const PROJECT = 'Lantern Path';
const admin = { name: 'Nora North', email: 'nora@northshore.example' };
const member = { name: 'Miko Mori', email: 'miko@northshore.example' };

const record = process.env.SLIPWAY_RECORD ?? '';

// A control that the guide names and the page has not shall fail its step, not the whole run.
test.use({ actionTimeout: 60_000 });

test.describe('a new installation', () => {
  let postgres: Postgres;
  let server: SpawnedServer | null = null;

  test.beforeAll(async () => {
    test.setTimeout(120_000);
    postgres = await startPostgres(join(freshFolder(), 'postgres'));
  });
  test.afterAll(async () => {
    await server?.stop();
    await postgres.stop();
  });

  test('comes from nothing to a published app by what the guide says, and nothing else [R1, R2, R14, R15]', async ({
    browser,
  }) => {
    test.setTimeout(10 * 60_000);
    const film = openFilm(record === '' ? null : record);
    const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await (await browser.newContext(options)).newPage();
      await film.show(page);
      return page;
    };
    const way = wayOfTheGuide();
    const walk = walkOf(open);
    expect(Object.keys(walk), 'the headings that the guide leads through').toEqual(
      way.map((section) => section.title),
    );
    for (const section of way)
      await test.step(section.title, async () => {
        const page = await walk[section.title]?.(pressing(section), section);
        if (page === undefined) return;
        await film.show(page);
        await film.picture(section.title);
      });
    await film.end();
  });

  type Step = (press: Press, section: GuideSection) => Promise<Page | undefined>;

  /** What is done at each heading of the guide; returns the page that shows how it went. */
  function walkOf(
    open: (options?: BrowserContextOptions) => Promise<Page>,
  ): Readonly<Record<string, Step>> {
    // They are there once their step was taken.
    let url = '';
    let adminEmail = '';
    let dataDir = '';
    let superAdmins!: Page;
    let admins!: Page;
    let members!: Page;

    const signIn = async (page: Page, email: string) => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };

    /** From the page after **Sign in** to the one after it, as the guide says it for all. */
    const makeAccount = (page: Page, { name, email }: typeof admin) =>
      test.step('Make an account', async () => {
        const section = sectionOf('members.md', (each) => each.title === 'Make an account');
        const press = pressing(section);
        await press(page, 'Create an account');
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByLabel('Name').fill(name);
        await press(page, 'Create account');
        await expect(title(page)).toHaveText('Check your email');
        await page.goto(await mailedLinkIn(dataDir, email, '/oidc/verify'));
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await press(page, 'Confirm my address');
        await press(page, 'Go to Slipway');
        await press(page, 'Sign in', /^Sign in/);
        await signIn(page, email);
      });

    const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
    const main = (page: Page) => page.getByRole('main');
    const dialog = (page: Page) => page.getByRole('dialog');

    return {
      'Start a server': async (_, section) => {
        const [sql = '', makeKey = '', file = ''] = blocksOf(section);
        const password = 'harbour1';
        const database = new pg.Client({ connectionString: postgres.url });
        await database.connect();
        for (const line of sql.split('\n')) await database.query(line.replace('…', password));
        await database.end();
        const program = /^node -e "(.*)"$/.exec(makeKey)?.[1] ?? '';
        const key = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim();

        const settings = settingsIn(file, triedAt(section));
        adminEmail = settings.ADMIN_EMAIL ?? '';
        server = await spawnServer({
          ...settings,
          DATABASE_URL: (settings.DATABASE_URL ?? '')
            .replace('…', password)
            .replace(':5432', `:${new URL(postgres.url).port}`),
          SECRET_KEY: key,
        });
        ({ url, dataDir } = server);
        expect(settings).toMatchObject({ NODE_ENV: 'production', SECRET_KEY: '…' });
        expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
        return undefined;
      },

      'Become the first super admin': async () => {
        const page = await open();
        await page.goto(url);
        await expect(title(page)).toHaveText('Welcome to Slipway');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await makeAccount(page, { name: 'Olivia Ortiz', email: adminEmail });
        await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
        await expect(page.getByText('No organizations yet')).toBeVisible();
        await expectAccessibleInBoth(page, 'the first steps');
        superAdmins = page;
        return page;
      },

      'Ask for access for an organization': async (press) => {
        const page = await open();
        await page.goto(url);
        await press(page, 'Your organization is not here yet? Request access for it.');
        await page.getByLabel('Organization name').fill(ORGANIZATION);
        await page.getByLabel('Admin email').fill(admin.email);
        await page.getByLabel('Website URL').fill('https://northshore.example');
        await press(page, 'Submit');
        await expect(title(page)).toHaveText('Request Sent!');
        return page;
      },

      'Invite an organization': async (press) => {
        const page = superAdmins;
        await page.goto(await mailedLinkIn(dataDir, adminEmail, '/admin'));
        await expect(page.getByLabel(/^Owner email/)).toHaveValue(admin.email);
        await expect(page.getByLabel('Organization name')).toHaveValue(ORGANIZATION);
        await press(page, 'Add Organization');
        await expect(page.getByRole('heading', { name: 'Open invites' })).toBeVisible();
        await press(navigation(page), 'Admin settings');
        await expect(page.getByText(`Invited to create one: ${admin.email}`)).toBeVisible();
        return page;
      },

      'Create your organization': async (press) => {
        const page = await open();
        await page.goto(await mailedLinkIn(dataDir, admin.email, '/invitations/organization/'));
        await press(page, 'Sign in to continue');
        await makeAccount(page, admin);
        await expect(title(page)).toHaveText('Create your organization');
        await expect(page.getByLabel(/^Name/)).toHaveValue(ORGANIZATION);
        await press(page, 'Add Organization');
        await expect(title(page)).toContainText('My tasks');
        // Nothing waits, so the list says what is to be done instead.
        await expect(main(page)).toContainText('no product is switched on');
        await expectAccessibleInBoth(page, 'the tasks of a new admin');
        admins = page;
        return page;
      },

      'Choose the stores of an organization': async (press) => {
        const page = superAdmins;
        await press(navigation(page), 'Admin settings');
        await press(main(page), 'Organizations');
        await press(page, 'Stores', `Stores of ${ORGANIZATION}`);
        for (const store of ['slipway_web', 'slipway_files']) await switchOn(page, store);
        return page;
      },

      'Set up stores and definitions': async (press) => {
        const page = superAdmins;
        await press(navigation(page), 'Admin settings');
        await press(main(page), 'Product definitions');
        await press(page, 'Add product definition');
        await page.getByLabel(/^Name/).fill(DEFINITION);
        await choose(page, 'Type', 'bookapp');
        await choose(page, 'Workflow', 'html_cloud');
        await choose(page, 'Rebuild workflow', 'html_cloud_rebuild');
        await press(page, 'Add');
        await expect(page.getByRole('link', { name: DEFINITION, exact: true })).toBeVisible();
        await untilSent(page);
        return page;
      },

      'Switch on products': async (press) => {
        const page = admins;
        await press(navigation(page), 'Organization settings');
        await press(main(page), 'Products');
        await switchOn(page, 'HTML Site to Cloud Provider');
        await switchOn(page, DEFINITION);
        return page;
      },

      'Add a group': async (press) => {
        const page = admins;
        await press(navigation(page), 'Organization settings');
        await press(main(page), 'Groups');
        await press(page, 'Add group');
        await page.getByLabel(/^Name/).fill('Translators');
        await page.getByLabel(/^Abbreviation/).fill('TR');
        await press(page, 'Save');
        await expect(page.getByRole('listitem').filter({ hasText: 'Translators' })).toBeVisible();
        await untilSent(page);
        return page;
      },

      'Invite somebody': async (press) => {
        const page = admins;
        await press(navigation(page), 'Users');
        await press(page, 'Invite user');
        await dialog(page).getByLabel('Email').fill(member.email);
        for (const given of ['App Builder', 'Translators'])
          await dialog(page).locator('label').filter({ hasText: given }).click();
        await press(page, 'Send invite');
        await expect(page.getByText('Open invites (1)')).toBeVisible();
        return page;
      },

      'Join by an invitation': async (press) => {
        const page = await open();
        await page.goto(await mailedLinkIn(dataDir, member.email, '/invitations/'));
        await press(page, 'Sign in');
        await makeAccount(page, member);
        await expect(title(page)).toHaveText('Organization Membership has Changed');
        await press(page, 'Continue');
        await expect(title(page)).toContainText('My tasks');
        await expect(main(page)).toContainText('To begin, make a project.');
        await untilLoaded(page);
        members = page;
        return page;
      },

      'Make a project': async (press) => {
        const page = members;
        await press(page.getByRole('banner'), 'Add project');
        await page.getByLabel(/^Name/).fill(PROJECT);
        await page.getByRole('combobox', { name: 'Language' }).fill('Spanish');
        await page.getByRole('listbox').getByRole('option').first().click();
        await press(page, 'Save');
        await expect(title(page)).toHaveText(PROJECT);
        await expect(main(page)).toContainText('then press Add products');
        return page;
      },

      'Bring in the content': async (press) => {
        const page = members;
        await press(page, 'Start from a sample');
        await expect(page.getByText('Version 1')).toBeVisible();
        return page;
      },

      'Build an app': async (press) => {
        const page = members;
        await press(page, 'Add products');
        await dialog(page).getByRole('button', { name: DEFINITION }).click();
        await dialog(page).getByRole('button', { name: 'slipway_web' }).click();
        await press(page, 'Done');
        await press(main(page), 'Continue', /^Continue/);
        await expect(page.getByText('Bring in the app')).toBeVisible();
        await press(page, 'Continue');
        await expect(title(page)).toHaveText('Verify and publish');
        return page;
      },

      'Publish it': async (press) => {
        const page = members;
        await press(navigation(page), 'My tasks', /^My tasks/);
        await page
          .getByRole('row')
          .filter({ hasText: PROJECT })
          .getByRole('link', { name: DEFINITION })
          .click();
        await expect(page.getByRole('row').filter({ hasText: '.zip' })).toBeVisible();
        await press(page, 'Approve');
        await expect(title(page)).toHaveText('Published');
        return page;
      },

      'Give others the app': async () => {
        const page = members;
        await page.getByRole('link', { name: PROJECT, exact: true }).first().click();
        const link = main(page).getByRole('link', { name: /^Open/ });
        const address = (await link.getAttribute('href')) ?? '';
        await page.getByRole('button', { name: `More for ${DEFINITION}` }).click();
        await expect(page.getByRole('menuitem', { name: 'Copy site address' })).toBeVisible();

        // It belongs to nobody, and knows nothing of those above.
        const phone = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
        await phone.goto(address);
        await expect(phone.getByRole('heading', { name: PROJECT })).toBeVisible();
        await expectNothingBeside(phone);
        const downloading = phone.waitForEvent('download');
        await phone.locator('a[data-file]').tap();
        const files = await filesOfZip(await (await downloading).path());
        expect([...files.keys()]).toContain('index.html');
        return phone;
      },
    };
  }
});

/** Switches it on, and sees it switched on, at the server too. */
async function switchOn(page: Page, name: string): Promise<void> {
  await switchOf(page, name).first().click();
  await expect(page.getByRole('switch', { name: new RegExp(`^${name}`) })).toBeChecked();
  await untilSent(page);
}

/** Types a part of its name, and chooses it from the list. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}

const field = (page: Page, label: string): Locator =>
  page.getByRole('combobox', { name: new RegExp(`^${label}\\b(?! w)`) });

/** On a narrow screen nothing may have to be pushed aside to be read. */
async function expectNothingBeside(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
}

/** The settings in the file that the guide shows, without those that are to be left out. */
function settingsIn(file: string, leftOut: readonly string[]): Readonly<Record<string, string>> {
  const lines = file.split('\n').map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(
    lines.flatMap(([name = '', value = '']) => (leftOut.includes(name) ? [] : [[name, value]])),
  );
}

/** The settings that the guide leaves out for a try on one's own computer. */
function triedAt({ text }: GuideSection): readonly string[] {
  const sentence = /To try it on your own computer, leave out ([^.]*)\./.exec(text)?.[1] ?? '';
  const names = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(names.length, 'the settings for a try').toBeGreaterThan(0);
  return names;
}
