import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { setSwitch } from '#data/actions/projects.ts';
import { chooseOrganization, useOrganization } from '#session/organization.ts';
import { SessionProvider } from '#session/sign-in.tsx';
import type { Session } from '#session/session.ts';
import { Members } from '#screens/app/frame/areas.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import {
  builder,
  fellow,
  harbor,
  harvest,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

/** Shows where one is, and whose work one looks at. */
function Here() {
  const { pathname } = useLocation();
  return (
    <p data-testid="here">
      {pathname} of {useOrganization() ?? 'all'}
    </p>
  );
}

async function visit(
  held: Shelf = shelf,
  viewer = builder,
  picture: string | null = null,
  isLoading = false,
) {
  const app = await openStore(viewer, held, { isLoading });
  const around = testSurroundings();
  const routes = [{ element: <Members />, children: [{ path: '*', element: <Here /> }] }];
  const snapshot = {
    state: 'signed-in',
    userId: viewer,
    accountStatus: 'active',
    claims: { sub: 's', email: null, isEmailVerified: true, name: null, picture, endsAt: null },
  };
  const session = { snapshot: () => snapshot, subscribe: () => () => undefined };
  render(
    <SessionProvider session={session as unknown as Session}>
      <Around store={app} surroundings={around.surroundings} routes={routes} at="/somewhere" />
    </SessionProvider>,
  );
  return { app, ...around };
}

const here = () => screen.getByTestId('here').textContent;
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const sidebar = () => within(screen.getByRole('complementary', { name: 'Navigation' }));
const links = () =>
  sidebar()
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
const entries = () =>
  sidebar()
    .getAllByRole('button')
    .slice(1)
    .map((button) => button.querySelector('.switcher-name')?.textContent);
const roles = (roleName: 'OrganizationAdmin' | 'SuperAdmin'): Shelf => ({
  ...shelf,
  userRole: [
    record('userRole', {
      id: idOf(62),
      user: builder,
      roleName,
      organization: roleName === 'SuperAdmin' ? null : lakeside,
    }),
  ],
});
/** The builder in `count` organizations, Lakeside Press among them. */
const inMany = (count: number): Shelf => {
  const ids = Array.from({ length: count - 2 }, (_, index) => idOf(400 + index));
  return {
    ...shelf,
    organization: [
      ...(shelf.organization ?? []),
      ...ids.map((id) => record('organization', { id, name: `Press ${id}`, owner: builder })),
    ],
    organizationMembership: [
      ...(shelf.organizationMembership ?? []),
      ...ids.map((id, index) =>
        record('organizationMembership', {
          id: idOf(500 + index),
          user: builder,
          organization: id,
          dateAccepted: '2026-01-05T09:00:00.000Z',
        }),
      ),
    ],
  };
};
const onlyLakeside: Shelf = {
  ...shelf,
  organization: (shelf.organization ?? []).filter(({ id }) => id === lakeside),
};

describe('[2.3] around every page', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
    document.title = '';
  });

  describe('the header', () => {
    it('leads home by its name [R41]', async () => {
      await visit();
      expect(screen.getByRole('link', { name: 'Slipway' }).getAttribute('href')).to.equal('/');
    });

    it('leads who makes projects to the form for one [R42]', async () => {
      await visit();
      const add = within(screen.getByRole('banner')).getByRole('link', { name: 'Add project' });
      expect(add.getAttribute('href')).to.equal('/projects/new');
      cleanup();
      await visit(shelf, fellow);
      expect(screen.queryByRole('link', { name: 'Add project' })).to.equal(null);
      cleanup();
      // Who administers an organization and builds nothing there is led to no form either.
      await visit(roles('OrganizationAdmin'));
      expect(screen.queryByRole('link', { name: 'Add project' })).to.equal(null);
    });

    it('says that a project needs an organization while all are in view [R42]', async () => {
      chooseOrganization(null);
      await visit();
      const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add project' });
      expect(add.disabled).to.equal(true);
      expect(add.title).to.equal('An organization must be selected to view this page');
    });

    it('switches the language at once, and keeps it for the person [R18, R41]', async () => {
      const { app } = await visit();
      press('Language: English');
      const names = screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent);
      expect(names).to.deep.equal(['English', 'Español', 'Français']);
      fireEvent.click(screen.getByRole('menuitemradio', { name: 'Français' }));
      await screen.findByText('Mes projets');
      expect(document.documentElement.lang).to.equal('fr-FR');
      expect(app.recordedActions).to.deep.equal([
        { did: 'edit', type: 'user', id: builder, fields: { locale: 'fr-FR' } },
      ]);
      await act(() => speak('en-US'));
    });

    it('offers the person what is theirs, and signing out last [R43]', async () => {
      localStorage.setItem(
        'slipway.config',
        JSON.stringify({
          auth: { issuer: 'http://here.test', clientId: 'web' },
          links: {
            community: 'http://here.test/talk',
            help: 'http://here.test/help',
            importHelp: null,
          },
        }),
      );
      await visit();
      press('Menu of Berta Builder');
      const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
      expect(items.slice(0, 4)).to.deep.equal(['My profile', 'Account', 'Community', 'Help']);
      expect(items.at(-1)).to.equal('Sign out');
      const profile = screen.getByRole('menuitem', { name: 'My profile' });
      expect(profile.getAttribute('href')).to.equal(`/users/${builder}/edit`);

      const opened: unknown[] = [];
      const open = window.open.bind(window);
      window.open = (address, target, features) => {
        opened.push([address, target, features]);
        return null;
      };
      fireEvent.click(screen.getByRole('menuitem', { name: 'Help' }));
      press('Menu of Berta Builder');
      fireEvent.click(screen.getByRole('menuitem', { name: 'Community' }));
      window.open = open;
      localStorage.removeItem('slipway.config');
      expect(opened).to.deep.equal([
        ['http://here.test/help', '_blank', 'noopener'],
        ['http://here.test/talk', '_blank', 'noopener'],
      ]);
    });

    it('asks what is to become of what was not sent before it signs out [R44]', async () => {
      const { app } = await visit();
      await app.goOffline();
      await setSwitch(app.data, harvest, 'isPublic', false);
      await setSwitch(app.data, harvest, 'allowDownloads', false);
      await app.settle();
      press('Menu of Berta Builder');
      fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Sign out' }));
      const offers = dialog.getAllByRole('button').map(({ textContent }) => textContent);
      expect(offers.slice(1)).to.deep.equal([
        'Send first, then sign out',
        'Sign out and keep everything here',
        'Discard 2 changes and sign out',
        'Cancel',
      ]);
      expect(dialog.getAllByRole('listitem')).to.have.length(2);
      expect(dialog.queryByText('Needs a connection')).not.to.equal(null);
    });

    it('shows the person’s portrait, and a picture of its own where that cannot be had [R41]', async () => {
      await visit(shelf, builder, 'https://portraits.test/berta');
      const picture = () => document.querySelector<HTMLImageElement>('img.avatar');
      expect(picture()?.src).to.equal('https://portraits.test/berta');
      fireEvent.error(picture() ?? document.body);
      expect(picture()).to.equal(null);
      expect(document.querySelector('svg.avatar')).not.to.equal(null);
      cleanup();
      await visit(shelf, builder, 'javascript:alert(1)');
      expect(picture()).to.equal(null);
    });

    it('opens the navigation in a drawer where it has no room [R45]', async () => {
      await visit();
      const toggle = screen.getByRole('button', { name: 'Navigation' });
      expect(toggle.getAttribute('aria-expanded')).to.equal('false');
      fireEvent.click(toggle);
      expect(toggle.getAttribute('aria-expanded')).to.equal('true');
      const drawer = screen.getByRole('dialog', { name: 'Navigation' });
      fireEvent.click(within(drawer).getByRole('link', { name: 'My projects' }));
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(here()).to.include('/projects/own');
    });
  });

  describe('the navigation', () => {
    it('leads to tasks with their number, to one’s own projects and those of the organization, and to the open source in a new tab [R46, R50]', async () => {
      await visit();
      expect(links()).to.deep.equal([
        ['My tasks (1)', '/tasks'],
        ['My projects', '/projects/own'],
        ['Organization projects', '/projects/organization'],
        ['Builds', '/builds'],
        ['Project directory', '/directory'],
        ['Open source', '/open-source'],
      ]);
      const target = (name: string) => sidebar().getByRole('link', { name }).getAttribute('target');
      expect(target('Open source')).to.equal('_blank');
      expect(target('Project directory')).to.equal(null);
    });

    it('leads admins to what is active, too [R47]', async () => {
      await visit(roles('OrganizationAdmin'));
      expect(links()).to.deep.include(['Active projects', '/projects/active']);
    });

    it('marks where one is [R46]', async () => {
      await visit();
      fireEvent.click(sidebar().getByRole('link', { name: 'My projects' }));
      const present = sidebar().getByRole('link', { current: 'page' });
      expect(present.textContent).to.equal('My projects');
    });

    it('counts the tasks of what is in view as they come and go, in the title of the tab too [R46]', async () => {
      const { app } = await visit();
      expect(document.title).to.equal('(1) Slipway');
      await app.putRecord(
        'userTask',
        record('userTask', {
          id: idOf(301),
          user: builder,
          product: shelf.product?.[0]?.id ?? '',
        }),
      );
      expect(links()[0]?.[0]).to.equal('My tasks (2)');
      expect(document.title).to.equal('(2) Slipway');
      await app.setRecord('userTask', idOf(301), { commands: ['Take Back'] });
      expect(links()[0]?.[0]).to.equal('My tasks (1)');
      expect(document.title).to.equal('(1) Slipway');
      act(() => {
        chooseOrganization(harbor);
      });
      expect(links()[0]?.[0]).to.equal('My tasks');
      expect(document.title).to.equal('Slipway');
    });
  });

  describe('the switcher of organizations', () => {
    /** The organizations to choose from come when they are wanted. */
    const openSwitcher = async () => {
      press('Lakeside Press');
      await sidebar().findByRole('button', { name: 'All organizations' });
    };

    it('has nothing to open for who has one, which is chosen silently [R52]', async () => {
      chooseOrganization(null);
      await visit(onlyLakeside);
      expect(here()).to.equal(`/somewhere of ${lakeside}`);
      expect(sidebar().queryByRole('button')).to.equal(null);
      expect(sidebar().queryByText('Lakeside Press')).not.to.equal(null);
    });

    it('offers each of them, then all together, in place of the links [R51]', async () => {
      await visit();
      await openSwitcher();
      expect(sidebar().queryByRole('link')).to.equal(null);
      expect(sidebar().getByRole('button', { current: true }).textContent).to.include(
        'Lakeside Press',
      );
      expect(entries()).to.include('Harbor Media');
      expect(entries().at(-1)).to.equal('All organizations');
    });

    it('puts another in view, kept for the next visit, and shows its tasks [R52, R249]', async () => {
      await visit();
      await openSwitcher();
      press('Harbor Media');
      expect(here()).to.equal(`/tasks of ${harbor}`);
      cleanup();
      await visit();
      expect(here()).to.equal(`/somewhere of ${harbor}`);
    });

    it('puts all of them in view [R51, R249]', async () => {
      await visit();
      await openSwitcher();
      press('All organizations');
      expect(here()).to.equal('/tasks of all');
      expect(sidebar().getByRole('button', { name: 'All organizations' })).not.to.equal(null);
    });

    it('falls back to all of them when the one that was chosen is no longer theirs [R51]', async () => {
      chooseOrganization('0197c1e0-0000-7000-8000-00000000ffff');
      await visit();
      expect(here()).to.equal('/somewhere of all');
    });

    it('keeps what a super admin chose while their organizations are still coming [R51]', async () => {
      const one = { ...roles('SuperAdmin'), organization: onlyLakeside.organization ?? [] };
      for (const chosen of [harbor, null]) {
        chooseOrganization(chosen);
        await visit(one, builder, null, true);
        expect(here()).to.equal(`/somewhere of ${chosen ?? 'all'}`);
        cleanup();
      }
    });

    it('has a search where there are more than four [R53, R408, R419]', async () => {
      await visit(inMany(4));
      await openSwitcher();
      expect(sidebar().queryByRole('searchbox')).to.equal(null);
      cleanup();
      await visit(inMany(5));
      await openSwitcher();
      const search = sidebar().getByRole('searchbox', { name: 'Search organizations' });
      expect(document.activeElement).to.equal(search);
      fireEvent.change(search, { target: { value: 'harb' } });
      expect(entries()).to.have.length(2);
      fireEvent.change(search, { target: { value: 'nobody has that' } });
      expect(sidebar().queryByText('No results')).not.to.equal(null);
      fireEvent.change(search, { target: { value: 'harb' } });
      fireEvent.keyDown(search, { key: 'Enter' });
      expect(here()).to.equal(`/tasks of ${harbor}`);
    });

    it('is worked by keys: arrows move, letters search, Escape goes back to the links [R51]', async () => {
      await visit(inMany(5));
      await openSwitcher();
      const key = (name: string) => {
        fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
      };
      const search = sidebar().getByRole('searchbox');
      key('ArrowDown');
      expect(document.activeElement?.textContent).to.include('Harbor Media');
      key('a');
      expect(document.activeElement).to.equal(search);
      key('ArrowUp');
      expect(document.activeElement?.textContent).to.include('All organizations');
      key('Escape');
      expect(sidebar().queryByRole('searchbox')).to.equal(null);
      expect(document.activeElement?.textContent).to.include('Lakeside Press');
      expect(links()).to.have.length(6);
    });

    it('says to super admins that their organizations are still coming [R54]', async () => {
      const one = { ...roles('SuperAdmin'), organization: onlyLakeside.organization ?? [] };
      const { app, pass } = await visit(one, builder, null, true);
      await openSwitcher();
      await waitFor(() => {
        act(() => {
          pass(200);
        });
        expect(sidebar().queryByRole('status', { name: 'Loading …' })).not.to.equal(null);
      });
      app.server.put('organization', { id: idOf(12), name: 'Far Away Press' });
      app.server.letThrough();
      await app.settle();
      await waitFor(() => {
        expect(sidebar().queryByRole('status')).to.equal(null);
      });
    });

    it('shows the logo of an organization that has one, and a letter of others [R55]', async () => {
      const logoUrl = 'https://lakeside.test/logo.png';
      await visit({
        ...shelf,
        organization: (shelf.organization ?? []).map((each) =>
          each.id === lakeside ? { ...each, logoUrl } : each,
        ),
      });
      expect(document.querySelector<HTMLImageElement>('.organization-mark')?.src).to.equal(logoUrl);
      await openSwitcher();
      const others = sidebar().getByRole('button', { name: /Harbor Media/ });
      expect(others.querySelector('.organization-mark')?.textContent).to.equal('H');
    });
  });
});
