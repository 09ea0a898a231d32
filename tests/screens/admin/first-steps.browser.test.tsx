import { cleanup, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { Home } from '#screens/app/frame/areas.tsx';
import { Organizations } from '#screens/admin/settings/organizations.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, idOf, lakeside, record } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const AREA = '/admin/settings/organizations';

/** What a new installation has: a super admin, and nothing that people work in. */
const nothing: Shelf = {
  user: [record('user', { id: builder, name: 'Berta Builder' })],
  userRole: [record('userRole', { id: idOf(60), user: builder, roleName: 'SuperAdmin' })],
};

const organization = [
  record('organization', { id: lakeside, name: 'Lakeside Press', owner: builder }),
];

async function visit(held: Shelf): Promise<void> {
  const app = await openStore(builder, held);
  const { surroundings } = testSurroundings();
  const routes = [
    { path: '/', element: <Home /> },
    { path: '/tasks', element: <h1>My tasks</h1> },
    { path: '/admin/settings', element: <Organizations /> },
    { path: AREA, element: <Organizations /> },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
}

describe('[16.5] the first run of an installation', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  /** The steps, each with whether it is ticked and whether it leads anywhere yet. */
  const steps = () => {
    const list = screen.getByRole('heading', { name: 'First steps' }).parentElement;
    if (list === null) throw new Error('The steps stand nowhere');
    return within(list)
      .getAllByRole('listitem')
      .map((step) =>
        [
          within(step).queryByRole('img', { name: 'Done' }) === null ? 'open' : 'done',
          ...(within(step).queryAllByRole('link').length === 0 ? ['no way yet'] : []),
          ...within(step)
            .queryAllByRole('link')
            .map((link) => link.getAttribute('href')),
        ].join(', '),
      );
  };

  it('leads its super admin to the organizations, and says that the first is to be added', async () => {
    await visit(nothing);
    await screen.findByRole('heading', { name: 'First steps' });
    expect(steps()).to.deep.equal([
      `open, ${AREA}/new, /admin`,
      'open, no way yet',
      'open, no way yet',
      'open, no way yet',
      'open, no way yet',
      'open, no way yet',
    ]);
    await screen.findByText('No organizations yet');
  });

  it('names whom a super admin has invited to create the first organization', async () => {
    const ownerEmail = 'nora@northshore.example';
    const invited = { id: idOf(90), ownerEmail, redeemed: false, expiresAt: null };
    await visit({ ...nothing, organizationInvite: [record('organizationInvite', invited)] });
    const way = await screen.findByRole('link', { name: `Invited to create one: ${ownerEmail}` });
    expect(way.getAttribute('href')).to.equal('/admin');
  });

  it('leads to the tasks where there is an organization', async () => {
    await visit({ ...nothing, organization });
    await screen.findByRole('heading', { name: 'My tasks' });
  });

  it('ticks what is done, and leads to what is left', async () => {
    const app = await openStore(builder, {
      ...nothing,
      organization,
      group: [record('group', { id: idOf(20), name: 'North', abbreviation: 'N', owner: lakeside })],
    });
    const { surroundings } = testSurroundings();
    const routes = [{ path: AREA, element: <Organizations /> }];
    render(<Around store={app} surroundings={surroundings} routes={routes} at={AREA} />);
    await screen.findByRole('heading', { name: 'First steps' });
    expect(steps()).to.deep.equal([
      `done, ${AREA}/new`,
      `open, ${AREA}/${lakeside}/stores`,
      `open, /organizations/${lakeside}/settings/products`,
      `done, /organizations/${lakeside}/settings/groups`,
      'open, /users',
      'open, /projects/new',
    ]);
  });
});
