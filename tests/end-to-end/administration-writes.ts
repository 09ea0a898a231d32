import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { button, switchOf, title } from './people.ts';

/** Every write of the screens of people, organizations and administration, and who makes it how. */

/** What a team and the catalogue have before: records by what tests call them, with their ids. */
export interface Ground {
  readonly url: string;
  readonly organization: string;
  /** Stands in the name of all that belongs to nobody. */
  readonly mark: string;
  /** The people by their names. */
  readonly people: Readonly<Record<'Aki' | 'Ben' | 'Cleo' | 'Olga' | 'Pia' | 'Sue', string>>;
  /** The ids of records by their names without the mark. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface Write {
  /** The exports of `src/data/actions` that it calls. */
  readonly actions: readonly string[];
  readonly who: 'Ben' | 'Cleo' | 'Sue';
  /** How many changes wait because of it while there is no connection. */
  readonly changes: number;
  readonly make: (page: Page, ground: Ground) => Promise<void>;
}

const dialog = (page: Page) => page.getByRole('dialog');

/** Saves a form that stays, and waits until it is saved. */
async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await expect(page.getByText('Nothing has changed').first()).toBeVisible();
}

/** Saves a form that leads to the list of its area. */
async function saveToList(page: Page, area: string, name = 'Save'): Promise<void> {
  await button(page, name).click();
  await expect(page).toHaveURL(new RegExp(`/admin/settings/${area}$`));
}

async function choose(page: Page, label: RegExp, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name }).first().click();
}

async function toggle(page: Page, name: string | RegExp): Promise<void> {
  const one = page.getByRole('switch', { name });
  const isOn = await one.isChecked();
  await switchOf(page, name).first().click();
  await expect(one).toBeChecked({ checked: !isOn });
}

const open = async (page: Page, { url }: Ground, path: string): Promise<void> => {
  await page.goto(`${url}${path}`);
  await expect(title(page)).toBeVisible();
};
const settings = (part: string) => (page: Page, ground: Ground) =>
  open(page, ground, `/organizations/${ground.organization}/settings${part}`);

const OF_ADMINS: readonly Omit<Write, 'who'>[] = [
  {
    actions: ['editOrganization'],
    changes: 1,
    make: async (page, ground) => {
      await settings('')(page, ground);
      await page.getByLabel('Website URL').fill('riverside.example');
      await save(page);
    },
  },
  {
    actions: ['editOrganization'],
    changes: 1,
    make: async (page, ground) => {
      await settings('/infrastructure')(page, ground);
      await toggle(page, /^Use the default build engine/);
      await page.getByLabel('Build engine URL').fill('https://engine.invalid');
      await save(page);
    },
  },
  {
    actions: ['editOrganization', 'switchDefinitionOn', 'switchDefinitionOff'],
    changes: 3,
    make: async (page, ground) => {
      await settings('/products')(page, ground);
      await toggle(page, /^New projects are public/);
      await toggle(page, 'HTML Site to Cloud Provider');
      await toggle(page, 'Asset Package to Amazon S3 Bucket');
    },
  },
  {
    actions: ['addGroup', 'renameGroup', 'removeGroup'],
    changes: 3,
    make: async (page, ground) => {
      await settings('/groups')(page, ground);
      await button(page, 'Add group').click();
      await page.getByLabel(/^Name/).fill('Translators');
      await page.getByLabel(/^Abbreviation/).fill('TRA');
      await page.keyboard.press('Enter');
      await expect(button(page, 'Edit the group Translators')).toBeVisible();
      await button(page, 'Edit the group Choir').click();
      await page.getByLabel(/^Name/).fill('Singers');
      await button(page, 'Save').click();
      await expect(button(page, 'Edit the group Singers')).toBeVisible();
      await button(page, 'Remove the group Tenors').click();
      await expect(button(page, 'Edit the group Tenors')).toHaveCount(0);
    },
  },
  {
    actions: ['giveRole', 'takeRole'],
    changes: 2,
    make: async (page, ground) => {
      await open(page, ground, `/users/${ground.people.Aki}/settings/roles`);
      await toggle(page, 'App Builder');
      await toggle(page, 'Author');
    },
  },
  {
    actions: ['addToGroup', 'removeFromGroup'],
    changes: 2,
    make: async (page, ground) => {
      await open(page, ground, `/users/${ground.people.Aki}/settings/groups`);
      await toggle(page, 'Singers');
      await toggle(page, 'Readers');
    },
  },
  {
    actions: ['editProfile'],
    changes: 1,
    make: async (page, ground) => {
      await open(page, ground, `/users/${ground.people.Aki}/edit`);
      await page.getByLabel('First name').fill('Akira');
      await page.getByLabel('Phone').fill('+1 555 0100');
      await save(page);
    },
  },
  {
    actions: ['editProfile'],
    changes: 1,
    make: async (page, ground) => {
      await open(page, ground, `/users/${ground.people.Ben}/edit`);
      await toggle(page, /^Builds/);
      await toggle(page, /^Public profile/);
      await page.getByLabel('Last name').fill('Rivers');
      await save(page);
    },
  },
  {
    actions: ['setLocked'],
    changes: 1,
    make: async (page, ground) => {
      await open(page, ground, '/users');
      const box = page.getByRole('checkbox', { name: 'Olga is active' });
      await box.click();
      await expect(box).not.toBeChecked();
    },
  },
  {
    actions: ['inviteToOrganization', 'withdrawInvitation'],
    // One more is invited, one is mailed again in place of the former, and one is withdrawn.
    changes: 4,
    make: async (page, ground) => {
      await open(page, ground, '/users');
      await button(page, 'Invite user').click();
      await page.getByLabel(/^Email/).fill('nadia@example.org');
      await switchOf(page, 'Author').click();
      await switchOf(page, 'Singers').click();
      await button(page, 'Send invite').click();
      await expect(dialog(page)).toHaveCount(0);
      await page.getByText(/^Open invites/).click();
      const former = page.getByRole('listitem').filter({ hasText: 'again@example.org' });
      const record = await former.getAttribute('data-record');
      await button(page, 'Send the invite of again@example.org again').click();
      await expect(page.locator(`[data-record="${record ?? ''}"]`)).toHaveCount(0);
      await button(page, 'Remove the invite of withdrawn@example.org').click();
      await expect(button(page, 'Remove the invite of withdrawn@example.org')).toHaveCount(0);
    },
  },
  {
    actions: ['setOwner', 'endMembership'],
    changes: 3,
    make: async (page, ground) => {
      await open(page, ground, `/users/${ground.people.Pia}/settings/roles`);
      await button(page, 'End membership…').click();
      await dialog(page).getByLabel('All to').selectOption({ label: 'Ana' });
      await dialog(page).getByLabel('New owner of Psalms').selectOption({ label: 'Ben' });
      await dialog(page).getByRole('button', { name: 'End membership' }).click();
      await expect(dialog(page)).toHaveCount(0);
    },
  },
  {
    actions: ['markRead', 'removeNotification'],
    changes: 2,
    make: async (page, ground) => {
      await open(page, ground, '/tasks');
      await button(page, /^Notifications, unread/).click();
      const line = (text: string) => dialog(page).getByRole('listitem').filter({ hasText: text });
      await line('A first message').getByRole('button', { name: 'Mark as read' }).click();
      await line('A second message')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await expect(line('A second message')).toHaveCount(0);
      await page.keyboard.press('Escape');
    },
  },
  {
    actions: ['setLocale'],
    changes: 1,
    make: async (page, ground) => {
      await open(page, ground, '/directory');
      await button(page, /^Language:/).click();
      await page.getByRole('menuitemradio', { name: 'Español' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'es-419');
    },
  },
];

const OF_ADDED: readonly Omit<Write, 'who'>[] = [
  {
    actions: ['acceptMembership', 'endMembership'],
    changes: 2,
    make: async (page, ground) => {
      await open(page, ground, '/tasks');
      const question = (name: string | RegExp) =>
        page.getByRole('region', { name: new RegExp(`^Do you stay in ${String(name)}`) });
      await question('Annex').getByRole('button', { name: 'Leave…' }).click();
      await dialog(page).getByRole('button', { name: 'Leave' }).click();
      await expect(question('Annex')).toHaveCount(0);
      await question('Organization').getByRole('button', { name: 'Stay' }).click();
      await expect(question('Organization')).toHaveCount(0);
    },
  },
];

/** The areas of the catalogue, with what a new record of each needs besides its name. */
const CATALOGUE = {
  'store-types': { one: 'type', more: () => Promise.resolve() },
  stores: {
    one: 'shop',
    more: (page: Page, { mark }: Ground) => choose(page, /^Store type/, `Kept type ${mark}`),
  },
  'workflow-definitions': {
    one: 'lane',
    more: async (page: Page, { mark }: Ground) => {
      await choose(page, /^Store type/, `Kept type ${mark}`);
      await choose(page, /^Type/, 'Startup');
    },
  },
  'product-definitions': {
    one: 'leaflet',
    more: async (page: Page, { mark }: Ground) => {
      await page.getByRole('combobox', { name: /^Type/ }).click();
      await page.getByRole('option').first().click();
      await choose(page, /^Workflow/, `Kept lane ${mark}`);
    },
  },
} as const;

const OF_CATALOGUE = Object.entries(CATALOGUE).map(([area, { one, more }]): Omit<Write, 'who'> => ({
  actions: ['addToCatalogue', 'editCatalogue', 'removeFromCatalogue'],
  changes: 3,
  make: async (page, ground) => {
    const { ids, mark } = ground;
    await open(page, ground, `/admin/settings/${area}/new`);
    await page.getByLabel(/^Name/).fill(`New ${one} ${mark}`);
    await more(page, ground);
    await saveToList(page, area, 'Add');
    await open(page, ground, `/admin/settings/${area}/${ids[`Kept ${one}`] ?? ''}/edit`);
    await page.getByLabel('Description').fill('At the corner');
    await saveToList(page, area);
    await open(page, ground, `/admin/settings/${area}/${ids[`Old ${one}`] ?? ''}/edit`);
    await remove(page, area);
  },
}));

async function remove(page: Page, area: string): Promise<void> {
  await button(page, 'Delete').click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/settings/${area}$`));
}

const OF_SUPER_ADMINS: readonly Omit<Write, 'who'>[] = [
  ...OF_CATALOGUE,
  {
    actions: ['addOrganization', 'editOrganization', 'removeOrganization'],
    changes: 3,
    make: async (page, ground) => {
      const { ids, mark } = ground;
      await open(page, ground, '/admin/settings/organizations/new');
      await page.getByLabel(/^Name/).fill(`New hill ${mark}`);
      await choose(page, /^Owner/, 'Sue');
      await page.getByLabel('Build engine URL').fill('https://engine.invalid');
      await saveToList(page, 'organizations', 'Add');
      await open(page, ground, `/admin/settings/organizations/${ids['Kept hill'] ?? ''}/edit`);
      await page.getByLabel('Website URL').fill('hillside.example');
      await saveToList(page, 'organizations');
      await open(page, ground, `/admin/settings/organizations/${ids['Old hill'] ?? ''}/edit`);
      await remove(page, 'organizations');
    },
  },
  {
    actions: ['giveStore', 'takeStore'],
    changes: 2,
    make: async (page, ground) => {
      await open(page, ground, `/admin/settings/organizations/${ground.organization}/stores`);
      await toggle(page, /^slipway_web/);
      await toggle(page, /^slipway_files/);
    },
  },
  {
    actions: ['inviteOwner', 'renewOwnerInvitation', 'withdrawOwnerInvitation'],
    changes: 3,
    make: async (page, ground) => {
      const { mark } = ground;
      await open(page, ground, '/admin');
      await page.getByLabel(/^Owner email/).fill(`first-${mark}@example.org`);
      await page.getByLabel('Organization name').fill('Northshore');
      await button(page, 'Add Organization').click();
      await expect(page.getByLabel(/^Owner email/)).toHaveValue('');
      await button(page, `Send the invite of again-${mark}@example.org again`).click();
      await button(page, `Remove the invite of gone-${mark}@example.org`).click();
      await expect(button(page, `Remove the invite of gone-${mark}@example.org`)).toHaveCount(0);
    },
  },
];

/** In this order; what one person writes does not hang on what another does. */
export const WRITES: readonly Write[] = [
  ...OF_ADMINS.map((write) => ({ ...write, who: 'Ben' as const })),
  ...OF_ADDED.map((write) => ({ ...write, who: 'Cleo' as const })),
  ...OF_SUPER_ADMINS.map((write) => ({ ...write, who: 'Sue' as const })),
];
