import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { createFiles, FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProductLogPage } from '#screens/products/log/product-log-page.tsx';
import { BrowserNotifierContext } from '#ui/browser-notifier.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { OwnTime } from '../../support/own-time.ts';
import { builder, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import { TestNotifier } from '../../support/test-notifier.ts';

const BUILD = idOf(1000);
const PAGE = `/products/${harvestApp}/builds/${BUILD}/log`;

/** What the style sheets do, which these tests go without. */
const LAYOUT = `.virtual-list { height: 400px; overflow: auto; }
.virtual-list > div { position: relative; }
.virtual-list > div > div { position: absolute; top: 0; left: 0; right: 0; }`;

/** Lines as the bundled engine writes them, a second apart. */
const timed = (lines: readonly string[]): string =>
  lines
    .map((line, n) => `${new Date(Date.UTC(2026, 2, 4, 5, 6, n)).toISOString()} ${line}\n`)
    .join('');

const FAILED = timed([
  '== Unpacking 3 files',
  '\u001b[31mred\u001b[0m <script>alert(1)</script> https://slipway.test/a javascript:alert(1)',
  'no error yet',
  '== Making apk',
  'Failed: The content is refused.',
]);

interface Given {
  readonly build?: Partial<Of<'productBuild'>>;
  readonly text?: string;
  readonly isComplete?: boolean;
  readonly hash?: string;
  readonly isOffline?: boolean;
  readonly refusal?: { readonly status: number; readonly code: string; readonly reason?: string };
}

/** Opens the log of Harvest's newest build, on a server of the test's own. */
async function visit(given: Given = {}) {
  const { text = FAILED, isComplete = true, hash = '', isOffline = false, refusal } = given;
  const build = record('productBuild', {
    id: BUILD,
    product: harvestApp,
    success: false,
    error: 'The content is refused.',
    logUrl: `/api/product-builds/${BUILD}/console`,
    ...given.build,
  });
  const log = { text, isComplete };
  const time = new OwnTime();
  let reads = 0;
  const answer = (from: number): Response => {
    if (refusal !== undefined) {
      const { status, code, reason } = refusal;
      const error = { id: '1', status: String(status), code, meta: { reason } };
      return new Response(JSON.stringify({ errors: [error] }), { status });
    }
    const bytes = new TextEncoder().encode(log.text).slice(from);
    const headers = { ETag: '"1-1"', 'X-Log-Complete': String(log.isComplete) };
    return bytes.length === 0
      ? new Response(null, { status: 204, headers })
      : new Response(bytes, { status: 206, headers });
  };
  const files = createFiles({
    accessToken: () => Promise.resolve('token'),
    fetch: (_, { headers }) => {
      reads += 1;
      if (isOffline) return Promise.reject(new TypeError('offline'));
      return Promise.resolve(
        answer(Number(/\d+/.exec(new Headers(headers).get('Range') ?? '')?.[0])),
      );
    },
    put: () => Promise.reject(new Error()),
    open: () => undefined,
    holdTab: () => () => undefined,
    abortAfter: () => new AbortController().signal,
    after: (ms, act) => time.after(ms, act),
    isVisible: () => true,
    onVisible: () => () => undefined,
  });
  const app = await openStore(builder, { ...shelf, productBuild: [build] });
  if (isOffline) await app.goOffline();
  const { surroundings, pass } = testSurroundings();
  const routes = [
    { path: '/products/:productId/builds/:buildId/log', element: <ProductLogPage /> },
    { path: '/', element: <p>The start</p> },
  ];
  render(
    <FilesContext.Provider value={files}>
      {/* The list draws what fits into its height. */}
      <style>{LAYOUT}</style>
      <BrowserNotifierContext.Provider value={new TestNotifier()}>
        <Around store={app} surroundings={surroundings} routes={routes} at={`${PAGE}${hash}`} />
      </BrowserNotifierContext.Provider>
    </FilesContext.Provider>,
  );
  await app.settle();
  return { ...app, log, time, pass, reads: () => reads };
}

const lines = () => within(screen.getByRole('region', { name: 'Lines of the log' }));
/** The lines, once the first part of the log has come. */
const readLines = async () =>
  within(await screen.findByRole('region', { name: 'Lines of the log' }));
const lineOf = (text: RegExp | string): HTMLElement => {
  const line = lines().getByText(text).closest<HTMLElement>('[role="listitem"]');
  if (line === null) throw new Error('The text stands in no line');
  return line;
};

describe('the page of a build’s log', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });

  afterEach(async () => {
    cleanup();
    await speak('en-US');
    await closeStores();
  });

  it('marks the line that says why the build failed', async () => {
    await visit();
    await (await readLines()).findByText('Failed: The content is refused.');
    const failing = lineOf('Failed: The content is refused.');
    expect(within(failing).getByLabelText('It failed here:')).to.not.equal(null);
    expect(screen.getAllByLabelText('It failed here:')).to.have.length(1);
    await screen.findByText('5 lines');
  });

  it('counts many lines as the language of the interface does', async () => {
    await visit({ text: 'A line\n'.repeat(1_234) });
    await screen.findByText('1,234 lines');
    await speak('fr-FR');
    await screen.findByText('1 234 lignes');
  });

  it('shows what engines write as text: nothing in it acts but addresses on the web', async () => {
    await visit();
    await (await readLines()).findByText('red');
    const line = lineOf('red');
    expect(line.textContent).to.include('<script>alert(1)</script>');
    expect(line.querySelector('script')).to.equal(null);
    expect(within(line).getByText('red').closest('.ansi-color-1')).to.not.equal(null);
    const links = within(line).getAllByRole<HTMLAnchorElement>('link').slice(1);
    expect(links.map(({ href, rel }) => [href, rel])).to.deep.equal([
      ['https://slipway.test/a', 'noopener noreferrer'],
    ]);
  });

  it('lists the phases with how long each took, and leads to their lines', async () => {
    await visit();
    const phases = within(await screen.findByRole('navigation', { name: 'Phases' }));
    const items = phases.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(items).to.deep.equal(['Unpacking 3 files3.0s', 'Making apk1.0s']);
    fireEvent.click(phases.getByRole('link', { name: 'Making apk' }));
    await waitFor(() => {
      expect(lines().getByRole('link', { name: 'Line 4' }).closest('[aria-current]')).to.not.equal(
        null,
      );
    });
  });

  it('has the version that was built, to copy', async () => {
    await visit({ build: { success: true, error: null, buildVersion: '1.4' } });
    expect(screen.queryByRole('button', { name: 'Copy: Version' })).not.to.equal(null);
  });

  it('has the id of the build, to copy', async () => {
    await visit();
    expect(screen.queryByText(BUILD)).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Copy: Build ID' })).not.to.equal(null);
  });

  it('goes to the line that its address names, and not to the failing one', async () => {
    const text = timed([
      ...Array.from({ length: 3_000 }, (_, n) => `Packing file ${n + 1}`),
      'Failed: no room',
    ]);
    await visit({ text, hash: '#L1500' });
    const line = await (await readLines()).findByText('Packing file 1500');
    expect(line.closest('[aria-current="location"]')).to.not.equal(null);
    expect(lines().queryByText('Failed: no room')).to.equal(null);
    expect(lines().getAllByRole('listitem').length).to.be.lessThan(200);
  });

  it('finds words in lines that are not drawn', async () => {
    const text = timed(Array.from({ length: 3_000 }, (_, n) => `Packing file ${n + 1}`));
    const { pass } = await visit({ text, build: { success: true } });
    await (await readLines()).findByText('Packing file 1');
    const box = within(screen.getByRole('search')).getByRole('searchbox');
    fireEvent.change(box, { target: { value: 'FILE 299' } });
    pass(250);
    await screen.findByText('1 of 13');
    await waitFor(() => {
      expect(lines().getAllByText('299', { selector: 'mark' }).length).to.be.greaterThan(0);
    });
    fireEvent.click(screen.getByRole('button', { name: 'Previous match' }));
    await screen.findByText('13 of 13');
    fireEvent.change(box, { target: { value: 'nothing like it' } });
    pass(250);
    await screen.findByText('No results');
  });

  it('grows while the build runs, and follows it', async () => {
    const { log, time, reads } = await visit({
      text: timed(['== Unpacking 3 files']),
      isComplete: false,
      build: { success: null, phase: 'active', error: null },
    });
    await (await readLines()).findByText('Unpacking 3 files');
    const follow = screen.getByRole('button', { name: 'Follow' });
    expect(follow.getAttribute('aria-pressed')).to.equal('true');
    log.text += timed(Array.from({ length: 500 }, (_, n) => `Packing file ${n + 1}`));
    time.pass(2_000);
    await (await readLines()).findByText('Packing file 500');
    expect(reads()).to.equal(2);
    expect(screen.queryByLabelText('It failed here:')).to.equal(null);
  });

  it('offers to tell when the build is done, while it runs', async () => {
    const offer = () => screen.queryByRole('button', { name: 'Tell me when it is done' });
    const app = await visit({ build: { success: null, phase: 'active', error: null } });
    expect(offer()).not.to.equal(null);
    await app.setRecord('productBuild', BUILD, { success: true });
    expect(offer()).to.equal(null);
  });

  it('shows the end of the log that is on the device while offline', async () => {
    await visit({ isOffline: true, build: { logTail: 'Unpacking 3 files\nFailed: no room\n' } });
    const end = await screen.findByRole('region', { name: 'Build log' });
    expect(end.textContent).to.include('Failed: no room');
    screen.getByText(/which is on this device/);
  });

  it('says that an engine elsewhere keeps the log', async () => {
    await visit({
      refusal: { status: 409, code: 'action-not-allowed', reason: 'external-engine' },
    });
    await screen.findByText(/Your organization’s build engine keeps the log/);
    screen.getByRole('button', { name: 'Open log' });
  });

  it('says that there is none where the build ended before anything was built', async () => {
    const { reads } = await visit({ build: { logUrl: null } });
    await screen.findByText('There is no log');
    expect(reads()).to.equal(0);
  });
});
