import { act, cleanup, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import type { ReactElement } from 'react';
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
import { Members } from '#screens/app/frame/areas.tsx';
import type { ChangeRow } from '../../../src/data/model/views.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, fellow, harvest, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/shelf.ts';

const project = `/projects/${harvest.id}`;

function visit(at: string, viewer: string, held: Shelf = shelf, rows: readonly ChangeRow[] = []) {
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
  const still = stillData(viewer, held, { rows });
  render(<Around store={still} surroundings={surroundings} routes={routes} at={at} />);
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
  afterEach(() => {
    cleanup();
    chooseOrganization(null);
  });

  it('let the owner of a project in, to read and to edit [R304, R308]', () => {
    visit(project, builder);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
    cleanup();
    visit(`${project}/edit`, builder);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
  });

  it('let in who shares its group [R304]', () => {
    visit(project, fellow);
    expect(found().isIn).to.equal(true);
  });

  it('send home, with words, a member of the organization who has no part in it [R304, R382]', () => {
    visit(project, fellow, apart);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
    expect(screen.queryByText(/You are not allowed to do that/)).not.to.equal(null);
  });

  it('tell a stranger nothing but that they are no member [R271, R312, R377]', () => {
    const strange: Shelf = {
      ...apart,
      organizationMembership: (shelf.organizationMembership ?? []).filter(
        ({ user }) => user !== fellow,
      ),
    };
    visit(project, fellow, strange);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
    expect(screen.queryByText('You are not a member of that organization')).not.to.equal(null);
  });

  it('let an author read a project and not edit it [R304]', () => {
    const held: Shelf = {
      ...apart,
      author: [record('author', { id: 'a1', user: fellow, project: harvest.id })],
      userRole: [
        record('userRole', {
          id: 'r1',
          user: fellow,
          organization: lakeside,
          roleName: 'Author',
          role: 'role',
        }),
      ],
    };
    visit(project, fellow, held);
    expect(found().isIn).to.equal(true);
    cleanup();
    visit(`${project}/edit`, fellow, held);
    expect(found()).to.deep.equal({ isIn: false, isHome: true });
  });

  it('ask for an organization before a project is made [R270, R311, R375]', () => {
    chooseOrganization(null);
    visit('/projects/new', builder);
    expect(found().isHome).to.equal(true);
    expect(screen.queryByText('An organization must be selected to view this page')).not.to.equal(
      null,
    );
  });

  it('take the only organization there is for chosen, at the first address that is opened [R52]', () => {
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
    const still = stillData(builder, only);
    render(<Around store={still} surroundings={surroundings} routes={routes} at="/projects/new" />);
    expect(found()).to.deep.equal({ isIn: true, isHome: false });
  });

  it('look at nothing of an organization that a super admin chose before the device follows them there', () => {
    const lead: Shelf = {
      ...shelf,
      userRole: [record('userRole', { id: 'r1', user: builder, roleName: 'SuperAdmin' })],
    };
    const { surroundings } = testSurroundings();
    const still = stillData(builder, lead);
    const drawn: unknown[] = [];
    const Page = () => {
      drawn.push([`look at ${useOrganization() ?? 'all'}`, still.asked.at(-1)]);
      return null;
    };
    const routes = [{ element: <Members />, children: [{ path: '/', element: <Page /> }] }];
    render(<Around store={still} surroundings={surroundings} routes={routes} at="/" />);
    act(() => {
      chooseOrganization(null);
    });
    expect(still.asked).to.deep.equal([`look at ${lakeside}`, 'look at all']);
    for (const [inView, followed] of drawn as [string, string][]) expect(followed).to.equal(inView);
    expect(drawn.length).to.be.greaterThan(1);
  });

  it('ask for a group before a project is made [R269, R311, R376]', () => {
    visit('/projects/new', fellow, apart);
    expect(found().isHome).to.equal(true);
    expect(screen.queryByText('You must be a member of at least one group.')).not.to.equal(null);
  });

  it('keep imports for admins, who need an organization and a group too [R269, R270, R301]', () => {
    visit('/projects/import', builder);
    expect(found().isHome).to.equal(true);
    cleanup();
    const promoted = (shelf.userRole ?? []).map((role) => ({
      ...role,
      roleName: 'OrganizationAdmin' as const,
    }));
    visit('/projects/import', builder, { ...shelf, userRole: promoted });
    expect(found().isIn).to.equal(true);
    cleanup();
    visit('/projects/import', builder, { ...shelf, userRole: promoted, groupMembership: [] });
    expect(screen.queryByText('You must be a member of at least one group.')).not.to.equal(null);
    cleanup();
    chooseOrganization(null);
    visit('/projects/import', builder, { ...shelf, userRole: promoted });
    expect(screen.queryByText('An organization must be selected to view this page')).not.to.equal(
      null,
    );
  });

  it('find nothing where an address below projects names none [R71]', async () => {
    visit('/projects/nonsense', builder);
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(found().isIn).to.equal(false);
  });

  it('keep active projects for admins [R70, R301]', () => {
    visit('/projects/active', builder);
    expect(found().isHome).to.equal(true);
    cleanup();
    const promoted = (shelf.userRole ?? []).map((role) => ({
      ...role,
      roleName: 'OrganizationAdmin' as const,
    }));
    visit('/projects/active', builder, { ...shelf, userRole: promoted });
    expect(found().isIn).to.equal(true);
  });

  it('[fault 25] lead to the changes that one has made to a project that is gone [R400]', async () => {
    const without: Shelf = { ...shelf, project: [] };
    visit(project, builder, without, [changeRow('c1', 'refused')]);
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(screen.queryByText(/They are kept on this device/)).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Show' })).not.to.equal(null);
    expect(found().isIn).to.equal(false);
  });
});
