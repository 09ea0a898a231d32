import type { MailTextKey } from '#text/say.ts';

/**
 * Every address of the app and every page of the server, with who gets what there (screens 2.1 and
 * 2.2). The runs of `every-*.spec.ts` go over all rows; `tests/screens/app/route-table.browser.test.ts`
 * and `tests/server/http/route-table.test.ts` fail where a row is missing, or is of nothing.
 */

/** Who walks. `author` is in the project's group, and `builderOfTwo` has both organizations in view. */
export const ROLES = [
  'signedOut',
  'member',
  'author',
  'builder',
  'builderOfTwo',
  'admin',
  'otherAdmin',
  'superAdmin',
  'locked',
  'unverified',
  'withoutMembership',
] as const;
export type Role = (typeof ROLES)[number];

/** The records of the demo that the addresses name, by id. */
export type Facts = Readonly<
  Record<
    | 'project'
    | 'publicProject'
    | 'privateProject'
    | 'product'
    | 'build'
    | 'published'
    | 'workflow'
    | 'organization'
    | 'user'
    | 'colleague'
    | 'store'
    | 'storeType'
    | 'workflowDefinition'
    | 'productDefinition',
    string
  >
>;

/** The page itself; or where they are led to; or turned away, home, with a message. */
export type Outcome =
  | { readonly is: 'page' }
  | { readonly is: 'not-found' }
  | { readonly is: 'led'; readonly to: string; readonly title: MailTextKey }
  | { readonly is: 'turned-away'; readonly message: MailTextKey };

type Outcomes = Readonly<Partial<Record<Role, Outcome>>>;

const page: Outcome = { is: 'page' };
const notFound: Outcome = { is: 'not-found' };
const led = (to: string, title: MailTextKey): Outcome => ({ is: 'led', to, title });
const away = (message: MailTextKey): Outcome => ({ is: 'turned-away', message });

const toLogin = led('/login', 'login.title');
const toTasks = led('/tasks', 'tasks.title');
const toAccount = led('/account', 'account.title');
const forbidden = away('errors.friendlyForbidden');
const forbiddenForAll = away('errors.forbiddenForAllOrgs');
const noGroup = away('errors.groupRequired');
const noOrganization = away('errors.orgMustBeSelected');
const noMember = away('errors.notAMemberOfOrg');

const toVerify = led('/verify-email', 'status.verify.title');
const toLocked = led('/not-active-user', 'status.notActive.title');
const toRequired = led('/organization-membership-required', 'errors.orgMembershipRequired');

const keptOut: Outcomes = { signedOut: toLogin, locked: toLocked, unverified: toVerify };

/** Whom the specification names for each kind of address; all others see the page. */
const ACCESS = {
  anyone: {},
  /** Inside the shell for who has one, alone for all others. */
  unknown: {},
  signedIn: keptOut,
  /** Signed out one reads what it is about. */
  invited: { locked: toLocked, unverified: toVerify },
  members: { ...keptOut, withoutMembership: toRequired },
  adminsHere: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    author: forbidden,
    builder: forbidden,
    builderOfTwo: forbiddenForAll,
  },
  superAdmins: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    author: forbidden,
    builder: forbidden,
    builderOfTwo: forbiddenForAll,
    admin: forbidden,
    otherAdmin: forbidden,
  },
  projectMakers: {
    ...keptOut,
    withoutMembership: toRequired,
    member: noGroup,
    builderOfTwo: noOrganization,
    superAdmin: noOrganization,
  },
  importers: {
    ...keptOut,
    withoutMembership: toRequired,
    member: noGroup,
    author: forbidden,
    builder: forbidden,
    builderOfTwo: noOrganization,
    superAdmin: noOrganization,
  },
  /** Of a public project; an author who is not in its group may not edit it, whom the demo has not. */
  projectTeam: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    builderOfTwo: forbiddenForAll,
    otherAdmin: noMember,
  },
  /** Members of the organization; nobody else reads what an engine said. */
  consoleReaders: { ...keptOut, withoutMembership: toRequired, otherAdmin: noMember },
  /** The directory leads people of its organization on to it. */
  privateProjectTeam: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    builderOfTwo: forbiddenForAll,
    otherAdmin: notFound,
  },
  /** Of somebody who owns public projects, and so is seen by outsiders too. */
  whoSeesThem: { ...keptOut, withoutMembership: toRequired },
  /** Of somebody who owns none. */
  whoSharesOrganization: { ...keptOut, withoutMembership: toRequired, otherAdmin: notFound },
  whoEditsThem: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    author: forbidden,
    builderOfTwo: forbiddenForAll,
    otherAdmin: forbidden,
  },
  organizationAdmins: {
    ...keptOut,
    withoutMembership: toRequired,
    member: forbidden,
    author: forbidden,
    builder: forbidden,
    builderOfTwo: forbiddenForAll,
    otherAdmin: forbidden,
  },
  /** Not found for all others. */
  previews: {
    ...keptOut,
    withoutMembership: toRequired,
    member: notFound,
    author: notFound,
    builder: notFound,
    builderOfTwo: notFound,
    admin: notFound,
    otherAdmin: notFound,
  },
  /** Whoever is signed in goes on. */
  signedOut: {
    member: toTasks,
    author: toTasks,
    builder: toTasks,
    builderOfTwo: toTasks,
    admin: toTasks,
    otherAdmin: toTasks,
    superAdmin: toTasks,
    locked: toLocked,
    unverified: toVerify,
    withoutMembership: toRequired,
  },
  withoutMembership: {
    ...keptOut,
    member: toTasks,
    author: toTasks,
    builder: toTasks,
    builderOfTwo: toTasks,
    admin: toTasks,
    otherAdmin: toTasks,
    superAdmin: toTasks,
  },
  /** Pages of who is kept out, which anyone may open: whoever is let in goes on. */
  unverified: {
    member: toTasks,
    author: toTasks,
    builder: toTasks,
    builderOfTwo: toTasks,
    admin: toTasks,
    otherAdmin: toTasks,
    superAdmin: toTasks,
    withoutMembership: toRequired,
  },
  locked: {
    member: toTasks,
    author: toTasks,
    builder: toTasks,
    builderOfTwo: toTasks,
    admin: toTasks,
    otherAdmin: toTasks,
    superAdmin: toTasks,
    withoutMembership: toRequired,
  },
  /** Pages of an account, for who signed in at the issuer in the same browser; nobody here did. */
  signedInAtIssuer: {
    ...keptOut,
    member: toAccount,
    author: toAccount,
    builder: toAccount,
    builderOfTwo: toAccount,
    admin: toAccount,
    otherAdmin: toAccount,
    superAdmin: toAccount,
    withoutMembership: toAccount,
  },
} as const satisfies Readonly<Record<string, Outcomes>>;
type Access = keyof typeof ACCESS;

/** What the browser has to do with the page: a page of the server has no shell and other states. */
type Kind = 'app' | 'server';

export interface RouteRow {
  /** As in `routes.tsx`, or as the server registers it. */
  readonly pattern: string;
  /** An address of it. */
  readonly at: (facts: Facts) => string;
  /** The key of its heading; or what matches it, where it names a record. */
  readonly title: MailTextKey | RegExp;
  readonly access: Access;
  readonly kind: Kind;
  /** Who looks at it where one visit has to do: whoever sees the most there. */
  readonly as: Role;
  /** Where it leads on, when the address that shows is another one. */
  readonly leadsTo?: (facts: Facts) => string;
}

type More = Partial<Pick<RouteRow, 'as' | 'leadsTo'>>;

const row =
  (kind: Kind, ofAll: Role) =>
  (
    pattern: string,
    title: MailTextKey | RegExp,
    access: Access,
    at: RouteRow['at'] = () => pattern,
    more: More = {},
  ): RouteRow => ({ pattern, at, title, access, kind, as: ofAll, ...more });

const open = row('app', 'signedOut');
const inside = row('app', 'admin');
const administered = row('app', 'superAdmin');
const served = row('server', 'signedOut');

const LISTS = {
  all: 'all',
  own: 'myProjects',
  organization: 'orgProjects',
  active: 'activeProjects',
  archived: 'archived',
} as const;

const PARTS = ['', '/user-setup', '/products', '/stores', '/groups', '/infrastructure', '/audit'];

const CATALOGUE = [
  ['workflow-definitions', 'workflowDefinitions', 'workflowDefinition', /^html_preview$/],
  ['product-definitions', 'productDefinitions', 'productDefinition', /^HTML Preview$/],
  ['stores', 'stores', 'store', /^slipway_web$/],
  ['store-types', 'storeTypes', 'storeType', /^google_play_store$/],
] as const;

/** The pages of the bundled issuer for who is signed in with it. */
export const ACCOUNT_PAGES = (
  [
    ['password', 'identity.reset.title'],
    ['address', 'identity.address.title'],
    ['devices', 'identity.devices.title'],
    ['second-factor', 'identity.secondFactor.title'],
    ['delete-account', 'identity.delete.title'],
  ] as const
).map(([name, title]) => ({ at: `/oidc/${name}`, title }));

export const ROWS: readonly RouteRow[] = [
  open('/login', 'login.title', 'signedOut'),
  open('/open-source', 'openSource.title', 'anyone'),
  open('/verify-email', 'status.verify.title', 'unverified'),
  open('/not-active-user', 'status.notActive.title', 'locked'),
  open('/organization-membership-changed', 'status.changed.title', 'anyone'),
  open('/request-access-for-organization', 'requestAccess.title', 'anyone'),
  open('/request-access-for-organization/success', 'requestAccess.sentTitle', 'anyone'),
  open('/invitations/missing-token', 'invitations.missingToken.title', 'anyone'),
  open(
    '/invitations/missing-token',
    'status.notFound.title',
    'anyone',
    () => '/invitations/missing-token?token=some',
  ),
  open(
    '/invitations/organization',
    'invitations.missingToken.title',
    'anyone',
    () => '/invitations/organization',
    { leadsTo: () => '/invitations/missing-token' },
  ),
  open(
    '/invitations/organization/:token',
    'invitations.organization.title',
    'invited',
    () => '/invitations/organization/some-token',
  ),
  row('app', 'withoutMembership')(
    '/organization-membership-required',
    'errors.orgMembershipRequired',
    'withoutMembership',
  ),
  inside(
    '/invitations/organization-membership/:token',
    'organization-membership.invite.error.title',
    'signedIn',
    () => '/invitations/organization-membership/some-token',
  ),
  inside('/', 'tasks.title', 'members', () => '/', { leadsTo: () => '/tasks' }),
  inside('/tasks', 'tasks.title', 'members'),
  ...Object.entries(LISTS).map(([name, title]) =>
    inside(
      `/projects/${name}`,
      `projects.switcher.dropdown.${title}`,
      name === 'active' ? 'adminsHere' : 'members',
    ),
  ),
  inside('/projects/new', 'project.newProject', 'projectMakers'),
  inside('/projects/import', 'projectImport.title', 'importers'),
  inside(
    '/projects/:projectId',
    /^Harvest$/,
    'projectTeam',
    ({ project }) => `/projects/${project}`,
  ),
  inside(
    '/projects/:projectId',
    /^Folk Tales$/,
    'privateProjectTeam',
    ({ privateProject }) => `/projects/${privateProject}`,
  ),
  inside(
    '/projects/:projectId/activity',
    'activity.title',
    'projectTeam',
    ({ project }) => `/projects/${project}/activity`,
  ),
  inside(
    '/projects/:projectId/builds',
    'builds.title',
    'projectTeam',
    ({ project }) => `/projects/${project}/builds`,
  ),
  inside(
    '/projects/:projectId/edit',
    'project.edit',
    'projectTeam',
    ({ project }) => `/projects/${project}/edit`,
  ),
  inside(
    '/products/:productId/files',
    /^(HTML Site|PWA|Android App|Asset Package) to /,
    'projectTeam',
    ({ product }) => `/products/${product}/files`,
  ),
  inside(
    '/products/:productId/builds',
    'builds.title',
    'projectTeam',
    ({ product }) => `/products/${product}/builds`,
  ),
  inside(
    '/products/:productId/builds/:buildId/log',
    'builds.log.title',
    'consoleReaders',
    ({ product, build }) => `/products/${product}/builds/${build}/log`,
  ),
  inside('/builds', 'builds.title', 'members'),
  inside('/directory', 'sidebar.directory', 'members'),
  inside(
    '/directory/:publicProjectId',
    /^Lantern$/,
    'members',
    ({ publicProject }) => `/directory/${publicProject}`,
  ),
  inside(
    '/directory/:publicProjectId',
    /^Folk Tales$/,
    'privateProjectTeam',
    ({ privateProject }) => `/directory/${privateProject}`,
    { leadsTo: ({ privateProject }) => `/projects/${privateProject}` },
  ),
  inside('/users', 'users.title', 'adminsHere'),
  inside('/users/:userId', /^Ben Okafor$/, 'whoSeesThem', ({ user }) => `/users/${user}`),
  inside(
    '/users/:userId',
    /^Miguel Santos$/,
    'whoSharesOrganization',
    ({ colleague }) => `/users/${colleague}`,
  ),
  inside(
    '/users/:userId/edit',
    'profile.title',
    'whoEditsThem',
    ({ user }) => `/users/${user}/edit`,
  ),
  ...['', '/roles', '/groups'].map((part) =>
    inside(
      `/users/:userId/settings${part}`,
      'users.settings.title',
      'whoSeesThem',
      ({ user }) => `/users/${user}/settings${part}`,
    ),
  ),
  inside('/account', 'account.title', 'signedIn'),
  ...PARTS.map((part) =>
    inside(
      `/organizations/:orgId/settings${part}`,
      /^Lakeside Press/,
      'organizationAdmins',
      ({ organization }) => `/organizations/${organization}/settings${part}`,
    ),
  ),
  inside(
    '/flow/:flow/:productId',
    'states.verify-and-publish',
    'projectTeam',
    ({ product }) => `/flow/any/${product}`,
    { leadsTo: ({ product }) => `/flow/AppBuilders_Web_Flow/${product}` },
  ),
  administered('/form/:form', 'forms.published.title', 'previews', () => '/form/published'),
  administered('/admin', 'admin.invite.title', 'superAdmins'),
  administered(
    '/admin/settings',
    'admin.settings.organizations.title',
    'superAdmins',
    () => '/admin/settings',
    { leadsTo: () => '/admin/settings/organizations' },
  ),
  administered(
    '/admin/settings/organizations',
    'admin.settings.organizations.title',
    'superAdmins',
  ),
  administered(
    '/admin/settings/organizations/new',
    'admin.settings.organizations.add',
    'superAdmins',
  ),
  ...['edit', 'stores'].map((part) =>
    administered(
      `/admin/settings/organizations/:recordId/${part}`,
      /Lakeside Press/,
      'superAdmins',
      ({ organization }) => `/admin/settings/organizations/${organization}/${part}`,
    ),
  ),
  ...CATALOGUE.flatMap(([area, texts, fact, name]) => [
    administered(`/admin/settings/${area}`, `admin.settings.${texts}.title`, 'superAdmins'),
    administered(`/admin/settings/${area}/new`, `admin.settings.${texts}.add`, 'superAdmins'),
    administered(
      `/admin/settings/${area}/:recordId/edit`,
      name,
      'superAdmins',
      ({ [fact]: id }) => `/admin/settings/${area}/${id}/edit`,
    ),
  ]),
  administered('/admin/settings/build-engines', 'admin.settings.buildEngines.title', 'superAdmins'),
  administered('/admin/audit', 'admin.audit.title', 'superAdmins'),
  administered('/admin/jobs', 'admin.jobs.title', 'superAdmins'),
  administered('/admin/package-names', 'admin.packageNames.title', 'superAdmins'),
  administered(
    '/admin/workflows/:productId',
    // Who has all organizations in view is first asked to look at this one.
    /Lakeside Press|^(Workflow|Flujo de trabajo|Flux de travail)/,
    'superAdmins',
    ({ workflow }) => `/admin/workflows/${workflow}`,
  ),
  // In the shell, and alone.
  inside('*', 'status.notFound.title', 'unknown', () => '/no/such/page'),
  ...['/organizations', '/invitations', '/not-found', '/users/some/page'].map((address) =>
    open('*', 'status.notFound.title', 'unknown', () => address),
  ),
  inside('/projects/:projectId', 'status.notFound.title', 'members', () => '/projects/nonsense'),

  served('/help/', 'help.title', 'anyone'),
  served('/help/community', 'help.communityTitle', 'anyone'),
  served('/help/import', 'help.importTitle', 'anyone'),
  served('/help/guide/', /^User’s guide$/, 'anyone'),
  ...['members', 'admins', 'super-admins', 'operators'].map((name) =>
    served(`/help/guide/${name}`, /^For /, 'anyone'),
  ),
  served('/help/api', /^API/, 'anyone'),
  served(
    '/downloads/apk/:id/published',
    'downloads.missingTitle',
    'anyone',
    ({ product }) => `/downloads/apk/${product}/published`,
  ),
  served(
    '/downloads/products/:id/files/published/:type',
    /^Field Guide$/,
    'anyone',
    ({ published }) => `/downloads/products/${published}/files/published/html`,
  ),
  // To whom they are not shown the page looks the same as where there is no file.
  ...[
    'product-artifacts/:id/content',
    'product-builds/:id/console',
    'product-publications/:id/console',
  ].map((file) =>
    served(
      `/downloads/${file}`,
      'downloads.missingTitle',
      'anyone',
      () => `/downloads/${file.replace(':id', 'none')}`,
    ),
  ),
  served('/oidc/interaction/:uid', 'identity.late.title', 'anyone', () => '/oidc/interaction/none'),
  served('/oidc/sign-up', 'identity.signUp.title', 'anyone'),
  served('/oidc/forgot', 'identity.forgot.title', 'anyone'),
  ...['verify', 'reset', 'sign-in', 'confirm-address'].map((name) =>
    served(`/oidc/${name}`, 'identity.link.title', 'anyone', () => `/oidc/${name}?token=used`),
  ),
  ...ACCOUNT_PAGES.map(({ at, title }) => row('server', 'admin')(at, title, 'signedInAtIssuer')),
];

/** What `role` gets at a row. */
export function outcomeOf({ access }: Pick<RouteRow, 'access'>, role: Role): Outcome {
  const outcomes: Outcomes = ACCESS[access];
  return outcomes[role] ?? page;
}
