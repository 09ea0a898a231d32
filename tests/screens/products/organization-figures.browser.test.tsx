import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { buildFiguresPath } from '#protocol/builds/build-figures.ts';
import type { BuildFigures } from '#protocol/builds/build-figures.ts';
import { FilesContext } from '#files/files.ts';
import { chooseOrganization } from '#session/organization.ts';
import { OrganizationBuildsPage } from '#screens/products/builds/organization-builds-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';
import { listed } from './listed-builds.ts';

const HOUR_MS = 3_600_000;

const FIGURES: BuildFigures = {
  weeks: [
    { begins: '2026-02-16', built: 0, failed: 0, building: 0 },
    { begins: '2026-02-23', built: 3, failed: 1, building: 0 },
    { begins: '2026-03-02', built: 1, failed: 0, building: 2 },
  ],
  steps: [
    { state: 'Approval', count: 4, medianMs: 50 * HOUR_MS },
    { state: 'App Builder Configuration', count: 2, medianMs: 3 * HOUR_MS },
  ],
};

const having = (roleName: 'OrganizationAdmin' | 'SuperAdmin' | 'AppBuilder'): Shelf => ({
  ...shelf,
  userRole: [
    record('userRole', {
      ...{ id: idOf(62), user: builder, roleName },
      organization: roleName === 'SuperAdmin' ? null : lakeside,
    }),
  ],
});

interface Given {
  readonly role?: Parameters<typeof having>[0];
  readonly answer?: () => Response;
  readonly isOffline?: boolean;
}

const told = (figures: BuildFigures) => () =>
  new Response(JSON.stringify(figures), { headers: { 'Content-Type': 'application/json' } });

async function visit(given: Given = {}) {
  const { role = 'OrganizationAdmin', isOffline = false } = given;
  const app = await openStore(builder, having(role));
  const now = { answer: given.answer ?? told(FIGURES) };
  app.server.answer = (path) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname === buildFiguresPath(lakeside)) return Promise.resolve(now.answer());
    return pathname === '/api/product-builds' ? Promise.resolve(listed([], searchParams)) : null;
  };
  if (isOffline) await app.goOffline();
  const { surroundings } = testSurroundings();
  render(
    <FilesContext.Provider value={stillFiles().files}>
      <Around
        store={app}
        surroundings={surroundings}
        routes={[{ path: '/builds', element: <OrganizationBuildsPage /> }]}
        at="/builds"
      />
    </FilesContext.Provider>,
  );
  await app.settle();
  const asked = () =>
    app.server.requests.filter(({ path }) => path === buildFiguresPath(lakeside)).length;
  return { ...app, asked, now };
}

const TITLE = 'The last 12 weeks in figures';
async function opened(given: Given = {}) {
  const page = await visit(given);
  fireEvent.click(screen.getByText(TITLE));
  await page.settle();
  return page;
}
const chart = async (name: string) => within(await screen.findByRole('region', { name }));
const items = (of: Awaited<ReturnType<typeof chart>>) =>
  of.getAllByRole('listitem').map(({ textContent }) => textContent);
async function figuresOf(name: string): Promise<(string | null | undefined)[][]> {
  const one = await chart(name);
  fireEvent.click(one.getByText('Figures'));
  const table = within(await one.findByRole('table'));
  return table
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.querySelector('.cell-value')?.textContent),
    );
}

describe('[screens 10.1] the figures of an organization’s builds', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('are there for admins of the organization and super admins, and nobody else', async () => {
    await visit({ role: 'AppBuilder' });
    expect(screen.queryByText(TITLE)).to.equal(null);
    cleanup();
    await visit({ role: 'SuperAdmin' });
    expect(screen.queryByText(TITLE)).not.to.equal(null);
  });

  it('are of one organization, and not there while all are in view', async () => {
    chooseOrganization(null);
    await visit();
    expect(screen.queryByText(TITLE)).to.equal(null);
  });

  it('are asked for once they are opened', async () => {
    const { asked } = await visit();
    expect(asked()).to.equal(0);
    fireEvent.click(screen.getByText(TITLE));
    await screen.findByRole('region', { name: 'Builds a week' });
    expect(asked()).to.equal(1);
  });

  it('count the builds of each week by how they stand, the newest first', async () => {
    await opened();
    const weeks = await chart('Builds a week');
    expect(items(weeks)).to.deep.equal([
      'Week of Mar 2, 2026 · Built: 1 · Failed: 0 · Building: 2',
      'Week of Feb 23, 2026 · Built: 3 · Failed: 1 · Building: 0',
      'Week of Feb 16, 2026 · Built: 0 · Failed: 0 · Building: 0',
    ]);
    expect(await figuresOf('Builds a week')).to.deep.equal([
      ['Mar 2, 2026', '1', '0', '2'],
      ['Feb 23, 2026', '3', '1', '0'],
      ['Feb 16, 2026', '0', '0', '0'],
    ]);
  });

  it('say how many of those that ended went well, in each week and in all', async () => {
    await opened();
    const rate = await chart('Success rate');
    expect(rate.queryByText('80% of 5 finished builds succeeded.')).not.to.equal(null);
    expect(await figuresOf('Success rate')).to.deep.equal([
      ['Mar 2, 2026', '100%'],
      ['Feb 23, 2026', '75%'],
      ['Feb 16, 2026', 'No build has finished'],
    ]);
  });

  it('say how long each step waits', async () => {
    await opened();
    const waits = await chart('Median wait in each step');
    expect(items(waits)).to.deep.equal(['Approval2 days', 'App builder configuration3 hours']);
    expect(await figuresOf('Median wait in each step')).to.deep.equal([
      ['Approval', '2 days', '4'],
      ['App builder configuration', '3 hours', '2'],
    ]);
  });

  it('say that there is nothing to count yet', async () => {
    const weeks = FIGURES.weeks.map(({ begins }) => ({ begins, built: 0, failed: 0, building: 0 }));
    await opened({ answer: told({ weeks, steps: [] }) });
    const waits = await chart('Median wait in each step');
    expect(waits.queryByText('No step was completed in these weeks.')).not.to.equal(null);
    const rate = await chart('Success rate');
    expect(rate.queryByText('No build has finished')).not.to.equal(null);
  });

  it('say offline that they are not on this device, and come with the connection', async () => {
    const { goOnline } = await opened({ isOffline: true });
    expect(
      await screen.findByText(/^The figures of this chart are not on this device/),
    ).not.to.equal(null);
    await goOnline();
    expect(await screen.findByRole('region', { name: 'Builds a week' })).not.to.equal(null);
  });

  it('stay when the connection goes, and say that they are of before', async () => {
    const { goOffline } = await opened();
    await chart('Builds a week');
    await act(goOffline);
    const weeks = await chart('Builds a week');
    expect(
      weeks.queryByText('These figures are from before the connection was lost.'),
    ).not.to.equal(null);
  });

  it('say that the server did not give them, and ask again', async () => {
    const broken = () =>
      new Response(JSON.stringify({ errors: [{ status: '403', code: 'forbidden' }] }), {
        status: 403,
        headers: { 'Content-Type': 'application/vnd.api+json' },
      });
    const { now } = await opened({ answer: broken });
    expect(await screen.findByText('The figures could not be loaded')).not.to.equal(null);
    now.answer = told(FIGURES);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'Builds a week' })).not.to.equal(null);
  });
});
