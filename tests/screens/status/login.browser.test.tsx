import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { Login } from '#screens/status/login.tsx';
import { SessionProvider } from '#session/sign-in.tsx';
import type { Session, SessionSnapshot } from '#session/session.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';

const NOBODY: SessionSnapshot = {
  state: 'signed-out',
  userId: null,
  accountStatus: 'unknown',
  claims: null,
};

describe('[4] the page to sign in', () => {
  const pageFetch = globalThis.fetch;
  const asked: string[] = [];
  before(async () => {
    await speak('en-US');
    await speakLate();
    globalThis.fetch = (address) => {
      asked.push(address instanceof Request ? address.url : String(address));
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  });
  after(() => {
    globalThis.fetch = pageFetch;
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('leaves for the issuer only when somebody presses the button [R36]', async () => {
    const { surroundings } = testSurroundings();
    const store = await openStore(builder, shelf);
    const session = { snapshot: () => NOBODY, subscribe: () => () => undefined };
    render(
      <SessionProvider session={session as unknown as Session}>
        <Around
          store={store}
          surroundings={surroundings}
          routes={[{ path: '/login', element: <Login /> }]}
          at="/login"
        />
      </SessionProvider>,
    );
    const button = screen.getByRole('button', { name: 'Sign in' });
    expect(asked).to.deep.equal([]);

    fireEvent.click(button);
    await screen.findByRole('button', { name: 'Try again' });
    expect(asked).not.to.deep.equal([]);
  });
});
