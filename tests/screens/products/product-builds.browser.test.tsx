import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useSearchParams } from 'react-router-dom';
import { JSON_API } from '#protocol/document.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProductBuildsPage } from '#screens/products/builds/product-builds-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { asResource, closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';
import { build, listed } from './listed-builds.ts';

type Build = Of<'productBuild'>;

const PAGE = `/products/${harvestApp}/builds`;
/** Ids of builds. */
const [first, second, broken, pending] = [idOf(1000), idOf(1001), idOf(1002), idOf(1003)] as const;

const BUILDS: readonly Build[] = [
  build(pending, '11', {
    success: null,
    phase: 'active',
    queuePosition: 2,
    triggeredBy: 'retry',
    startedBy: builder,
    dateStarted: '2026-03-02T11:55:00.000Z',
  }),
  build(broken, '10', {
    success: false,
    error: 'No signing key',
    logUrl: `/api/product-builds/${broken}/console`,
    triggeredBy: 'upload',
    startedBy: fellow,
    dateFinished: '2026-03-01T10:02:00.000Z',
  }),
  build(second, '09', {
    buildVersion: '1.4',
    logUrl: `/api/product-builds/${second}/console`,
    triggeredBy: 'rebuild',
    startedBy: builder,
    dateStarted: '2026-03-01T09:00:10.000Z',
    dateFinished: '2026-03-01T09:00:52.000Z',
    fileSize: 4_200_000,
  }),
  // Older than what is known of builds.
  build(first, '08', { buildVersion: '1.3' }),
];

const files = [1, 2].map((number) =>
  record('productArtifact', {
    id: idOf(1100 + number),
    productBuild: second,
    product: harvestApp,
    artifactType: 'apk',
    filename: `${number}.apk`,
  }),
);

const included = files.map((file) => asResource('productArtifact', file));

interface Given {
  readonly viewer?: string;
  /** What the device has from the first load on. */
  readonly here?: Shelf;
  /** What the server has: the newest first. */
  readonly builds?: readonly Build[];
  readonly at?: string;
  readonly isOffline?: boolean;
  /** The server waits with lists until it is let. */
  readonly isSlow?: boolean;
  /** What the server says instead of a list. */
  readonly refusal?: Response;
}

async function visit(given: Given = {}) {
  const { viewer = builder, builds = BUILDS, at = PAGE, isOffline = false } = given;
  const { files: transfers, opened } = stillFiles();
  const newest = builds[0] === undefined ? {} : { productBuild: [builds[0]] };
  const app = await openStore(viewer, { ...shelf, ...(given.here ?? newest) });
  const asked: URLSearchParams[] = [];
  app.server.answer = (path) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname !== '/api/product-builds') return null;
    asked.push(searchParams);
    return Promise.resolve(given.refusal?.clone() ?? listed(builds, searchParams, included));
  };
  if (given.isSlow) app.server.holds = (address) => address.startsWith('/api/product-builds?');
  if (isOffline) await app.goOffline();
  const { surroundings, pass } = testSurroundings();
  const page = (
    <>
      <ProductBuildsPage />
      <Address />
    </>
  );
  const routes = [
    { path: '/products/:productId/builds', element: page },
    { path: '/', element: <p>The start</p> },
  ];
  render(
    <FilesContext.Provider value={transfers}>
      <Around store={app} surroundings={surroundings} routes={routes} at={at} />
    </FilesContext.Provider>,
  );
  await app.settle();
  return { ...app, asked, opened, pass };
}

/** Shows the part of the address after the path. */
function Address() {
  const [search] = useSearchParams();
  return <p data-testid="address">{decodeURIComponent(search.toString())}</p>;
}

/** The rows of the table, cell by cell, without the names of the columns. */
const rows = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.querySelector('.cell-value')?.textContent),
    );
const versions = () => rows().map(([, version]) => version);
const rowOf = (words: RegExp) => {
  const row = screen.getAllByRole('row').find(({ textContent }) => words.test(textContent));
  if (row === undefined) throw new Error('There is no such row');
  return within(row);
};
const tick = (name: string) => {
  fireEvent.click(screen.getByRole('checkbox', { name }));
};
const ON_DEVICE = /^These are the builds on this device\. Older ones, and their logs, need/;

describe('[screens 10.1] the builds of a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('are told by the server, the newest first, and lead back to its files and its project', async () => {
    const { asked } = await visit();
    expect(rows()).to.have.length(4);
    expect(screen.queryByText('4 builds')).not.to.equal(null);
    expect(asked[0]?.get('filter[product]')).to.equal(`eq:${harvestApp}`);
    expect(asked[0]?.get('sort')).to.equal('-date-created');
    expect(asked[0]?.get('page[limit]')).to.equal('20');
    expect(screen.queryByRole('heading', { name: 'Builds', level: 1 })).not.to.equal(null);
    const here = within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(here.getAllByRole('link').map(({ textContent }) => textContent)).to.deep.equal([
      'Harvest',
      'Android App to Google Play',
    ]);
    expect(screen.queryByText(ON_DEVICE)).to.equal(null);
  });

  it('have status, version, trigger and who did it, time, duration, size, files and log', async () => {
    await visit();
    const row = rowOf(/1\.4/);
    const cells = row.getAllByRole('cell').map(({ textContent }) => textContent);
    expect(cells[0]).to.match(/Built/);
    expect(cells[2]).to.match(/Rebuild.*Berta Builder/);
    expect(cells[3]).to.match(/1 day/);
    expect(cells[4]).to.match(/0:42Started: .*March 1, 2026.* Finished: /);
    expect(cells[5]).to.match(/4\.2 MB/);
    expect(row.getByRole('link', { name: '2 files' }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/files?build=${second}`,
    );
  });

  it('lead to the log of each', async () => {
    await visit();
    expect(rowOf(/1\.4/).getByRole('link', { name: 'Log' }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/builds/${second}/log`,
    );
  });

  it('say of one that failed why, and nothing of a start that nobody saw', async () => {
    await visit();
    const row = rowOf(/No signing key/);
    expect(row.queryByText('Failed')).not.to.equal(null);
    expect(row.queryByText('Felix Fellow')).not.to.equal(null);
    expect(row.queryByRole('link', { name: 'Log' })).not.to.equal(null);
    const cells = row.getAllByRole('cell').map((cell) => cell.querySelector('.cell-value'));
    expect(cells[4]?.textContent).to.equal('');
  });

  it('say of one under way how far it is and how long it has worked, and follow it to its end', async () => {
    const { setRecord } = await visit();
    const row = rowOf(/Building/);
    expect(row.getByRole('status').textContent).to.match(/in progress 2 ahead in the queue/);
    expect(row.getAllByRole('cell')[4]?.textContent).to.match(/So far: 5 minutes/);
    expect(row.queryByText('Retry')).not.to.equal(null);
    await setRecord('productBuild', pending, { success: true, buildVersion: '1.5' });
    expect(versions()).to.deep.equal(['1.5', '', '1.4', '1.3']);
  });

  it('say nothing of what is not known of an old one', async () => {
    await visit();
    const old = rows()[3];
    expect(old?.[0]).to.match(/Built/);
    expect([old?.[2], old?.[4], old?.[5], old?.[7]]).to.deep.equal(['', '', '', '']);
    expect(old?.[6]).to.equal('Files');
  });

  it('are narrowed by status and trigger, which stand in the address', async () => {
    const { asked, settle, pass } = await visit();
    tick('Failed');
    tick('Building');
    pass(0);
    await settle();
    expect(screen.getByTestId('address').textContent).to.equal('status=building,failed');
    expect(asked.at(-1)?.get('filter[status]')).to.equal('in:building,failed');
    expect(rows()).to.have.length(2);
    tick('Upload');
    pass(0);
    await settle();
    expect(screen.getByTestId('address').textContent).to.equal(
      'status=building,failed&triggered-by=upload',
    );
    expect(asked.at(-1)?.get('filter[triggered-by]')).to.equal('in:upload');
    expect(rows()).to.have.length(1);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect(rows()).to.have.length(4);
  });

  it('are narrowed by the address that one comes to, whose unknown words count for nothing', async () => {
    const { asked } = await visit({ at: `${PAGE}?status=failed,broken&triggered-by=moon` });
    expect(rows()).to.have.length(1);
    // The chart asks for all of them.
    const narrowed = asked.filter((query) => query.has('filter[status]'));
    expect(narrowed[0]?.get('filter[status]')).to.equal('in:failed');
    expect(asked.some((query) => query.has('filter[triggered-by]'))).to.equal(false);
    const failed = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Failed' });
    expect(failed.checked).to.equal(true);
  });

  it('that nothing matches say so, and how to see all', async () => {
    const { settle } = await visit({ at: `${PAGE}?triggered-by=person` });
    expect(screen.queryByRole('heading', { name: 'No results' })).not.to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect(rows()).to.have.length(4);
  });

  it('come in pages of 20', async () => {
    const many = Array.from({ length: 45 }, (_, index) =>
      build(idOf(2000 + index), '08', { buildVersion: `2.${45 - index}` }),
    );
    const { settle, pass } = await visit({ builds: many });
    expect(versions()).to.have.length(20);
    fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    pass(0);
    await settle();
    expect(versions()).to.deep.equal(['2.5', '2.4', '2.3', '2.2', '2.1']);
    expect(screen.getByTestId('address').textContent).to.equal('pageOffset=3');
  });

  it('that there are none of yet say so, and lead to where one begins', async () => {
    await visit({ builds: [] });
    expect(screen.queryByRole('heading', { name: 'No builds yet' })).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'To the project page' })).not.to.equal(null);
    expect(screen.queryByRole('checkbox')).to.equal(null);
  });

  it('are offline those of this device, which says that older ones need a connection', async () => {
    await visit({ isOffline: true });
    expect(rows()).to.have.length(1);
    expect(screen.queryByText(ON_DEVICE)).not.to.equal(null);
    expect(screen.queryByText('1 build')).to.equal(null);
  });

  it('are offline narrowed on this device, and lead to their logs there too', async () => {
    const at = `${PAGE}?status=failed&triggered-by=upload`;
    await visit({ at, here: { productBuild: BUILDS }, isOffline: true });
    expect(rows()).to.have.length(1);
    expect(rowOf(/No signing key/).queryByRole('link', { name: 'Log' })).not.to.equal(null);
    expect(screen.queryByText(ON_DEVICE)).not.to.equal(null);
  });

  it('stay, with a word that older ones need a connection, when the connection goes', async () => {
    const { goOffline, goOnline } = await visit();
    await goOffline();
    expect(rows()).to.have.length(4);
    expect(screen.queryByText(ON_DEVICE)).not.to.equal(null);
    await goOnline();
    expect(screen.queryByText(ON_DEVICE)).to.equal(null);
  });

  it('show what is on the device until the server tells more', async () => {
    const { server, settle } = await visit({ isSlow: true });
    expect(versions()).to.deep.equal(['']);
    expect(screen.queryByText(ON_DEVICE)).to.equal(null);
    server.letThrough();
    await settle();
    expect(rows()).to.have.length(4);
  });

  it('say that they cannot be had where the server refuses them', async () => {
    const errors = [{ status: '400', code: 'invalid-parameter' }];
    const refusal = new Response(JSON.stringify({ errors }), {
      status: 400,
      headers: { 'Content-Type': JSON_API },
    });
    await visit({ refusal });
    expect(screen.queryByRole('heading', { name: 'The list could not be loaded' })).not.to.equal(
      null,
    );
  });

  it('are closed to who is not of the team', async () => {
    const groupMembership = (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow);
    await visit({ viewer: fellow, here: { groupMembership } });
    expect(await screen.findByText('The start')).not.to.equal(null);
  });

  it('of a product that is not on the device are not here offline', async () => {
    await visit({ at: `/products/${idOf(1400)}/builds`, isOffline: true });
    expect(screen.queryByText('This is not on this device yet')).not.to.equal(null);
  });

  it('lead from the menu of the product to its files, and not to themselves', async () => {
    await visit();
    fireEvent.click(screen.getByRole('button', { name: /^More for/ }));
    const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(entries).to.include('Product page').and.not.include('Builds');
  });
});

describe('[screens 10.1] the chart of a product’s newest builds', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const TITLE = 'How long the newest builds took';
  const chart = () => within(screen.getByRole('region', { name: TITLE }));
  const bars = () => chart().getAllByRole('link');
  const sayings = () => bars().map((bar) => bar.getAttribute('aria-label'));
  const NOT_HERE = /^The figures of this chart are not on this device/;

  it('says of each when it was asked for, how it ended and how long it took', async () => {
    await visit();
    expect(sayings()).to.have.length(4);
    expect(sayings()[0]).to.match(/^Mar 1, 2026.* · Building · 5:00$/);
    expect(sayings()[1]).to.match(/ · Failed · duration unknown$/);
    expect(sayings()[2]).to.match(/ · Built · Version 1\.4 · 0:42$/);
  });

  it('tells them apart without their colours, and leads to the log of each', async () => {
    await visit();
    const tones = bars().map((bar) => bar.querySelector('.chart-part')?.getAttribute('data-tone'));
    expect(tones).to.deep.equal(['busy', 'bad', 'good', 'good']);
    const marks = bars().map((bar) => bar.querySelector('svg') !== null);
    expect(marks).to.deep.equal([true, true, false, false]);
    expect(bars()[2]?.getAttribute('href')).to.equal(
      `/products/${harvestApp}/builds/${second}/log`,
    );
  });

  it('says of what one points at, or has the focus, what it is', async () => {
    await visit();
    act(() => {
      bars()[2]?.focus();
    });
    expect(chart().queryByText(/ · Built · Version 1\.4 · 0:42$/)).not.to.equal(null);
  });

  it('has its figures in a table too', async () => {
    await visit();
    expect(chart().queryByRole('table')).to.equal(null);
    fireEvent.click(chart().getByText('Figures'));
    const table = within(await chart().findByRole('table'));
    const figures = table
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.querySelector('.cell-value')?.textContent),
      );
    expect(figures.map((cells) => cells.slice(1, 4))).to.deep.equal([
      ['Building', '', '5:00'],
      ['Failed', '', ''],
      ['Built', '1.4', '0:42'],
      ['Built', '1.3', ''],
    ]);
  });

  it('counts what the filters of the list keep out', async () => {
    await visit({ at: `${PAGE}?status=failed` });
    expect(rows()).to.have.length(1);
    expect(bars()).to.have.length(4);
  });

  it('says offline that it counts what is on this device alone', async () => {
    await visit({ isOffline: true });
    expect(bars()).to.have.length(1);
    expect(chart().queryByText('Only 1 build is counted: the one on this device.')).not.to.equal(
      null,
    );
  });

  it('says that its figures are not here where none is on the device', async () => {
    await visit({ here: { productBuild: [] }, isOffline: true });
    expect(screen.queryByText(NOT_HERE)).not.to.equal(null);
  });

  it('says that its figures are not here where the server refuses them', async () => {
    const refusal = new Response(JSON.stringify({ errors: [{ status: '400' }] }), {
      status: 400,
      headers: { 'Content-Type': JSON_API },
    });
    await visit({ here: { productBuild: [] }, refusal });
    expect(screen.queryByText(NOT_HERE)).not.to.equal(null);
  });

  it('is not there where nothing was built yet', async () => {
    await visit({ builds: [] });
    expect(screen.queryByRole('region', { name: TITLE })).to.equal(null);
    expect(screen.queryByText(NOT_HERE)).to.equal(null);
  });
});
