import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { editProfile } from '#data/actions/users.ts';
import { EditProfile } from '#screens/people/edit-profile.tsx';
import { UserPage } from '#screens/people/user-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { builder, fellow, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

async function visit(
  at: string,
  held: Shelf = shelf,
  viewer = builder,
  prepare: (app: AppOverStore) => Promise<void> = () => Promise.resolve(),
) {
  const app = await openStore(viewer, held);
  await prepare(app);
  const around = testSurroundings();
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/users/:userId', element: <UserPage /> },
    { path: '/users/:userId/edit', element: <EditProfile /> },
  ];
  render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
  return { app, ...around };
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
      id: '0197c1e0-0000-7000-8000-000000000062',
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
  afterEach(async () => {
    cleanup();
    await closeStores();
    localStorage.removeItem('slipway.config');
  });

  it('shows a picture of 130 points made here, and the name [R144, R145, R423]', async () => {
    await visit(`/users/${fellow}`);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Felix Fellow');
    const picture = document.querySelector('svg.avatar');
    expect([picture?.getAttribute('width'), picture?.getAttribute('height')]).to.deep.equal([
      '130',
      '130',
    ]);
  });

  it('has the portrait of the service that a setting names, by a digest of an address that shows [R144, R341]', async () => {
    localStorage.setItem(
      'slipway.config',
      JSON.stringify({
        auth: { issuer: 'http://here.test', clientId: 'web' },
        avatars: 'https://portraits.test/avatar/',
      }),
    );
    await visit(`/users/${fellow}`, withFellow({ email: ' Felix@lakeside.test' }));
    const portrait = () => document.querySelector<HTMLImageElement>('img.avatar');
    // The SHA-256 of "felix@lakeside.test": the service knows neither blanks nor capitals.
    const hash = 'ea3a08a3f238ce35c94fc49eb496cbaafa3418af2c5261c92e6fea2d8e696331';
    await waitFor(() => {
      expect(portrait()?.src).to.equal(`https://portraits.test/avatar/${hash}?s=260&d=404`);
    });
    fireEvent.error(portrait() ?? document.body);
    expect(portrait()).to.equal(null);
    cleanup();
    await visit(`/users/${fellow}`, withFellow({ email: null }));
    expect(portrait()).to.equal(null);
  });

  it('calls who has no display name by first and last name [R218]', async () => {
    await visit(
      `/users/${fellow}`,
      withFellow({ name: ' ', givenName: 'Felix', familyName: 'F.' }),
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Felix F.');
  });

  it('shows address, phone and timezone of who lets others see them, and what they have not told [R145, R313]', async () => {
    await visit(`/users/${fellow}`, reachable);
    expect(lines().slice(0, 3)).to.deep.equal([
      ['Email', 'felix@lakeside.test'],
      ['Phone', '+51 1 234'],
      ['Timezone', 'America/Lima'],
    ]);
    cleanup();
    await visit(`/users/${fellow}`);
    expect(lines().slice(1, 3)).to.deep.equal([
      ['Phone', 'No phone'],
      ['Timezone', 'No timezone'],
    ]);
  });

  it('says that they are private where they are, to the person themself too [R145, R313]', async () => {
    const held = withFellow({ email: 'felix@lakeside.test', profileVisibility: 0 });
    for (const viewer of [builder, fellow]) {
      await visit(`/users/${fellow}`, held, viewer);
      expect(screen.queryByText(/keeps email, phone and timezone private/)).not.to.equal(null);
      expect(document.body.textContent).not.to.include('felix@lakeside.test');
      expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Felix Fellow');
      cleanup();
    }
  });

  it('names the organizations that one shares with them, and their groups there', async () => {
    await visit(`/users/${fellow}`);
    const shared = within(screen.getByRole('region', { name: 'Organizations and groups' }));
    expect(shared.getAllByRole('term').map(({ textContent }) => textContent)).to.deep.equal([
      'Lakeside Press',
    ]);
    expect(shared.getByRole('definition').textContent).to.equal('Lakeside North');
  });

  it('leads to the form who may edit it [R148]', async () => {
    await visit(`/users/${builder}`);
    const edit = screen.getByRole('link', { name: 'Edit' });
    expect(edit.getAttribute('href')).to.equal(`/users/${builder}/edit`);
    cleanup();
    await visit(`/users/${fellow}`);
    expect(screen.queryByRole('link', { name: 'Edit' })).to.equal(null);
  });

  it('is not found by who does not see the person', async () => {
    await visit('/users/0197c1e0-0000-7000-8000-00000000ffff');
    expect(await screen.findByText('Not Found!')).not.to.equal(null);
    expect(screen.queryByText(/You are not allowed to do that/)).to.equal(null);
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
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('has what a person states of themself [R147]', async () => {
    await visit(own);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal(
      'Profile: Berta Builder',
    );
    const labels = screen.getAllByRole('textbox').map(({ id }) => labelOf(id));
    expect(labels).to.deep.equal(['Display name', 'First name', 'Last name', 'Email', 'Phone']);
    expect(labelOf(screen.getByRole('combobox').id)).to.equal('Timezone');
    expect(screen.getByRole('switch', { name: 'Notifications by email' })).not.to.equal(null);
    expect(screen.getByRole('switch', { name: 'Public profile' })).not.to.equal(null);
  });

  it('saves what was changed, says so and stays [R147, R367, R402]', async () => {
    const { app } = await visit(own);
    expect(save().disabled).to.equal(true);
    type('Display name', '  Berta B. ');
    type('Phone', '+51 1');
    fireEvent.click(save());
    await screen.findByText('Profile updated successfully!');
    expect(app.recordedActions).to.deep.equal([
      { did: 'edit', type: 'user', id: builder, fields: { name: 'Berta B.', phone: '+51 1' } },
    ]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.include('Profile:');
    type('Phone', '+51 2');
    expect(save().disabled).to.equal(false);
  });

  it('turns visibility between 1 and 0, and says what that means [R241, R414]', async () => {
    const { app } = await visit(own);
    expect(screen.queryByText(/Members of your organizations see/)).not.to.equal(null);
    fireEvent.click(screen.getByRole('switch', { name: 'Public profile' }));
    expect(screen.queryByText(/are hidden on the profile/)).not.to.equal(null);
    fireEvent.click(save());
    await waitFor(() => {
      expect(app.recordedActions[0]?.fields).to.deep.equal({ profileVisibility: 0 });
    });
  });

  it('turns all mails off by one switch [R147]', async () => {
    const { app } = await visit(own);
    fireEvent.click(screen.getByRole('switch', { name: 'Notifications by email' }));
    fireEvent.click(save());
    await waitFor(() => {
      expect(app.recordedActions[0]?.fields).to.deep.equal({ emailNotification: false });
    });
  });

  it('silences mails of a kind, unless the one switch silences all [12.3]', async () => {
    const { app } = await visit(own);
    const kind = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
    expect(kind('Builds').checked).to.equal(true);
    fireEvent.click(kind('Notifications by email'));
    expect(kind('Builds').disabled).to.equal(true);
    expect(screen.queryByText(/No emails are sent/)).not.to.equal(null);
    fireEvent.click(kind('Notifications by email'));
    fireEvent.click(kind('Publications'));
    fireEvent.click(kind('Builds'));
    fireEvent.click(save());
    await waitFor(() => {
      expect(app.recordedActions[0]?.fields).to.deep.equal({
        silencedMails: ['builds', 'publications'],
      });
    });
    expect(kind('Builds').checked).to.equal(false);
    expect(kind('Tasks').checked).to.equal(true);
  });

  it('finds a timezone by typing, that of the device first [R147]', async () => {
    const { app } = await visit(own, {
      ...shelf,
      user: shelf.user?.map((user) => ({ ...user, timezone: null })) ?? [],
    });
    const zones = screen.getByRole('combobox');
    fireEvent.click(zones);
    expect(screen.getAllByRole('option')[0]?.textContent).to.equal('(GMT−5) America/Bogota');
    fireEvent.change(zones, { target: { value: 'sao_paulo' } });
    const option = screen.getByRole('option');
    expect(option.textContent).to.equal('(GMT−3) America/Sao_Paulo');
    fireEvent.click(option);
    fireEvent.click(save());
    await waitFor(() => {
      expect(app.recordedActions[0]?.fields).to.deep.equal({ timezone: 'America/Sao_Paulo' });
    });
  });

  it('tells its field what is wrong, and keeps what was typed [R283, R394]', async () => {
    await visit(own);
    type('Email', 'berta at lakeside');
    fireEvent.click(save());
    await waitFor(() => {
      expect(field('Email').getAttribute('aria-invalid')).to.equal('true');
    });
    expect(field('Email').value).to.equal('berta at lakeside');
    expect(screen.queryByText('Profile updated successfully!')).to.equal(null);
  });

  it('says that nothing was saved when this device cannot keep it', async () => {
    const { app } = await visit(own);
    app.storage.fail({ at: 'put', name: 'QuotaExceededError' });
    type('Phone', '1');
    fireEvent.click(save());
    await screen.findByText(/no space left on this device/);
    expect(field('Phone').value).to.equal('1');
  });

  it('begins again with what was refused, the message at its field [R283, R394]', async () => {
    const refusal = {
      id: 'e1',
      status: '422',
      code: 'invalid' as const,
      title: 'Not valid',
      source: { pointer: '/data/attributes/phone' },
      meta: { rule: 'shape' },
    };
    await visit(own, shelf, builder, async ({ data, server, settle }) => {
      server.refuse = () => [refusal];
      const user = data.find.one('user', builder);
      if (user !== null) await editProfile(data, user, { phone: 'x'.repeat(50) });
      await settle();
    });
    expect(field('Phone').value).to.equal('x'.repeat(50));
    expect(field('Phone').getAttribute('aria-invalid')).to.equal('true');
  });

  it('is open to an admin of theirs, but for address, mails and visibility [R148, R305]', async () => {
    const { app } = await visit(theirs, asAdmin(reachable));
    expect(field('Email').readOnly).to.equal(true);
    expect(field('Display name').readOnly).to.equal(false);
    for (const name of ['Notifications by email', 'Tasks', 'Build engines', 'Public profile'])
      expect(screen.getByRole<HTMLInputElement>('switch', { name }).disabled).to.equal(true);
    expect(screen.getAllByText('Only the person themself can change this.')).to.have.length(3);
    type('Display name', 'F.');
    fireEvent.click(save());
    await waitFor(() => {
      expect(app.recordedActions[0]?.fields).to.deep.equal({ name: 'F.' });
    });
  });

  it('is closed to everyone else [R148]', async () => {
    await visit(theirs);
    expect(await screen.findByText('Home')).not.to.equal(null);
    expect(screen.queryByText(/You are not allowed to do that/)).not.to.equal(null);
  });

  it('turns single letters off, on this device, at once [R147]', async () => {
    const { surroundings } = await visit(own);
    fireEvent.click(screen.getByRole('switch', { name: 'Shortcuts of single letters' }));
    expect(surroundings.storage.getItem('slipway.shortcuts')).to.equal('false');
    cleanup();
    await visit(theirs, asAdmin(shelf));
    expect(screen.queryByRole('switch', { name: /Shortcuts/ })).to.equal(null);
  });

  it('says offline that it is kept here [R402]', async () => {
    const { app } = await visit(own);
    await app.goOffline();
    type('Phone', '1');
    fireEvent.click(save());
    await screen.findByText(/^Saved on this device/);
    expect(screen.queryByText('Profile updated successfully!')).to.equal(null);
  });
});

function labelOf(id: string): string | undefined {
  return document.querySelector(`label[for="${id}"]`)?.textContent;
}
