import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { chooseOrganization } from '#session/organization.ts';
import { Shell } from '#screens/app/frame/shell.tsx';
import { UserGroups, UserRoles, UserSettings } from '#screens/people/user-settings.tsx';
import { Users } from '#screens/people/users-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  fellow,
  harbor,
  idOf,
  lakeside,
  north,
  record,
  shelf,
  south,
} from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const [adminRole, authorRole] = [idOf(63), idOf(64)];
/** The builder administers Lakeside Press; the fellow is a member, and no author. */
const administered: Shelf = {
  ...shelf,
  role: [
    record('role', { id: adminRole, roleName: 'OrganizationAdmin' }),
    record('role', { id: authorRole, roleName: 'Author' }),
  ],
  userRole: [
    record('userRole', {
      ...{ id: idOf(62), user: builder, role: adminRole },
      ...{ roleName: 'OrganizationAdmin', organization: lakeside },
    }),
  ],
};
async function visit(at: string, held: Shelf = administered) {
  const app = await openStore(builder, held);
  const around = testSurroundings();
  const children = [
    { path: '/users', element: <Users /> },
    { path: '/users/:userId/settings', element: <UserSettings /> },
    { path: '/users/:userId/settings/roles', element: <UserRoles /> },
    { path: '/users/:userId/settings/groups', element: <UserGroups /> },
  ];
  const routes = [{ element: <Shell />, children }];
  render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
  await screen.findByRole('heading', { level: 1 });
  return { app, ...around };
}

const settings = `/users/${fellow}/settings`;
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const flip = (name: string) => {
  fireEvent.click(screen.getByRole('switch', { name }));
};
const leave = async () => {
  cleanup();
  await closeStores();
};
const isOn = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name }).checked;
const typeEmail = (value: string) => {
  fireEvent.change(screen.getByLabelText(/^Email/), { target: { value } });
};

describe('[12.1] a list of people without anybody', () => {
  const superAdmin: Shelf = {
    ...shelf,
    userRole: [
      record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin', role: idOf(63) }),
    ],
    organizationMembership: (shelf.organizationMembership ?? []).filter(
      ({ organization }) => organization === lakeside,
    ),
  };
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    await leave();
    chooseOrganization(null);
  });

  it('says who would be there, and invites the first one', async () => {
    chooseOrganization(harbor);
    await visit('/users', superAdmin);
    const title = await screen.findByRole('heading', { name: 'None found' });
    const box = within(title.parentElement ?? document.body);
    expect(box.queryByText(/^People whom your organization has/)).not.to.equal(null);
    fireEvent.click(box.getByRole('button', { name: 'Invite user' }));
    await screen.findByRole('dialog', { name: 'Invite user' });
  });
});

describe('[12] what admins do with the people of their organization', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    await leave();
    chooseOrganization(null);
  });

  it('hands over to heirs in the order of the names by which they are called', async () => {
    const others = [
      { id: idOf(81), name: null, givenName: 'Ada', familyName: 'Zola' },
      { id: idOf(82), name: 'Zoe', givenName: 'Bea', familyName: null },
    ];
    await visit(`${settings}/roles`, {
      ...administered,
      user: [...(shelf.user ?? []), ...others.map((other) => record('user', other))],
      organizationMembership: [
        ...(shelf.organizationMembership ?? []),
        ...others.map(({ id: user }, n) =>
          record('organizationMembership', {
            ...{ id: idOf(83 + n), user, organization: lakeside },
            dateAccepted: '2026-01-05T09:00:00.000Z',
          }),
        ),
      ],
      groupMembership: [
        ...(shelf.groupMembership ?? []),
        ...others.map(({ id: user }, n) =>
          record('groupMembership', { id: idOf(85 + n), user, group: north }),
        ),
      ],
    });
    press('End membership…');
    const [heirs] = await screen.findAllByRole<HTMLSelectElement>('combobox', { name: /owner/i });
    expect([...(heirs?.options ?? [])].map(({ text }) => text)).to.deep.equal([
      ...['Choose …', 'Ada Zola', 'Berta Builder', 'Zoe'],
    ]);
  });

  it('is profile, roles, groups and the lock, each in its place [R13]', async () => {
    await visit(settings);
    const name = screen.getByLabelText<HTMLInputElement>('Display name');
    expect(name.value).to.equal('Felix Fellow');
    fireEvent.change(name, { target: { value: 'Felix F.' } });
    press('Save');
    await screen.findByText('Profile updated successfully!');

    fireEvent.click(screen.getByRole('link', { name: 'Organization Roles' }));
    flip('Author');
    await screen.findByText('Felix F. added to role');
    fireEvent.click(screen.getByRole('link', { name: 'Group Memberships' }));
    flip('Lakeside South');
    await screen.findByText('Felix F. added to group');
    await leave();

    const { app } = await visit('/users');
    const active = screen.getByRole<HTMLInputElement>('checkbox', {
      name: 'Felix Fellow is active',
    });
    fireEvent.click(active);
    await screen.findByText('Felix Fellow is locked');
    await app.settle();
    expect(app.server.get('user', fellow)?.attributes?.['is-locked']).to.equal(true);
    expect(active.checked).to.equal(false);
  });

  it('leads from each of its parts to the others [R149]', async () => {
    await visit(`${settings}/roles`);
    const ways = () =>
      within(screen.getByRole('navigation', { name: 'Parts of the settings' })).getAllByRole(
        'link',
      );
    expect(ways().map((way) => [way.textContent, way.getAttribute('href')])).to.deep.equal([
      ['User Profile', settings],
      ['Organization Roles', `${settings}/roles`],
      ['Group Memberships', `${settings}/groups`],
    ]);
    const [first] = ways();
    if (first !== undefined) fireEvent.click(first);
    expect(screen.queryByLabelText('Display name')).not.to.equal(null);
  });

  it('has a switch for each role of members and no other, whoever gives them [R151, R284]', async () => {
    const lead = record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' });
    const role = [
      ...(administered.role ?? []),
      record('role', { id: idOf(65), roleName: 'AppBuilder' }),
      record('role', { id: idOf(66), roleName: 'SuperAdmin' }),
    ];
    for (const held of [administered, { ...administered, userRole: [lead] }]) {
      await visit(`${settings}/roles`, { ...held, role });
      const switches = within(screen.getByRole('main')).getAllByRole<HTMLInputElement>('switch');
      expect(switches.map(({ labels }) => labels?.[0]?.textContent)).to.deep.equal([
        ...['App Builder', 'Author', 'Organization Admin'],
      ]);
      await leave();
    }
  });

  it('says whom a role was given and taken from [R314, R405]', async () => {
    const { app } = await visit(`${settings}/roles`);
    app.server.alter = (fields) => ({ ...fields, roleName: 'Author' });
    flip('Author');
    await screen.findByText('Felix Fellow added to role');
    expect(isOn('Author')).to.equal(true);
    expect(app.recordedActions).to.deep.equal([
      {
        ...{ did: 'add', type: 'userRole', id: '' },
        fields: { user: fellow, organization: lakeside, role: authorRole },
      },
    ]);
    await app.settle();
    flip('Author');
    await screen.findByText('Felix Fellow removed from role');
    expect(isOn('Author')).to.equal(false);
  });

  it('says whom a group was given and taken from [R314, R405]', async () => {
    const { app } = await visit(`${settings}/groups`);
    flip('Lakeside South');
    await screen.findByText('Felix Fellow added to group');
    expect(isOn('Lakeside South')).to.equal(true);
    expect(app.recordedActions[0]?.fields).to.deep.equal({ user: fellow, group: south });
    await app.settle();
    flip('Lakeside South');
    await screen.findByText('Felix Fellow removed from group');
    expect(isOn('Lakeside South')).to.equal(false);
  });

  for (const [part, name] of [
    ['roles', 'Author'],
    ['groups', 'Lakeside South'],
  ] as const)
    it(`warns that a person is no member any more, and gives them nothing: ${part} [R314, R405]`, async () => {
      const { app } = await visit(`${settings}/${part}`);
      app.server.refuse = () => [
        {
          ...{ id: 'e1', status: '422', code: 'invalid', title: 'Not valid' },
          ...{ source: { pointer: '/data/relationships/user' }, meta: { rule: 'no-membership' } },
        },
      ];
      flip(name);
      const warning = await screen.findByText(
        'Felix Fellow is no member of that organization any more',
      );
      expect(warning.closest('.toast-warning')).not.to.equal(null);
      await app.settle();
      expect(isOn(name)).to.equal(false);
    });

  it('begins with a table of name, role, groups and active, searched by name, whose names lead to the settings [R138, R139, R141, R151, R408]', async () => {
    const { pass } = await visit('/users');
    const find = (value: string) => {
      fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
      act(() => {
        pass(1_000);
      });
    };
    const table = screen.getByRole('table', { name: 'Users' });
    const columns = within(table).getAllByRole('columnheader');
    expect(columns.slice(0, 4).map(({ textContent }) => textContent)).to.deep.equal([
      ...['Name', 'Role', 'Groups', 'Active'],
    ]);
    const row = within(table).getByRole('row', { name: /Felix Fellow/ });
    expect(row.textContent).to.include('No roles assigned');
    expect(row.textContent).to.include('Lakeside North');
    const link = within(row).getByRole('link', { name: 'Felix Fellow' });
    expect(link.getAttribute('href')).to.equal(settings);
    find('nobody is called so');
    await screen.findByText('None found');
    find('felix');
    await screen.findByRole('row', { name: /Felix Fellow/ });
    expect(screen.queryByRole('row', { name: /Berta Builder/ })).to.equal(null);
  });

  it('has nobody with whom one shares no organization in view [R140]', async () => {
    const others = [
      record('user', { id: idOf(81), name: 'Nora Neighbour' }),
      record('user', { id: idOf(82), name: 'Sam Stranger' }),
    ];
    const held: Shelf = {
      ...administered,
      user: [...(shelf.user ?? []), ...others],
      organizationMembership: [
        ...(shelf.organizationMembership ?? []),
        record('organizationMembership', {
          ...{ id: idOf(83), user: idOf(81), organization: harbor },
          dateAccepted: '2026-01-05T09:00:00.000Z',
        }),
      ],
    };
    const people = () =>
      within(screen.getByRole('table', { name: 'Users' }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    await visit('/users', held);
    expect(people()).to.deep.equal(['Berta Builder', 'Felix Fellow']);
    act(() => {
      chooseOrganization(null);
    });
    expect(people()).to.deep.equal(['Berta Builder', 'Felix Fellow', 'Nora Neighbour']);
  });

  it('invites only while a single organization is in view, and says so [R138]', async () => {
    chooseOrganization(null);
    await visit('/users');
    expect(screen.queryByRole('button', { name: 'Invite user' })).to.equal(null);
    await screen.findByText('Select an organization to invite or add someone.');
    act(() => {
      chooseOrganization(lakeside);
    });
    await screen.findByRole('button', { name: 'Invite user' });
  });

  it('says that a person is locked or unlocked, or what kept them from being so [R240, R404, R406]', async () => {
    const { app } = await visit('/users');
    const active = screen.getByRole<HTMLInputElement>('checkbox', {
      name: 'Felix Fellow is active',
    });
    fireEvent.click(active);
    await screen.findByText('Felix Fellow is locked');
    await app.settle();
    expect(active.checked).to.equal(false);
    fireEvent.click(active);
    await screen.findByText('Felix Fellow is unlocked');
    await app.settle();
    app.storage.fail({ at: 'put', name: 'QuotaExceededError' });
    fireEvent.click(active);
    await screen.findByText('The person was not locked');
    expect(screen.queryByText(/no space left on this device/)).not.to.equal(null);
    expect(active.checked).to.equal(true);
    await leave();

    const user = (shelf.user ?? []).map((each) => ({ ...each, isLocked: each.id === fellow }));
    const locked = await visit('/users', { ...administered, user });
    locked.app.storage.fail({ at: 'put', name: 'QuotaExceededError' });
    const inactive = screen.getByRole<HTMLInputElement>('checkbox', {
      name: 'Felix Fellow is active',
    });
    fireEvent.click(inactive);
    await screen.findByText('The person was not unlocked');
    expect(inactive.checked).to.equal(false);
  });

  it('shows roles and groups as lists to who may not give them, and says where there are none [R151, R152, R153, R378, R408]', async () => {
    await visit(`${settings}/roles`, shelf);
    expect(screen.queryByRole('switch')).to.equal(null);
    await screen.findByText('No roles assigned');
    // Of the two organizations of the viewer they share one.
    expect(screen.getAllByRole('heading', { level: 2 }).map((it) => it.textContent)).to.deep.equal([
      'Lakeside Press',
    ]);
    fireEvent.click(screen.getByRole('link', { name: 'Group Memberships' }));
    expect(screen.queryByRole('switch')).to.equal(null);
    const lists = within(screen.getByRole('main')).getAllByRole('listitem');
    expect(lists.map(({ textContent }) => textContent)).to.include('Lakeside North');
    await leave();

    await visit(`${settings}/groups`, { ...shelf, groupMembership: [] });
    await screen.findByText('None');
    await leave();
    const memberships = (shelf.organizationMembership ?? []).filter(({ user }) => user !== fellow);
    await visit(`${settings}/roles`, { ...shelf, organizationMembership: memberships });
    await screen.findByText('Organization Membership is Required');
  });

  it('says that an invitation was sent, and to whom [R387]', async () => {
    const { app } = await visit('/users');
    press('Invite user');
    typeEmail('new@lakeside.test');
    press('Send invite');
    await screen.findByText('Invite sent to new@lakeside.test.');
    expect(screen.queryByRole('dialog')).to.equal(null);
    const { fields } = app.recordedActions[0] ?? {};
    expect(fields).to.include({ email: 'new@lakeside.test', organization: lakeside });
  });

  it('says inside the dialog that an invitation was not sent, and keeps the address [R387, R407]', async () => {
    const { app } = await visit('/users');
    press('Invite user');
    typeEmail('new@lakeside.test');
    app.storage.fail({ at: 'put', name: 'QuotaExceededError' });
    press('Send invite');
    const dialog = within(screen.getByRole('dialog'));
    const notSent = await dialog.findByText('The invite was not sent');
    expect(notSent.closest('[role=alert]')?.textContent).to.match(/no space left on this device/);
    expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).to.equal('new@lakeside.test');
    expect(screen.queryByText(/^Invite sent/)).to.equal(null);
  });

  it('says that nobody has an address, asks to have them create an account, and invites instead [R143, R282, R393]', async () => {
    const { app } = await visit('/users');
    const unknown = {
      ...{ id: '1', status: '422', code: 'invalid', title: 'Not valid' },
      ...{ source: { pointer: '/data/attributes/email' }, meta: { rule: 'no-such-user' } },
    };
    app.server.answer = (path) =>
      path.startsWith('/api/organization-memberships')
        ? Promise.resolve(
            new Response(JSON.stringify({ errors: [unknown] }), {
              status: 422,
              headers: { 'Content-Type': 'application/vnd.api+json' },
            }),
          )
        : null;
    press('Add by email');
    typeEmail('nobody@lakeside.test');
    press('Add');
    await screen.findByText(
      'Nobody has an account with that address. Ask them to create one, or invite them.',
    );
    await waitFor(() => {
      expect(screen.getByLabelText(/^Email/).getAttribute('aria-invalid')).to.equal('true');
    });
    press('Invite instead');
    expect(screen.getByRole('dialog', { name: 'Invite user' })).not.to.equal(null);
    expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).to.equal(
      'nobody@lakeside.test',
    );
  });
});
