import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import type { ReactElement } from 'react';
import { editProject } from '#data/actions/projects.ts';
import { chooseOrganization, useOrganization } from '#session/organization.ts';
import {
  adminsHere,
  importers,
  Guarded,
  projectEditors,
  projectMakers,
  projectTeam,
} from '#screens/app/page/guards.tsx';
import type { Guard } from '#screens/app/page/guards.tsx';
import { NotHere } from '#screens/app/page/device/not-here.tsx';
import { Members } from '#screens/app/frame/areas.tsx';
import { speak } from '#ui/text/text.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { asResource, closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const project = `/projects/${harvest.id}`;

async function visit(
  at: string,
  viewer: string,
  held: Shelf = shelf,
  prepare: (app: AppOverStore) => Promise<void> = () => Promise.resolve(),
) {
  const behind = (guard: Guard): ReactElement => <Guarded guard={guard}>The page</Guarded>;
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/projects/active', element: behind(adminsHere) },
    { path: '/projects/new', element: behind(projectMakers) },
    { path: '/projects/import', element: behind(importers) },
    { path: '/projects/:projectId', element: behind(projectTeam) },
    { path: '/projects/:projectId/edit', element: behind(projectEditors) },
  ];
  const { surroundings } = testSurroundings();
  const app = await openStore(viewer, held);
  await prepare(app);
  render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
  // What turns people away comes when it is wanted.
  await screen.findAllByText(/^(The page|Home|Not Found!|The server has a problem)/);
}
/** Says what `viewer` finds at `at`: the page, or where they were sent to and with which words. */
const found = () => ({
  isIn: screen.queryByText('The page') !== null,
  isHome: screen.queryByText('Home') !== null,
});
/** The fellow in no group, and so with no part in the projects of the builder. */
const apart: Shelf = {
  ...shelf,
  groupMembership: (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow),
};

describe('[2.2] the guards of the routes', () => {
  before(() => speak('en-US'));
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('let the owner of a project in, to read and to edit [R304, R308]', async () => {
    await visit(project, builder);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
    cleanup();
    await visit(`${project}/edit`, builder);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
  });

  it('let in who shares its group [R293, R304]', async () => {
    await visit(project, fellow);
    expect(found().isIn).to.equal(true);
  });

  it('send home, with words, a member of the organization who has no part in it [R293, R304, R382]', async () => {
    await visit(project, fellow, apart);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
    expect(screen.queryByText(/You are not allowed to do that/)).not.to.equal(null);
  });

  it('tell a stranger nothing but that they are no member [R271, R312, R377]', async () => {
    const strange: Shelf = {
      ...apart,
      organizationMembership: (shelf.organizationMembership ?? []).filter(
        ({ user }) => user !== fellow,
      ),
    };
    await visit(project, fellow, strange);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
    expect(screen.queryByText('You are not a member of that organization')).not.to.equal(null);
  });

  it('find no project where the device has none and the server shows none [R271]', async () => {
    await visit(`/projects/${idOf(77)}`, builder);
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(found().isIn).to.equal(false);
    expect(screen.queryByText('You are not a member of that organization')).to.equal(null);
  });

  it('ask the server for a project that is not on the device, and tell whose it is not [R271, R377]', async () => {
    const id = idOf(77);
    const elsewhere = { ...harvest, id, organization: idOf(12), owner: fellow };
    await visit(`/projects/${id}`, builder, shelf, ({ server }) => {
      server.records.set(`projects/${id}`, asResource('project', elsewhere));
      return Promise.resolve();
    });
    expect(await screen.findByText('You are not a member of that organization')).not.to.equal(null);
    expect(await screen.findByText('Home')).not.to.equal(null);
    expect(found().isIn).to.equal(false);
  });

  it('let an author read a project and not edit it [R304]', async () => {
    const held: Shelf = {
      ...apart,
      author: [record('author', { id: idOf(80), user: fellow, project: harvest.id })],
      userRole: [
        record('userRole', {
          id: idOf(62),
          user: fellow,
          organization: lakeside,
          roleName: 'Author',
          role: idOf(61),
        }),
      ],
    };
    await visit(project, fellow, held);
    expect(found().isIn).to.equal(true);
    cleanup();
    await visit(`${project}/edit`, fellow, held);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
  });

  it('ask for an organization before a project is made [R270, R311, R375]', async () => {
    chooseOrganization(null);
    await visit('/projects/new', builder);
    expect(found().isHome).to.equal(true);
    const words = screen.getByText('An organization must be selected to view this page');
    expect(words.closest('.toast')?.className).to.contain('toast-warning');
  });

  it('take the only organization there is for chosen, at the first address that is opened [R52]', async () => {
    chooseOrganization(null);
    const only: Shelf = {
      ...shelf,
      organization: (shelf.organization ?? []).filter(({ id }) => id === lakeside),
    };
    const page = <Guarded guard={projectMakers}>The page</Guarded>;
    const children = [
      { path: '/', element: <>Home</> },
      { path: '/projects/new', element: page },
    ];
    const { surroundings } = testSurroundings();
    const routes = [{ element: <Members />, children }];
    const app = await openStore(builder, only);
    render(<Around store={app} surroundings={surroundings} routes={routes} at="/projects/new" />);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
  });

  it('look at nothing of an organization that a super admin chose before the device follows them there', async () => {
    const lead: Shelf = {
      ...shelf,
      userRole: [record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' })],
    };
    const { surroundings } = testSurroundings();
    const app = await openStore(builder, lead);
    const followed: string[] = [];
    const selectOrganization = (organization: string | null) => {
      followed.push(`look at ${organization ?? 'all'}`);
      app.data.selectOrganization(organization);
    };
    const store = { data: { ...app.data, selectOrganization } };
    const drawn: unknown[] = [];
    const Page = () => {
      drawn.push([`look at ${useOrganization() ?? 'all'}`, followed.at(-1)]);
      return null;
    };
    const routes = [{ element: <Members />, children: [{ path: '/', element: <Page /> }] }];
    render(<Around store={store} surroundings={surroundings} routes={routes} at="/" />);
    act(() => {
      chooseOrganization(null);
    });
    expect(followed).to.deep.equal([`look at ${lakeside}`, 'look at all']);
    for (const [inView, last] of drawn as [string, string][]) expect(last).to.equal(inView);
    expect(drawn.length).to.be.greaterThan(1);
  });

  it('ask for a group before a project is made [R269, R311, R376]', async () => {
    await visit('/projects/new', fellow, apart);
    expect(found().isHome).to.equal(true);
    expect(screen.queryByText('You must be a member of at least one group.')).not.to.equal(null);
  });

  it('ask no super admin for a group before they make or import projects [R269]', async () => {
    const lead: Shelf = {
      ...shelf,
      groupMembership: [],
      userRole: [record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' })],
    };
    for (const at of ['/projects/new', '/projects/import']) {
      await visit(at, builder, lead);
      expect(found(), at).to.deep.equal({ isIn: true, isHome: false });
      cleanup();
    }
  });

  it('keep imports for admins, who need an organization and a group too [R269, R270, R301]', async () => {
    await visit('/projects/import', builder);
    expect(found().isHome).to.equal(true);
    cleanup();
    const promoted = (shelf.userRole ?? []).map((role) => ({
      ...role,
      roleName: 'OrganizationAdmin' as const,
    }));
    await visit('/projects/import', builder, { ...shelf, userRole: promoted });
    expect(found().isIn).to.equal(true);
    cleanup();
    await visit('/projects/import', builder, { ...shelf, userRole: promoted, groupMembership: [] });
    expect(screen.queryByText('You must be a member of at least one group.')).not.to.equal(null);
    cleanup();
    chooseOrganization(null);
    await visit('/projects/import', builder, { ...shelf, userRole: promoted });
    expect(screen.queryByText('An organization must be selected to view this page')).not.to.equal(
      null,
    );
  });

  it('find nothing where an address below projects names none [R71]', async () => {
    await visit('/projects/nonsense', builder);
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(found().isIn).to.equal(false);
  });

  it('keep active projects for admins [R70, R301]', async () => {
    await visit('/projects/active', builder);
    expect(found().isHome).to.equal(true);
    cleanup();
    const promoted = (shelf.userRole ?? []).map((role) => ({
      ...role,
      roleName: 'OrganizationAdmin' as const,
    }));
    await visit('/projects/active', builder, { ...shelf, userRole: promoted });
    expect(found().isIn).to.equal(true);
  });

  it('have a heading while the words for a broken server come', async () => {
    const serverError = { status: '503', code: '', title: '' };
    const { surroundings } = testSurroundings();
    const app = await openStore(builder, shelf);
    const routes = [{ path: '/', element: <NotHere isPage serverError={serverError} /> }];
    render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
    const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
    expect(heading()).to.equal('This is not on this device yet');
    await screen.findByText('The server has a problem');
    expect(heading()).to.equal('The server has a problem');
  });

  it('do not take a project for missing that the server could not be asked for [R374, R400]', async () => {
    let asked = 0;
    await visit(`/projects/${idOf(77)}`, builder, shelf, ({ server }) => {
      server.answer = (path) => {
        if (!path.includes(idOf(77))) return null;
        asked += 1;
        return Promise.resolve(new Response('', { status: 503 }));
      };
      return Promise.resolve();
    });
    expect(screen.getByText(/The server answered with status 503\./)).not.to.equal(null);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal(
      'The server has a problem',
    );
    expect(screen.queryByText('Not Found!')).to.equal(null);
    const before = asked;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => {
      expect(asked).to.be.greaterThan(before);
    });
  });

  it('[fault 25] lead to the changes that one has made to a project that is gone [R400]', async () => {
    await visit(project, builder, shelf, async ({ data, goOffline, goOnline, dropRecord }) => {
      await goOffline();
      await editProject(data, harvest, { name: 'Harvest Home' });
      await dropRecord('project', harvest.id);
      await goOnline();
    });
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(screen.queryByText(/They are kept on this device/)).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Show' })).not.to.equal(null);
    expect(found().isIn).to.equal(false);
  });
});
