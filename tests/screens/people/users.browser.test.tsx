import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { NotSavedError } from '#data/model/change.ts';
import { NotStoredError } from '#data/model/not-stored-error.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { ChangeRow } from '../../../src/data/model/views.ts';
import { EditProfile } from '#screens/people/edit-profile.tsx';
import { UserPage } from '#screens/people/user-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, fellow, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/still-data.tsx';

function visit(at: string, held: Shelf = shelf, viewer = builder, rows: readonly ChangeRow[] = []) {
  const still = stillData(viewer, held, { rows, attention: rows.length });
  const around = stillSurroundings();
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/users/:userId', element: <UserPage /> },
    { path: '/users/:userId/edit', element: <EditProfile /> },
  ];
  render(<Around still={still} surroundings={around.surroundings} routes={routes} at={at} />);
  return { still, ...around };
}

/** The shelf with `fields` of the fellow. */
const withFellow = (fields: object): Shelf => ({
  ...shelf,
  user: (shelf.user ?? []).map((user) => (user.id === fellow ? { ...user, ...fields } : user)),
});
const reachable = withFellow({
  email: 'felix@lakeside.test',
  phone: '+51 1 234',
  timezone: 'America/Lima',
});
const asAdmin = (held: Shelf): Shelf => ({
  ...held,
  userRole: [
    record('userRole', {
      id: 'admin',
      user: builder,
      roleName: 'OrganizationAdmin',
      organization: lakeside,
    }),
  ],
});
/** Label and value of each line, in order. */
const lines = () =>
  screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);

describe('[12.2] the page of a person', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(() => {
    cleanup();
    localStorage.removeItem('slipway.config');
  });

  it('shows a picture of 130 points made here, and the name', () => {
    visit(`/users/${fellow}`);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Felix Fellow');
    const picture = document.querySelector('svg.avatar');
    expect([picture?.getAttribute('width'), picture?.getAttribute('height')]).to.deep.equal([
      '130',
      '130',
    ]);
  });

  it('has the portrait of the service that a setting names, by a digest of an address that shows', async () => {
    localStorage.setItem(
      'slipway.config',
      JSON.stringify({
        auth: { issuer: 'http://here.test', clientId: 'web' },
        avatars: 'https://portraits.test/avatar/',
      }),
    );
    visit(`/users/${fellow}`, withFellow({ email: ' Felix@lakeside.test' }));
    const portrait = () => document.querySelector<HTMLImageElement>('img.avatar');
    await waitFor(() => {
      expect(portrait()?.src).to.match(
        /^https:\/\/portraits\.test\/avatar\/[0-9a-f]{64}\?s=260&d=404$/,
      );
    });
    fireEvent.error(portrait() ?? document.body);
    expect(portrait()).to.equal(null);
    cleanup();
    visit(`/users/${fellow}`, withFellow({ email: null }));
    expect(portrait()).to.equal(null);
  });

  it('calls who has no display name by first and last name', () => {
    visit(`/users/${fellow}`, withFellow({ name: ' ', givenName: 'Felix', familyName: 'F.' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Felix F.');
  });

  it('shows address, phone and timezone of who lets others see them, and what they have not told', () => {
    visit(`/users/${fellow}`, reachable);
    expect(lines().slice(0, 3)).to.deep.equal([
      ['E-mail', 'felix@lakeside.test'],
      ['Phone', '+51 1 234'],
      ['Timezone', 'America/Lima'],
    ]);
    cleanup();
    visit(`/users/${fellow}`);
    expect(lines().slice(1, 3)).to.deep.equal([
      ['Phone', 'No phone'],
      ['Timezone', 'No timezone'],
    ]);
  });

  it('says that they are private where they are, to the person themself too', () => {
    const held = withFellow({ email: 'felix@lakeside.test', profileVisibility: 0 });
    for (const viewer of [builder, fellow]) {
      visit(`/users/${fellow}`, held, viewer);
      expect(screen.queryByText(/keeps e-mail, phone and timezone private/)).not.to.equal(null);
      expect(document.body.textContent).not.to.include('felix@lakeside.test');
      cleanup();
    }
  });

  it('names the organizations that one shares with them, and their groups there', () => {
    visit(`/users/${fellow}`);
    const shared = within(screen.getByRole('region', { name: 'Organizations and groups' }));
    expect(shared.getAllByRole('term').map(({ textContent }) => textContent)).to.deep.equal([
      'Lakeside Press',
    ]);
    expect(shared.getByRole('definition').textContent).to.equal('Lakeside North');
  });

  it('leads to the form who may edit it', () => {
    visit(`/users/${builder}`);
    const edit = screen.getByRole('link', { name: 'Edit' });
    expect(edit.getAttribute('href')).to.equal(`/users/${builder}/edit`);
    cleanup();
    visit(`/users/${fellow}`);
    expect(screen.queryByRole('link', { name: 'Edit' })).to.equal(null);
  });

  it('is closed to who does not see the person', () => {
    visit('/users/0197c1e0-0000-7000-8000-00000000ffff');
    expect(screen.queryByText('Home')).not.to.equal(null);
    expect(screen.queryByText(/You are not allowed to do that/)).not.to.equal(null);
  });
});

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => {
  fireEvent.change(field(label), { target: { value } });
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const own = `/users/${builder}/edit`;
const theirs = `/users/${fellow}/edit`;

describe('[12.3] the form of a profile', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('has what a person states of themself', () => {
    visit(own);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal(
      'Profile: Berta Builder',
    );
    const labels = screen.getAllByRole('textbox').map(({ id }) => labelOf(id));
    expect(labels).to.deep.equal(['Display name', 'First name', 'Last name', 'E-mail', 'Phone']);
    expect(labelOf(screen.getByRole('combobox').id)).to.equal('Timezone');
    expect(screen.getByRole('switch', { name: 'Notifications by e-mail' })).not.to.equal(null);
    expect(screen.getByRole('switch', { name: 'Public profile' })).not.to.equal(null);
  });

  it('saves what was changed, says so and stays', async () => {
    const { still } = visit(own);
    expect(save().disabled).to.equal(true);
    type('Display name', '  Berta B. ');
    type('Phone', '+51 1');
    fireEvent.click(save());
    await screen.findByText('Profile updated successfully!');
    expect(still.deeds).to.deep.equal([
      { did: 'edit', type: 'user', id: builder, fields: { name: 'Berta B.', phone: '+51 1' } },
    ]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.include('Profile:');
    type('Phone', '+51 2');
    expect(save().disabled).to.equal(false);
  });

  it('turns visibility between 1 and 0, and says what that means', async () => {
    const { still } = visit(own);
    expect(screen.queryByText(/Members of your organizations see/)).not.to.equal(null);
    fireEvent.click(screen.getByRole('switch', { name: 'Public profile' }));
    expect(screen.queryByText(/are hidden on the profile/)).not.to.equal(null);
    fireEvent.click(save());
    await waitFor(() => {
      expect(still.deeds[0]?.fields).to.deep.equal({ profileVisibility: 0 });
    });
  });

  it('finds a timezone by typing, that of the device first', async () => {
    const { still } = visit(own, {
      ...shelf,
      user: shelf.user?.map((user) => ({ ...user, timezone: null })) ?? [],
    });
    const zones = screen.getByRole('combobox');
    fireEvent.click(zones);
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(screen.getAllByRole('option')[0]?.textContent).to.include(here);
    fireEvent.change(zones, { target: { value: 'sao_paulo' } });
    const option = screen.getByRole('option');
    expect(option.textContent).to.equal('(GMT−3) America/Sao_Paulo');
    fireEvent.click(option);
    fireEvent.click(save());
    await waitFor(() => {
      expect(still.deeds[0]?.fields).to.deep.equal({ timezone: 'America/Sao_Paulo' });
    });
  });

  it('tells its field what is wrong, and keeps what was typed', async () => {
    const { still } = visit(own);
    still.failWith(
      new ProblemError({
        code: 'invalid',
        source: { pointer: '/data/attributes/email' },
        meta: { rule: 'email' },
      }),
    );
    type('E-mail', 'berta at lakeside');
    fireEvent.click(save());
    await waitFor(() => {
      expect(field('E-mail').getAttribute('aria-invalid')).to.equal('true');
    });
    expect(field('E-mail').value).to.equal('berta at lakeside');
    expect(screen.queryByText('Profile updated successfully!')).to.equal(null);
  });

  it('says that nothing was saved when this device cannot keep it', async () => {
    const { still } = visit(own);
    still.failWith(new NotSavedError(new NotStoredError('full', null)));
    type('Phone', '1');
    fireEvent.click(save());
    await screen.findByText(/no space left on this device/);
    expect(field('Phone').value).to.equal('1');
  });

  it('begins again with what was refused, the message at its field', () => {
    const refused = changeRow('c1', 'refused', {
      about: { type: 'user', id: builder },
      typed: { phone: 'x'.repeat(50) },
      problem: {
        id: 'e1',
        status: '422',
        code: 'invalid',
        title: 'Not valid',
        source: { pointer: '/data/attributes/phone' },
        meta: { rule: 'shape' },
      },
    });
    visit(own, shelf, builder, [refused]);
    expect(field('Phone').value).to.equal('x'.repeat(50));
    expect(field('Phone').getAttribute('aria-invalid')).to.equal('true');
  });

  it('is open to an admin of theirs, but for address, mails and visibility', async () => {
    const { still } = visit(theirs, asAdmin(reachable));
    expect(field('E-mail').readOnly).to.equal(true);
    expect(field('Display name').readOnly).to.equal(false);
    for (const name of ['Notifications by e-mail', 'Public profile'])
      expect(screen.getByRole<HTMLInputElement>('switch', { name }).disabled).to.equal(true);
    expect(screen.getAllByText('Only the person themself can change this.')).to.have.length(3);
    type('Display name', 'F.');
    fireEvent.click(save());
    await waitFor(() => {
      expect(still.deeds[0]?.fields).to.deep.equal({ name: 'F.' });
    });
  });

  it('is closed to everyone else', () => {
    visit(theirs);
    expect(screen.queryByText('Home')).not.to.equal(null);
    expect(screen.queryByText(/You are not allowed to do that/)).not.to.equal(null);
  });

  it('turns single letters off, on this device, at once', () => {
    const { surroundings } = visit(own);
    fireEvent.click(screen.getByRole('switch', { name: 'Shortcuts of single letters' }));
    expect(surroundings.storage.getItem('slipway.shortcuts')).to.equal('false');
    cleanup();
    visit(theirs, asAdmin(shelf));
    expect(screen.queryByRole('switch', { name: /Shortcuts/ })).to.equal(null);
  });

  it('says offline that it is kept here', async () => {
    const { still } = visit(own);
    act(() => {
      still.setChanges({ status: 'offline' });
    });
    type('Phone', '1');
    fireEvent.click(save());
    await screen.findByText(/^Saved on this device/);
    expect(screen.queryByText('Profile updated successfully!')).to.equal(null);
  });
});

function labelOf(id: string): string | undefined {
  return document.querySelector(`label[for="${id}"]`)?.textContent;
}
