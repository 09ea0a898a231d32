import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { Account } from '#screens/people/account.tsx';
import type { DataExport } from '#protocol/data-export.ts';
import { createFiles, FilesContext } from '#files/files.ts';
import type { FilesEnvironment } from '#files/environment.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, shelf } from '../../support/shelf.ts';

const NONE: DataExport = {
  state: 'none',
  requestedAt: null,
  expiresAt: null,
  sizeBytes: null,
  nextAt: null,
};
const LATER = new Date(Date.now() + 3_600_000).toISOString();

async function visit(first: DataExport | number) {
  let present = first;
  const opened: string[] = [];
  const asked: string[] = [];
  const environment: FilesEnvironment = {
    accessToken: () => Promise.resolve('token'),
    fetch: (address, { method }) => {
      asked.push(`${method ?? 'GET'} ${address}`);
      if (address.endsWith('/link')) {
        const link = { url: 'http://localhost/files/t/mine.zip', filename: 'mine.zip' };
        return Promise.resolve(new Response(JSON.stringify({ ...link, expiresAt: LATER })));
      }
      if (typeof present === 'number') return Promise.reject(new Error('no network'));
      if (method === 'POST')
        present = { ...present, state: 'being-made', requestedAt: LATER, nextAt: LATER };
      return Promise.resolve(new Response(JSON.stringify(present)));
    },
    put: () => Promise.reject(new Error('nothing is uploaded')),
    open: (address, how) => opened.push(`${how} ${address}`),
    holdTab: () => () => undefined,
    abortAfter: () => new AbortController().signal,
    after: () => () => undefined,
    isVisible: () => true,
    onVisible: () => () => undefined,
  };
  const app = await openStore(builder, shelf);
  const { surroundings } = testSurroundings();
  const routes = [{ path: '/account', element: <Account /> }];
  render(
    <FilesContext.Provider value={createFiles(environment)}>
      <Around store={app} surroundings={surroundings} routes={routes} at="/account" />
    </FilesContext.Provider>,
  );
  await app.settle();
  return { app, opened, asked };
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const EXPORT = 'Export: Your data';

describe('[12.6] one’s own data at the account', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is exported at a click, and says that it is being made and when one can ask again', async () => {
    const { asked } = await visit(NONE);
    await waitFor(() => {
      expect(button(EXPORT).disabled).to.equal(false);
    });
    fireEvent.click(button(EXPORT));
    fireEvent.click(button(EXPORT));
    await screen.findByText(/is being collected/);
    expect(screen.queryByText(/You can ask again from/)).not.to.equal(null);
    expect(button(EXPORT).disabled).to.equal(true);
    expect(asked.filter((one) => one.startsWith('POST'))).to.have.length(1);
    expect(screen.queryByRole('button', { name: /Download/ })).to.equal(null);
  });

  it('is downloaded once it is ready, and says until when it is kept', async () => {
    const { opened } = await visit({
      state: 'ready',
      requestedAt: LATER,
      expiresAt: LATER,
      sizeBytes: 12_000,
      nextAt: null,
    });
    await screen.findByText(/^Ready, 12 kB\. It is kept until/);
    fireEvent.click(button('Download: Your data'));
    await waitFor(() => {
      expect(opened).to.deep.equal(['save http://localhost/files/t/mine.zip']);
    });
  });

  it('says that it needs a connection before one clicks', async () => {
    const { app } = await visit(NONE);
    await app.goOffline();
    await waitFor(() => {
      expect(button(EXPORT).disabled).to.equal(true);
    });
    const described = button(EXPORT).getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).to.equal('Needs a connection');
  });

  it('says that there was no answer, and lets one try all the same', async () => {
    await visit(0);
    await waitFor(() => {
      expect(button(EXPORT).disabled).to.equal(false);
    });
    const said = document.querySelector('.account-part .caption')?.textContent ?? '';
    expect(said).not.to.equal('');
    fireEvent.click(button(EXPORT));
    await waitFor(() => {
      expect(button(EXPORT).disabled).to.equal(false);
    });
  });
});

describe('[12.6] the account', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('leads to pages of the issuer in the language of the app', async () => {
    await visit(NONE);
    await act(() => speak('es-419'));
    const pages = [...document.querySelectorAll('a[href^="/oidc/"]')].map((link) =>
      link.getAttribute('href'),
    );
    await act(() => speak('en-US'));
    expect(pages).to.deep.equal(
      ['address', 'password', 'second-factor', 'devices', 'delete-account'].map(
        (page) => `/oidc/${page}?ui_locales=es-419`,
      ),
    );
  });
});
