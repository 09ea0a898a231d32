import { Navigate } from 'react-router-dom';
import type { ComponentType, ReactElement } from 'react';
import type { RouteObject } from 'react-router-dom';
import {
  Guarded,
  everyone,
  importers,
  adminsHere,
  adminsSomewhere,
  projectEditors,
  projectMakers,
  projectTeam,
  superAdmins,
} from './page/guards.tsx';
import type { Guard } from './page/guards.tsx';
import { lists } from '../projects/lists.ts';
import { ProjectList } from '../projects/project-list.tsx';
import { Home, Members, SignedIn, UNKNOWN } from './frame/areas.tsx';
import { lateScreen } from './page/late/late-part.tsx';
import { Crash, RouteCrash } from './frame/route-crash.tsx';
import { Root } from './frame/root.tsx';
import { LateNotFound } from './page/late-not-found.tsx';
import type * as Access from '../invitations/request-access.tsx';
import type * as Invitations from '../invitations/invitations.tsx';
import type * as StatusPages from '../status/status-pages.tsx';

interface Page {
  readonly path: string;
  readonly guard: Guard;
  readonly screen: ReactElement | (() => Promise<ComponentType>);
}

/** The addresses below `/admin/settings`. */
const SETTINGS_OF_ALL = [
  'organizations',
  'organizations/new',
  'organizations/:recordId/edit',
  'organizations/:recordId/stores',
  ...['workflow-definitions', 'product-definitions', 'stores', 'store-types'].flatMap((area) => [
    area,
    `${area}/new`,
    `${area}/:recordId/edit`,
  ]),
  'build-engines',
];

/** Every page inside the shell: its address, who enters, and what shows. */
const pages: readonly Page[] = [
  {
    path: '/tasks',
    guard: everyone,
    screen: async () => (await import('../tasks/tasks-page.tsx')).Tasks,
  },
  ...Object.values(lists).map(({ name }) => ({
    path: `/projects/${name}`,
    guard: name === 'active' ? adminsHere : everyone,
    screen: <ProjectList name={name} />,
  })),
  {
    path: '/projects/new',
    guard: projectMakers,
    screen: async () => (await import('../projects/new-project.tsx')).NewProject,
  },
  {
    path: '/projects/import',
    guard: importers,
    screen: async () => (await import('../projects/import/import-page.tsx')).ImportProjects,
  },
  {
    path: '/projects/:projectId',
    guard: projectTeam,
    screen: async () => (await import('../projects/project-page.tsx')).ProjectPage,
  },
  {
    path: '/projects/:projectId/activity',
    guard: projectTeam,
    screen: async () => (await import('../activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: '/projects/:projectId/builds',
    guard: projectEditors,
    screen: async () =>
      (await import('../products/builds/project-builds-page.tsx')).ProjectBuildsPage,
  },
  {
    path: '/projects/:projectId/edit',
    guard: projectEditors,
    screen: async () => (await import('../projects/edit-project.tsx')).EditProject,
  },
  {
    path: '/products/:productId/files',
    guard: everyone,
    screen: async () => (await import('../products/files/product-files-page.tsx')).ProductFilesPage,
  },
  {
    path: '/products/:productId/builds',
    guard: everyone,
    screen: async () =>
      (await import('../products/builds/product-builds-page.tsx')).ProductBuildsPage,
  },
  {
    path: '/products/:productId/builds/:buildId/log',
    guard: everyone,
    screen: async () => (await import('../products/log/product-log-page.tsx')).ProductLogPage,
  },
  {
    path: '/builds',
    guard: everyone,
    screen: async () =>
      (await import('../products/builds/organization-builds-page.tsx')).OrganizationBuildsPage,
  },
  {
    path: '/directory',
    guard: everyone,
    screen: async () => (await import('../directory/directory-page.tsx')).Directory,
  },
  {
    path: '/directory/:publicProjectId',
    guard: everyone,
    screen: async () => (await import('../directory/directory-project.tsx')).DirectoryProject,
  },
  {
    path: '/users',
    guard: adminsSomewhere,
    screen: async () => (await import('../people/users-page.tsx')).Users,
  },
  ...(['', '/roles', '/groups'] as const).map((part) => ({
    path: `/users/:userId/settings${part}`,
    guard: everyone,
    screen: async () => {
      const { UserGroups, UserRoles, UserSettings } = await import('../people/user-settings.tsx');
      return { '': UserSettings, '/roles': UserRoles, '/groups': UserGroups }[part];
    },
  })),
  {
    path: '/users/:userId',
    guard: everyone,
    screen: async () => (await import('../people/user-page.tsx')).UserPage,
  },
  {
    path: '/users/:userId/edit',
    guard: everyone,
    screen: async () => (await import('../people/edit-profile.tsx')).EditProfile,
  },
  {
    path: '/account',
    guard: everyone,
    screen: async () => (await import('../people/account.tsx')).Account,
  },
  ...(
    ['', '/user-setup', '/products', '/stores', '/groups', '/infrastructure', '/audit'] as const
  ).map((part) => ({
    path: `/organizations/:orgId/settings${part}`,
    guard: everyone,
    screen: async () => {
      const settings = await import('../organizations/all-settings.ts');
      return settings.pages[part];
    },
  })),
  {
    path: '/flow/:flow/:productId',
    guard: everyone,
    screen: async () => (await import('../flow/flow-page.tsx')).FlowPage,
  },
  {
    path: '/form/:form',
    guard: everyone,
    screen: async () => (await import('../flow/form-preview.tsx')).FormPreview,
  },
  {
    path: '/admin',
    guard: superAdmins,
    screen: async () => (await import('../admin/invite-organization.tsx')).InviteOrganization,
  },
  ...SETTINGS_OF_ALL.map((part) => ({
    path: `/admin/settings/${part}`,
    guard: superAdmins,
    screen: async () => (await import('../admin/settings/all-areas.tsx')).settingsPage(part),
  })),
  {
    path: '/admin/audit',
    guard: superAdmins,
    screen: async () => (await import('../admin/audit-page.tsx')).AuditPage,
  },
  {
    path: '/admin/jobs',
    guard: superAdmins,
    screen: async () => (await import('../admin/jobs/jobs-page.tsx')).JobsPage,
  },
  {
    path: '/admin/package-names',
    guard: superAdmins,
    screen: async () =>
      (await import('../admin/package-names/package-names-page.tsx')).PackageNamesPage,
  },
  {
    path: '/admin/workflows/:productId',
    guard: superAdmins,
    screen: async () => (await import('../admin/workflow/workflow-page.tsx')).WorkflowPage,
  },
];

function routeOf({ path, guard, screen }: Page): RouteObject {
  const errorElement = <RouteCrash />;
  if (typeof screen !== 'function')
    return { path, errorElement, element: <Guarded guard={guard}>{screen}</Guarded> };
  return {
    path,
    errorElement,
    lazy: async () => {
      const Screen = await lateScreen(screen);
      return {
        Component: () => (
          <Guarded guard={guard}>
            <Screen />
          </Guarded>
        ),
      };
    },
  };
}

const latePage = (path: string, load: () => Promise<ComponentType>) => ({
  path,
  lazy: async () => ({ Component: await lateScreen(load) }),
});

const statusPage = (path: string, name: keyof typeof StatusPages) =>
  latePage(path, async () => (await import('../status/status-pages.tsx'))[name]);

const invitationPage = (path: string, name: keyof typeof Invitations) =>
  latePage(path, async () => (await import('../invitations/invitations.tsx'))[name]);

const accessPage = (path: string, name: keyof typeof Access) =>
  latePage(path, async () => (await import('../invitations/request-access.tsx'))[name]);

/** Every URL of the app. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    children: [
      latePage('/login', async () => (await import('../status/login.tsx')).Login),
      latePage('/open-source', async () => (await import('../status/open-source.tsx')).OpenSource),
      statusPage('/verify-email', 'VerifyEmail'),
      statusPage('/not-active-user', 'NotActiveUser'),
      statusPage('/organization-membership-changed', 'MembershipChanged'),
      accessPage('/request-access-for-organization', 'RequestAccess'),
      accessPage('/request-access-for-organization/success', 'AccessRequested'),
      invitationPage('/invitations/missing-token', 'MissingToken'),
      {
        path: '/invitations/organization',
        element: <Navigate to="/invitations/missing-token" replace />,
      },
      {
        ...invitationPage('/invitations/organization/:token', 'BeforeOrganizationInvitation'),
        children: [
          { element: <SignedIn />, children: [invitationPage('', 'OrganizationInvitation')] },
        ],
      },
      ...['apk/:id/published', 'products/:id/files/published/:type'].map((path) =>
        latePage(
          `/downloads/${path}`,
          async () => (await import('../status/downloads-away.tsx')).DownloadsAway,
        ),
      ),
      {
        element: <SignedIn />,
        children: [
          statusPage('/organization-membership-required', 'MembershipRequired'),
          invitationPage('/invitations/organization-membership/:token', 'MembershipInvitation'),
          {
            element: <Members />,
            children: [
              // In here: what stands around the pages stays on the way home.
              { path: '/', element: <Home /> },
              {
                path: '/admin/settings',
                element: <Navigate to="/admin/settings/organizations" replace />,
              },
              ...pages.map(routeOf),
              { path: '*', handle: UNKNOWN, element: <LateNotFound /> },
            ],
          },
        ],
      },
    ],
  },
];
