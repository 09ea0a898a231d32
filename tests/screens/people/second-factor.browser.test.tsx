import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { SecondFactorState } from '#protocol/second-factor.ts';
import { UserSettings } from '#screens/people/user-settings.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, idOf, record, shelf } from '../../support/shelf.ts';

const superAdmins = {
  ...shelf,
  userRole: [record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' })],
};
const on: SecondFactorState = {
  on: true,
  since: '2026-02-20T09:00:00Z',
  recoveryCodes: 3,
  passkeys: 0,
};
const off: SecondFactorState = { on: false, since: null, recoveryCodes: 0, passkeys: 0 };
const json = (body: object, status = 200) =>
  Promise.resolve(
    new Response(JSON.stringify(body), {
      status,
      headers: {
        'Content-Type': status === 200 ? 'application/json' : 'application/vnd.api+json',
      },
    }),
  );
const refusal = (status: number, code: string) =>
  json({ errors: [{ id: '1', status: String(status), code, title: code }] }, status);

describe('[12.4] the second factor at the settings of a person', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  /** The settings of `user`, as a super admin opens them; the server answers as `answer` says. */
  async function visit(
    user: string,
    answer: (path: string) => Promise<Response> | null,
    held: typeof superAdmins | typeof shelf = superAdmins,
  ) {
    const app = await openStore(builder, held);
    app.server.answer = (path) => (path.includes('/second-factor') ? answer(path) : null);
    const { surroundings } = testSurroundings();
    const routes = [{ path: '/users/:userId/settings', element: <UserSettings /> }];
    const at = `/users/${user}/settings`;
    render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
    await screen.findByRole('heading', { level: 1 });
    return app;
  }
  const asked = ({ server }: Awaited<ReturnType<typeof visit>>) =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('/second-factor'));
  const reset = () => screen.findByRole('button', { name: 'Switch it off…' });

  it('says that it is on, and switches it off once that is confirmed', async () => {
    const app = await visit(fellow, (path) => json(path.endsWith('/reset') ? off : on));
    fireEvent.click(await reset());
    expect(screen.getByText(/On since/)).to.not.equal(null);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/really them/)).to.not.equal(null);
    fireEvent.click(dialog.getByRole('button', { name: 'Switch it off' }));
    await screen.findByText('Off: the password alone signs in.');
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(screen.queryByRole('button', { name: 'Switch it off…' })).to.equal(null);
    const path = `/api/users/${fellow}/second-factor`;
    expect(asked(app)).to.deep.equal([path, `${path}/reset`]);
  });

  it('stays on when the question is cancelled, or the server refuses, which is said', async () => {
    const app = await visit(fellow, (path) =>
      path.endsWith('/reset') ? refusal(403, 'forbidden') : json(on),
    );
    fireEvent.click(await reset());
    const question = within(await screen.findByRole('dialog'));
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(asked(app)).to.have.length(1);
    fireEvent.click(await reset());
    fireEvent.click(await screen.findByRole('button', { name: 'Switch it off' }));
    await screen.findByText('The second factor was not switched off');
    expect(screen.getByRole('dialog')).to.not.equal(null);
    expect(screen.getByText(/On since/)).to.not.equal(null);
  });

  it('says without a connection that nobody knows, and asks once there is one', async () => {
    const app = await openStore(builder, superAdmins);
    app.server.answer = (path) => (path.includes('/second-factor') ? json(on) : null);
    await app.goOffline();
    const { surroundings } = testSurroundings();
    const routes = [{ path: '/users/:userId/settings', element: <UserSettings /> }];
    const at = `/users/${fellow}/settings`;
    render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
    await screen.findByText('Without a connection nobody knows whether it is on.');
    await app.goOnline();
    await reset();
    await app.goOffline();
    const button = await reset();
    await waitFor(() => {
      expect(button).to.have.property('disabled', true);
    });
    const described = button.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).to.equal('Needs a connection');
  });

  it('says in the question too that it needs a connection, and can be confirmed once there is one', async () => {
    const app = await visit(fellow, (path) => json(path.endsWith('/reset') ? off : on));
    fireEvent.click(await reset());
    const confirm = await screen.findByRole('button', { name: 'Switch it off' });
    await app.goOffline();
    expect(confirm).to.have.property('disabled', true);
    const described = confirm.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).to.equal('Needs a connection');
    await app.goOnline();
    expect(confirm).to.have.property('disabled', false);
    fireEvent.click(confirm);
    await screen.findByText('Off: the password alone signs in.');
  });

  it('shows nothing where another issuer signs in, at one’s own settings, or to others', async () => {
    const elsewhere = await visit(fellow, () => refusal(404, 'not-found'));
    await waitFor(() => {
      expect(asked(elsewhere)).to.have.length(1);
    });
    await waitFor(() => {
      expect(screen.queryByRole('heading', { name: 'Second factor' })).to.equal(null);
    });
    cleanup();
    const own = await visit(builder, () => json(on));
    expect(screen.queryByRole('heading', { name: 'Second factor' })).to.equal(null);
    expect(asked(own)).to.deep.equal([]);
    cleanup();
    const other = await visit(fellow, () => json(on), shelf);
    expect(asked(other)).to.deep.equal([]);
  });
});
