import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import i18next from 'i18next';
import { firstLanguage, ViewerLanguage } from '#screens/app/frame/viewer-language.ts';
import { LANGUAGE_KEY } from '#screens/app/page/device/language-menu.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { beforeLanguage, speak, useText, wantedLanguage } from '#ui/text/text.ts';
import { writeSetting } from '#ui/ui-environment.tsx';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, shelf } from '../../support/shelf.ts';

function Page() {
  return (
    <>
      <ViewerLanguage />
      <p>{useText()('common.tryAgain')}</p>
    </>
  );
}

/** Opens a page as the builder, who chose French; `choice` is that of the device. */
async function open(choice: string | null) {
  const app = await openStore(builder, {
    ...shelf,
    user: (shelf.user ?? []).map((user) =>
      user.id === builder ? { ...user, locale: 'fr-FR' } : user,
    ),
  });
  const { surroundings } = testSurroundings();
  writeSetting(surroundings.storage, LANGUAGE_KEY, choice);
  render(
    <Around
      store={app}
      surroundings={surroundings}
      routes={[{ path: '/', element: <Page /> }]}
      at="/"
    />,
  );
  await app.settle();
  return surroundings;
}

describe('[screens 3.1] the language of the pages', () => {
  before(async () => {
    // Its texts are there, so that nothing is late to say them.
    await speak('fr-FR');
    await speak('en-US');
  });
  afterEach(async () => {
    cleanup();
    await act(() => speak('en-US'));
    await closeStores();
  });

  it('is the one that its reader chose elsewhere, from the start of every page that follows', async () => {
    const { storage } = await open(null);
    await screen.findByText('Réessayer');
    expect(document.documentElement.lang).to.equal('fr-FR');
    expect(firstLanguage(storage, builder, ['es-MX'])).to.equal('fr-FR');
  });

  it('is that of the browser for others who use it, and for who is signed out', async () => {
    const { storage } = await open(null);
    await waitFor(() => {
      expect(document.documentElement.lang).to.equal('fr-FR');
    });
    expect(firstLanguage(storage, fellow, ['es-MX'])).to.equal('es-419');
    expect(firstLanguage(storage, null, ['pt-BR', 'es-MX'])).to.equal('es-419');
    expect(firstLanguage(storage, null, ['pt-BR'])).to.equal('en-US');
  });

  it('has all its texts, also when it is found out while those of another one are coming', async () => {
    for (const language of ['es-419', 'fr-FR'])
      i18next.removeResourceBundle(language, 'translation');
    // No screen that comes late was opened yet.
    beforeLanguage(() => Promise.resolve());
    await act(() => speak('es-419'));
    await act(() => Promise.all([speak('fr-FR'), speakLate()]));
    expect(i18next.language).to.equal('fr-FR');
    expect(i18next.exists('projectTable.sortBy', { lng: 'fr-FR' })).to.equal(true);

    await act(() => Promise.all([speakLate(), speak('es-419')]));
    expect(i18next.exists('projectTable.sortBy', { lng: 'es-419' })).to.equal(true);
  });

  it('stays as it is where another one cannot be had, with all its texts', async () => {
    await act(() => speak('en-US'));
    await speakLate();
    i18next.removeResourceBundle('es-419', 'translation');
    beforeLanguage(() => Promise.reject(new Error('Loading chunk 7 failed')));
    const failure = await speak('es-419').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect([i18next.language, wantedLanguage()]).to.deep.equal(['en-US', 'en-US']);
    await speakLate();
  });

  it('is the device’s own choice before all', async () => {
    const { storage } = await open('es-419');
    expect(firstLanguage(storage, builder, ['en-US'])).to.equal('es-419');
    expect(document.documentElement.lang).to.equal('en-US');
  });
});
