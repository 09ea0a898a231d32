import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { chooseOrganization } from '#session/organization.ts';
import { keptReturnTo, takeReturnTo } from '#session/return-to.ts';
import { SessionProvider } from '#session/sign-in.tsx';
import type { Session, SessionSnapshot } from '#session/session.ts';
import { OpenDataContext } from '#screens/app/page/device/data-opener.ts';
import { routes } from '#screens/app/routes.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const BERTA: SessionSnapshot = {
  state: 'signed-in',
  userId: builder,
  accountStatus: 'active',
  claims: null,
};
const NOBODY: SessionSnapshot = {
  state: 'signed-out',
  userId: null,
  accountStatus: 'unknown',
  claims: null,
};

/** Opens an address of the app, with all its routes. */
async function visit(
  at: string,
  snapshot: SessionSnapshot,
  held: Shelf = shelf,
  prepare: (app: AppOverStore) => void = () => undefined,
) {
  const { surroundings } = testSurroundings();
  const app = await openStore(builder, held);
  prepare(app);
  const session = { snapshot: () => snapshot, subscribe: () => () => undefined };
  render(
    <SessionProvider session={session as unknown as Session}>
      <OpenDataContext.Provider value={() => app.data}>
        <Around store={app} surroundings={surroundings} routes={routes} at={at} />
      </OpenDataContext.Provider>
    </SessionProvider>,
  );
}
/** Waits for the page with that title. */
const titled = async (title: string | RegExp) => {
  await waitFor(() => {
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.match(new RegExp(title));
  });
};
/** The builder with one role: in Lakeside Press, or everywhere. */
const having = (roleName: 'OrganizationAdmin' | 'SuperAdmin'): Shelf => ({
  ...shelf,
  userRole: [
    record('userRole', {
      ...{ id: idOf(62), user: builder, roleName },
      organization: roleName === 'SuperAdmin' ? null : lakeside,
    }),
  ],
});
const sidebarLink = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).queryByRole('link', { name });
const leave = async () => {
  cleanup();
  await closeStores();
};
const SIGN_IN = /^Welcome to Slipway/;

describe('[2.1] the addresses of the app', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    takeReturnTo();
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    await leave();
    takeReturnTo();
    chooseOrganization(null);
  });

  for (const area of [
    '/admin',
    '/tasks',
    `/organizations/${lakeside}/settings`,
    '/directory',
    '/projects/own',
    `/products/${harvestApp}/files`,
    `/products/${harvestApp}/builds`,
    '/builds',
    '/users',
    '/form/approval',
    `/flow/AppBuilders_Android_GooglePlay_Flow/${harvestApp}`,
  ])
    it(`ask for a sign-in before they show ${area.replace(/[0-9a-f-]{36}/, '…')}, and lead back there [R25, R26, R294]`, async () => {
      await visit(`${area}?page=2`, NOBODY);
      await titled(SIGN_IN);
      expect(keptReturnTo()).to.equal(`${area}?page=2`);
    });

  for (const [address, title] of [
    ['/login', SIGN_IN],
    ['/open-source', /^Open source/],
    ['/invitations/missing-token', /^The link is not complete/],
    ['/invitations/organization/t0ken', /^Create your organization/],
    ['/request-access-for-organization', /^Request Organization Invite/],
    ['/request-access-for-organization/success', /^Request Sent!/],
  ] as const)
    it(`show ${address} to everybody, who is then asked for nothing [R29]`, async () => {
      await visit(address, NOBODY);
      await titled(title);
      expect(keptReturnTo()).to.equal(null);
    });

  for (const address of [
    '/nonsense',
    '/tasks/more',
    '/organizations',
    `/organizations/${lakeside}`,
    '/projects/nonsense',
    `/products/${harvestApp}`,
    '/directory/more/still',
    '/admin/nothing',
  ])
    it(`have nothing at ${address.replace(/[0-9a-f-]{36}/, '…')}, signed in or not, and say so [R30, R71, R137]`, async () => {
      await visit(address, BERTA);
      await titled('Not Found!');
      await leave();
      await visit(address, NOBODY);
      await titled(address === '/projects/nonsense' ? SIGN_IN : 'Not Found!');
    });

  it('give way, each alone, to what went wrong in its page, and the navigation stays [R399]', async () => {
    const { onerror } = window;
    // React reports to the page what it catches, too.
    window.onerror = () => true;
    await visit('/users', BERTA, having('OrganizationAdmin'), ({ data }) => {
      const open = data.lists.open.bind(data.lists) as (...given: unknown[]) => unknown;
      Object.defineProperty(data.lists, 'open', {
        value: (...given: unknown[]) => {
          if (given[0] === 'user') throw new Error('A bug in the list of people');
          return open(...given);
        },
      });
    });
    await screen.findByText('Something went wrong');
    window.onerror = onerror;
    expect(screen.queryByText(/A bug in the list of people/)).not.to.equal(null);
    expect(sidebarLink('My projects')).not.to.equal(null);
  });

  it('have nothing in the area of users but a person, their form and their settings [R150]', async () => {
    for (const address of ['more', 'settings', 'settings/more', 'roles'].map(
      (part) => `/users/${fellow}/${part}`,
    )) {
      const isThere = address.endsWith('/settings');
      await visit(address, BERTA);
      await titled(isThere ? /^User settings: Felix Fellow/ : 'Not Found!');
      await leave();
    }
  });

  it('begin with the tasks: at their root, and at the sign-in of who is signed in already [R24, R37]', async () => {
    for (const address of ['/', '/login']) {
      await visit(address, BERTA);
      await titled(/^My tasks/);
      expect(screen.queryByRole('heading', { name: SIGN_IN })).to.equal(null);
      await leave();
    }
  });

  it('have the settings of the organization in view in the navigation of its admins [R48, R155, R301]', async () => {
    await visit('/tasks', BERTA);
    await titled(/^My tasks/);
    expect(sidebarLink('Organization settings')).to.equal(null);
    await leave();

    await visit('/tasks', BERTA, having('OrganizationAdmin'));
    await titled(/^My tasks/);
    act(() => {
      chooseOrganization(null);
    });
    await waitFor(() => {
      expect(sidebarLink('Organization settings')).to.equal(null);
    });
    expect(sidebarLink('Users')).not.to.equal(null);
    act(() => {
      chooseOrganization(lakeside);
    });
    const link = await screen.findByRole('link', { name: 'Organization settings' });
    expect(link.getAttribute('href')).to.equal(`/organizations/${lakeside}/settings`);
    fireEvent.click(link);
    await titled(/Lakeside Press/);
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('Lakeside Press');
  });

  it('have the organizations of the installation in the navigation of super admins alone [R49, R295, R296]', async () => {
    await visit('/tasks', BERTA, having('OrganizationAdmin'));
    await titled(/^My tasks/);
    expect(sidebarLink('Admin settings')).to.equal(null);
    await leave();
    for (const address of ['/admin', '/admin/settings/stores', '/admin/audit', '/admin/jobs']) {
      await visit(address, BERTA, having('OrganizationAdmin'));
      await titled(/^My tasks/);
      await screen.findByText(/^You are not allowed to do that/);
      await leave();
    }

    await visit('/tasks', BERTA, having('SuperAdmin'));
    await titled(/^My tasks/);
    fireEvent.click(sidebarLink('Admin settings') ?? document.body);
    await titled(/^Organizations/);
    await screen.findByText('Harbor Media');
  });

  it('lead super admins from each area of the settings to all others [R173]', async () => {
    await visit('/admin/settings', BERTA, having('SuperAdmin'));
    await titled(/^Organizations/);
    for (const area of [
      ...['Workflow definitions', 'Product definitions', 'Stores', 'Store types'],
      ...['Build engines', 'Organizations'],
    ]) {
      const parts = within(screen.getByRole('navigation', { name: 'Parts of the admin settings' }));
      fireEvent.click(parts.getByRole('link', { name: area }));
      await titled(new RegExp(`^${area}`));
    }
  });

  it('have a form for an organization that asks for its owner [R253]', async () => {
    await visit('/admin/settings/organizations/new', BERTA, having('SuperAdmin'));
    fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Hill Press' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByText('An organization needs an owner');
  });

  it('lead to a project by its id [R100]', async () => {
    await visit(`/projects/${harvest.id}`, BERTA);
    await titled(/^Harvest/);
  });
});
