import type { MailTextKey } from '#text/say.ts';
import { translate } from '#text/say.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';
import { accountList } from './accounts.ts';
import type { AccountKey, GroupKey, OrganizationKey } from './accounts.ts';
import { claimPackageNames } from './package-names.ts';
import { signUpEveryone } from './people.ts';
import { beginToPlayOn } from './play-on.ts';
import { makeProducts } from './products.ts';
import { makeProjects } from './projects.ts';
import { fillRepositories } from './repositories.ts';
import { saveViews } from './saved-views.ts';
import { actor, DEMO_AT, demoId, demoServices, theOne, userNamed } from './script.ts';
import type { DemoActor } from './script.ts';

/** The number of projects that the demo has by itself. */
const DEMO_PROJECTS = 60;

interface OrganizationScript {
  readonly name: string;
  readonly admin: AccountKey;
  readonly websiteUrl: string;
  readonly groups: readonly (readonly [GroupKey, name: string, abbreviation: string])[];
  readonly stores: readonly string[];
  /** The definitions by number in the list (domain 3); null: all. */
  readonly definitions: readonly string[] | null;
}

const ANDROID_S3 = 'Android App to Amazon S3 Bucket (No Admin)';
const PREVIEW = 'HTML Preview';

const organizations: Readonly<Record<OrganizationKey, OrganizationScript>> = {
  lakeside: {
    name: 'Lakeside Press',
    admin: 'admin',
    websiteUrl: 'https://lakeside.test',
    groups: [
      ['north', 'Lakeside North', 'LN'],
      ['south', 'Lakeside South', 'LS'],
    ],
    stores: ['slipway_play', 'slipway_files', 'slipway_web'],
    definitions: null,
  },
  harbor: {
    name: 'Harbor Media',
    admin: 'harborAdmin',
    websiteUrl: 'https://harbor.test',
    groups: [['harbor', 'Harbor', 'HB']],
    stores: ['slipway_files', 'slipway_web'],
    definitions: [
      ANDROID_S3,
      'PWA to Cloud Provider',
      'HTML Site to Cloud Provider',
      'Asset Package to Amazon S3 Bucket',
      PREVIEW,
    ],
  },
};

/**
 * Demo accounts and demo data, at the first start only: while there is no organization. All of the
 * data is one transaction, so a start that breaks off leaves nothing half done; content is put in after.
 */
export async function playDemo(real: Services): Promise<void> {
  if (!(await real.db.read(hasNoOrganization))) return;
  const services = demoServices(real);
  await signUpEveryone(services);
  await services.db.write({ at: DEMO_AT, by: null, changes: [] }, async (write) => {
    if (!(await hasNoOrganization(write))) return;
    const superAdmin = await actor(services, write, 'super');
    await definePreview(write, superAdmin);
    for (const key of ['lakeside', 'harbor'] as const)
      await found(services, write, superAdmin, key);
    await makeProjects(services, write, 1, DEMO_PROJECTS);
    await makeProducts(services, write);
    await claimPackageNames(write);
    await notifyEveryone(services, write);
    await saveViews(services, write);
    await superAdmin.change('user', (await userNamed(write, 'locked')).id, { isLocked: true });
  });
  await fillRepositories(services);
  await beginToPlayOn(real);
}

async function hasNoOrganization(tx: Pick<WriteTransaction, 'all'>): Promise<boolean> {
  return (await tx.all('organization', {})).length === 0;
}

/** Adds a definition whose product can be added at once, because its workflow needs no store. */
async function definePreview(write: WriteTransaction, superAdmin: DemoActor): Promise<void> {
  const workflow = demoId('html_preview');
  // People must give a store type; this is what an installation may have from the start.
  await write.insert('workflowDefinition', {
    id: workflow,
    name: 'html_preview',
    type: 1,
    workflowScheme: 'AppBuilders_Default_Html_Cloud',
    workflowBusinessFlow: 'AppBuilders_Web_Flow',
    storeType: null,
  });
  const type = theOne(await write.all('applicationType', { name: 'bookapp' }), 'bookapp');
  const definition = { id: demoId(PREVIEW), name: PREVIEW, type: type.id, workflow };
  await superAdmin.add('productDefinition', definition);
}

async function found(
  services: Services,
  write: WriteTransaction,
  superAdmin: DemoActor,
  key: OrganizationKey,
): Promise<void> {
  const { name, websiteUrl, admin, groups, stores, definitions } = organizations[key];
  const organization = demoId(key);
  const owner = (await userNamed(write, admin)).id;
  await superAdmin.add('organization', { id: organization, name, websiteUrl, owner });
  await clearFirstSet(write, superAdmin, organization);

  for (const [group, groupName, abbreviation] of groups)
    await superAdmin.add('group', {
      id: demoId(group),
      name: groupName,
      abbreviation,
      owner: organization,
    });
  for (const store of await write.all('store', {}))
    if (stores.includes(store.name))
      await superAdmin.add('organizationStore', {
        id: demoId(`${key} ${store.name}`),
        organization,
        store: store.id,
      });
  for (const definition of await write.all('productDefinition', {}))
    if (definitions?.includes(definition.name) ?? true)
      await superAdmin.add('organizationProductDefinition', {
        id: demoId(`${key} ${definition.name}`),
        organization,
        productDefinition: definition.id,
      });
  await addMembers(services, write, superAdmin, key);
}

/**
 * Replaces the records that a new organization comes with by those of the demo's table of accounts.
 */
async function clearFirstSet(
  write: WriteTransaction,
  superAdmin: DemoActor,
  organization: string,
): Promise<void> {
  const groups = await write.all('group', { owner: organization });
  for (const group of groups) {
    for (const { id } of await write.all('groupMembership', { group: group.id }))
      await superAdmin.remove('groupMembership', id);
    await superAdmin.remove('group', group.id);
  }
  for (const { id } of await write.all('userRole', { organization, roleName: 'AppBuilder' }))
    await superAdmin.remove('userRole', id);
}

/** Adds members, their roles and their groups; the admin does what an admin may. */
async function addMembers(
  services: Services,
  write: WriteTransaction,
  superAdmin: DemoActor,
  key: OrganizationKey,
): Promise<void> {
  const organization = demoId(key);
  const own = organizations[key].groups.map(([group]) => group);
  for (const [account, { memberOf, roles, groups }] of accountList) {
    if (!memberOf.includes(key)) continue;
    const user = (await userNamed(write, account)).id;
    if ((await write.all('organizationMembership', { user, organization })).length === 0)
      await superAdmin.add('organizationMembership', {
        id: demoId(`${key} ${account}`),
        user,
        organization,
      });
    for (const roleName of roles) {
      if ((await write.all('userRole', { user, organization, roleName })).length > 0) continue;
      const role = theOne(await write.all('role', { roleName }), roleName).id;
      const id = demoId(`${key} ${account} ${roleName}`);
      await superAdmin.add('userRole', { id, user, role, organization });
    }
    const admin = await actor(services, write, organizations[key].admin);
    for (const group of groups.filter((each) => own.includes(each)))
      await admin.add('groupMembership', {
        id: demoId(`${group} ${account}`),
        user,
        group: demoId(group),
      });
  }
  await agree(write, organization);
}

/** Everyone agrees to where the super admin has put them, and nobody has to say so. */
async function agree(write: WriteTransaction, organization: string): Promise<void> {
  const dateAccepted = new Date(DEMO_AT).toISOString();
  for (const { id, user } of await write.all('organizationMembership', { organization })) {
    await write.change('organizationMembership', id, { dateAccepted });
    const requests = await write.all('notification', { user, messageId: 'membershipAdded' });
    for (const { id: notification } of requests) await write.remove('notification', notification);
  }
}

type SentMail = readonly [
  AccountKey,
  messageId: string,
  values: Readonly<Record<string, string>>,
  link: string,
];

const linkTo = (n: number) => `/projects/${demoId(`project ${n}`)}`;
const passedOn: SentMail[] = (['member', 'locked', 'nobody'] as const).map((key) => [
  key,
  'projectOwnershipPassed',
  { projectName: 'Harvest', userName: 'Ben Okafor' },
  linkTo(1),
]);

/** Gives each one unread notification. */
const mails: readonly SentMail[] = [
  [
    'super',
    'organizationAccessRequested',
    { orgName: 'Hill Press', email: 'ana@hill.test' },
    '/admin?name=Hill%20Press&orgAdminEmail=ana%40hill.test&websiteUrl=https%3A%2F%2Fhill.test',
  ],
  ['admin', 'membershipInviteRedeemed', { userName: 'Ben Okafor', orgName: 'Lakeside Press' }, ''],
  [
    'builder',
    'projectOwnershipReceived',
    { projectName: 'Harvest', userName: 'Ada Lindqvist' },
    linkTo(1),
  ],
  ['author', 'authorAdded', { projectName: 'Harvest', userName: 'Ben Okafor' }, linkTo(1)],
  [
    'harborAdmin',
    'membershipInviteRedeemed',
    { userName: 'Bo Nakamura', orgName: 'Harbor Media' },
    '',
  ],
  [
    'both',
    'projectOwnershipReceived',
    { projectName: 'Proverbs', userName: 'Ada Lindqvist' },
    linkTo(8),
  ],
  ...passedOn,
];

async function notifyEveryone(services: Services, write: WriteTransaction): Promise<void> {
  for (const [key, messageId, messageValues, link] of mails) {
    const reader = await actor(services, write, key);
    const [, ...others] = await write.all('notification', { user: reader.id });
    for (const { id } of others)
      await reader.change('notification', id, { dateRead: new Date(DEMO_AT).toISOString() });
    if ((await write.all('notification', { user: reader.id, dateRead: null })).length > 0) continue;
    await write.insert('notification', {
      id: demoId(`notification ${key}`),
      user: reader.id,
      messageId,
      messageValues,
      message: translate('en-US', `notifications.${messageId}` as MailTextKey, messageValues),
      linkUrl: link === '' ? `/users/${reader.id}/settings` : link,
      sendEmail: false,
    });
  }
}
