import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { DirectoryProject } from '#screens/directory/directory-project.tsx';
import { Directory } from '#screens/directory/directory-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { TimeZoneContext } from '#ui/value/values.tsx';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  harbor,
  harvest,
  harvestApp,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

/** Shows what the address filters by. */
const Filtered = () => <p data-testid="filtered">{useLocation().search}</p>;

let paint = (): void => undefined;

function show(app: AppOverStore, at: string, zone: string | null = null): void {
  const { surroundings, pass } = testSurroundings();
  paint = () => {
    pass(0);
  };
  const element = (
    <TimeZoneContext.Provider value={zone}>
      <Filtered />
      <Directory />
    </TimeZoneContext.Provider>
  );
  const routes = [
    { path: '/directory', element },
    { path: '/directory/:publicProjectId', element: <DirectoryProject /> },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
}

async function visit(at = '/directory', held: Shelf = shelf) {
  const app = await openStore(builder, held);
  show(app, at);
  await screen.findByRole('heading', { level: 1 });
  return app;
}
const leave = async () => {
  cleanup();
  await closeStores();
};
const field = (label: 'from' | 'to') => screen.getByLabelText<HTMLInputElement>(`Updated ${label}`);
const set = (label: 'from' | 'to', value: string) => {
  fireEvent.change(field(label), { target: { value } });
};
/** What the fields for days say, and what the address filters by. */
const state = () => {
  const query = new URLSearchParams(screen.getByTestId('filtered').textContent);
  return {
    wrong: (['from', 'to'] as const).filter(
      (label) => field(label).getAttribute('aria-invalid') === 'true',
    ),
    filter: [query.get('from'), query.get('to')],
  };
};

/** The address follows once the page is painted. */
const expectState = (wanted: ReturnType<typeof state>) =>
  waitFor(() => {
    act(paint);
    expect(state()).to.deep.equal(wanted);
  });

/** The day of these tests is 2026-03-02. */
describe('[11.1] the range of dates in the directory', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(leave);

  it('ends today: neither of its days is later [R131, R285]', async () => {
    await visit();
    set('from', '2026-03-03');
    await expectState({ wrong: ['from'], filter: [null, null] });
    expect(screen.queryByText(/^Not after Mar 2, 2026/)).not.to.equal(null);
    set('from', '2026-03-02');
    await expectState({ wrong: [], filter: ['2026-03-02', null] });
    set('to', '2026-03-03');
    await expectState({ wrong: ['to'], filter: ['2026-03-02', null] });
    set('to', '2026-03-02');
    await expectState({ wrong: [], filter: ['2026-03-02', '2026-03-02'] });
  });

  it('has the days of its reader, who may be far ahead of Greenwich', async () => {
    show(await openStore(builder, shelf), '/directory', 'Pacific/Auckland');
    await screen.findByRole('heading', { level: 1 });
    set('from', '2026-03-04');
    await expectState({ wrong: ['from'], filter: [null, null] });
    expect(screen.queryByText(/^Not after Mar 3, 2026/)).not.to.equal(null);
  });

  it('does not end before it begins, whichever day is changed [R131, R285]', async () => {
    await visit('/directory?from=2026-02-10&to=2026-02-20');
    set('from', '2026-02-21');
    await expectState({ wrong: ['from'], filter: ['2026-02-10', '2026-02-20'] });
    expect(screen.queryByText(/^Not after Feb 20, 2026/)).not.to.equal(null);
    set('from', '2026-02-20');
    await expectState({ wrong: [], filter: ['2026-02-20', '2026-02-20'] });
    set('to', '2026-02-19');
    await expectState({ wrong: ['to'], filter: ['2026-02-20', '2026-02-20'] });
    expect(screen.queryByText(/^Not before Feb 20, 2026/)).not.to.equal(null);
    set('to', '2026-02-21');
    await expectState({ wrong: [], filter: ['2026-02-20', '2026-02-21'] });
  });
});

describe('[11.1] the list of the directory', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(leave);

  const names = () =>
    within(screen.getByRole('table', { name: 'Project directory' }))
      .getAllByRole('link')
      .filter((link) => link.getAttribute('href')?.startsWith('/directory/'))
      .map(({ textContent }) => textContent);
  const columns = () =>
    [...document.querySelectorAll('table > thead th')].flatMap(({ textContent }) =>
      textContent === '' ? [] : textContent,
    );

  it('asks for what is public and not archived, and has that alone while nobody answers, with its number in the title [R128, R129, R132]', async () => {
    const app = await visit();
    const asked = app.server.requests
      .map(({ path }) => new URL(path, 'http://here.test').searchParams)
      .filter((query) => query.has('filter[is-public]'));
    expect(asked.length).to.be.greaterThan(0);
    expect(asked[0]?.get('filter[is-public]')).to.equal('eq:true');
    expect(asked[0]?.get('filter[date-archived]')).to.equal('isnull:');
    await leave();

    // Of eight projects Juniper is private, and Meadow is archived.
    const away = await openStore(builder, shelf);
    await away.goOffline();
    show(away, '/directory');
    await waitFor(() => {
      expect(names()).to.deep.equal([
        ...['Élan', 'Harvest', 'Iron Bridge', 'Lantern', 'North Star', 'Orchard'],
      ]);
    });
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.match(/\b6\b/);
  });

  /** What the server is asked for the list at `at`, by a reader in Lima. */
  const askedAt = async (at: string) => {
    const app = await openStore(builder, shelf);
    show(app, at, 'America/Lima');
    const lists = () =>
      app.server.requests
        .map(({ path }) => new URL(path, 'http://here.test').searchParams)
        .filter((query) => query.has('filter[is-public]'));
    await waitFor(() => {
      expect(lists()).to.have.length(1);
    });
    await leave();
    return lists()[0] ?? new URLSearchParams();
  };
  /** The projects at `at` while nobody answers. */
  const hereAt = async (at: string, held: Shelf) => {
    const app = await openStore(builder, held);
    await app.goOffline();
    show(app, at, 'America/Lima');
    await waitFor(() => {
      expect(screen.getByRole('heading', { level: 1 }).textContent).to.match(/on this device/);
    });
    const found = names();
    await leave();
    return found;
  };

  it('has what was updated since the first day alone, or until the last alone, by the days of its reader [R131]', async () => {
    const days = async (at: string) => (await askedAt(at)).getAll('filter[project-updated-date]');
    expect(await days('/directory?from=2026-02-20')).to.deep.equal(['ge:2026-02-20T05:00:00.000Z']);
    expect(await days('/directory?to=2026-02-20')).to.deep.equal(['le:2026-02-21T04:59:59.999Z']);
    // Both are of the 20th in Greenwich; in Lima the first is still of the 19th.
    const updated: Readonly<Record<string, string>> = {
      Harvest: '2026-02-20T04:59:59.999Z',
      Lantern: '2026-02-20T05:00:00.000Z',
    };
    const held: Shelf = {
      ...shelf,
      project: (shelf.project ?? []).flatMap((each) => {
        const dateUpdated = updated[each.name];
        return dateUpdated === undefined ? [] : { ...each, dateUpdated };
      }),
    };
    expect(await hereAt('/directory?from=2026-02-20', held)).to.deep.equal(['Lantern']);
    expect(await hereAt('/directory?to=2026-02-19', held)).to.deep.equal(['Harvest']);
    expect(await hereAt('/directory?from=2026-02-19', held)).to.deep.equal(['Harvest', 'Lantern']);
  });

  it('has the projects with the chosen product, of the server and of this device [R128, R131]', async () => {
    const [definition] = shelf.productDefinition ?? [];
    const at = `/directory?product=${definition?.id ?? ''}`;
    const asked = await askedAt(at);
    expect(asked.get('filter[any-product-definition-id]')).to.equal(definition?.id);
    expect(await hereAt(at, shelf)).to.deep.equal(['Harvest']);
  });

  it('comes in pages, from the server and from this device [R128]', async () => {
    const at = '/directory?pageSize=2&pageOffset=2';
    const asked = await askedAt(at);
    expect([asked.get('page[offset]'), asked.get('page[limit]')]).to.deep.equal(['2', '2']);
    expect(await hereAt(at, shelf)).to.deep.equal(['Iron Bridge', 'Lantern']);
  });

  it('begins with organization, language and build version, and shows the columns that are chosen [R128, R130, R420]', async () => {
    await visit();
    await waitFor(() => {
      expect(columns().slice(0, 3)).to.deep.equal(['Project', 'Organization', 'Language']);
    });
    expect(columns()).not.to.include('Owner');
    expect(screen.getAllByText('Build version')).not.to.deep.equal([]);
    fireEvent.click(screen.getByRole('button', { name: 'Choose columns' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Owner' }));
    expect(columns()).to.include('Owner');
  });
});

describe('[11.2] a project of the directory', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(leave);

  const build = (number: number, success: boolean | null, version: string | null) =>
    record('productBuild', {
      ...{ id: idOf(600 + number), product: harvestApp, buildId: number, success },
      buildVersion: version,
    });
  const file = (number: number, filename: string) =>
    record('productArtifact', {
      ...{ id: idOf(700 + number), product: harvestApp, productBuild: idOf(600 + number) },
      ...{ filename, fileSize: 2_048, artifactType: 'apk' },
      // The file itself is newer than the word that the server keeps of it.
      updated: '2026-03-01T12:00:00.000Z',
    });
  const built: Shelf = {
    ...shelf,
    organization: (shelf.organization ?? []).map((each) =>
      each.id === lakeside ? { ...each, logoUrl: 'https://lakeside.test/logo.png' } : each,
    ),
    project: (shelf.project ?? []).map((each) =>
      each.id === harvest.id ? { ...each, dateCreated: '2026-01-20T09:00:00.000Z' } : each,
    ),
    productBuild: [
      ...[build(1, true, '1.0'), build(2, true, '1.1')],
      ...[build(3, false, null), build(4, null, null)],
    ],
    productArtifact: [file(1, 'harvest-1.0.apk'), file(2, 'harvest-1.1.apk')],
  };
  const at = `/directory/${harvest.id}`;
  /** What stands beside each word in the facts. */
  const facts = () =>
    Object.fromEntries(
      screen
        .getAllByRole('term')
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );

  it('names its organization, whom to contact there, its owner, what it is about and since when it is [R133, R309]', async () => {
    const owned = (built.project ?? []).map((each) =>
      each.id === harvest.id ? { ...each, organization: harbor, owner: builder } : each,
    );
    await visit(at, { ...built, project: owned });
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Harvest');
    expect(facts()).to.deep.equal({
      'Organization contact': 'Felix Fellow',
      'Project owner': 'Berta Builder',
      Description: 'Songs of the field.',
    });
    const page = document.body.textContent;
    expect(page).to.include('Harbor Media');
    expect(page).to.match(/Spanish/);
    const since = document.querySelector<HTMLTimeElement>('.fact time');
    expect(since?.dateTime).to.equal('2026-01-20T09:00:00.000Z');
  });

  it('shows the logo of its organization [R133]', async () => {
    await visit(at, built);
    const logo = document.querySelector<HTMLImageElement>('.directory-organization img');
    expect(logo?.src).to.equal('https://lakeside.test/logo.png');
  });

  it('has the builds of each product: the latest labelled so, and those that failed or are pending [R134, R246]', async () => {
    await visit(at, built);
    expect(screen.getByRole('heading', { level: 2 }).textContent).to.include(
      'Android App to Google Play',
    );
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options).to.have.length(4);
    expect(options[0]).to.match(/^Build pending/);
    expect(options[1]).to.match(/^Build failed/);
    expect(options[2]).to.match(/^Latest build \(1\.1\) · Built/);
    expect(options[3]).to.match(/^Build 1\.0 · Built/);
  });

  it('says that a product has no builds yet [R134, R408]', async () => {
    await visit(at, shelf);
    await waitFor(() => {
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).to.deep.equal([
        'No builds yet',
      ]);
    });
  });

  it('folds the files of the chosen build, each with name, update and size, or says that it has none [R135, R408]', async () => {
    await visit(at, built);
    fireEvent.change(screen.getByRole('combobox'), { target: { value: idOf(602) } });
    await screen.findByText('harvest-1.1.apk');
    expect(screen.queryByText('harvest-1.0.apk')).to.equal(null);
    const columnsOfFiles = screen.getAllByRole('columnheader').map((cell) => cell.textContent);
    expect(columnsOfFiles).to.deep.equal(['Filename', 'Updated', 'Size']);
    expect(document.body.textContent).to.match(/2 kB/i);
    const updated = screen.getByText('harvest-1.1.apk').closest('tr')?.querySelector('time');
    expect([updated?.dateTime, updated?.textContent]).to.deep.equal([
      ...['2026-03-01T12:00:00.000Z', '1 day ago'],
    ]);
    const box = document.querySelector<HTMLDetailsElement>('details.files-box');
    expect(box?.open).to.equal(true);
    box?.querySelector('summary')?.click();
    expect(box?.open).to.equal(false);
    fireEvent.change(screen.getByRole('combobox'), { target: { value: idOf(603) } });
    await screen.findByText('No product files');
  });

  it('without a product says what would be there, and leads who may add one to the project', async () => {
    const [own, others] = [idOf(101), idOf(107)];
    await visit(`/directory/${own}`, shelf);
    await screen.findByRole('heading', { name: 'No products' });
    expect(screen.queryByText(/^The products of this project appear here/)).not.to.equal(null);
    const way = screen.getByRole<HTMLAnchorElement>('link', { name: 'Add products' });
    expect(way.pathname).to.equal(`/projects/${own}`);
    cleanup();
    await visit(`/directory/${others}`, shelf);
    await screen.findByRole('heading', { name: 'No products' });
    expect(screen.queryByRole('link', { name: 'Add products' })).to.equal(null);
  });

  it('is loaded from the server, and says where it could not be, with a way to try again [R136, R374]', async () => {
    const other = idOf(950);
    const app = await openStore(builder, shelf);
    app.server.answer = (path) =>
      path.includes(other) ? Promise.resolve(new Response('', { status: 503 })) : null;
    show(app, `/directory/${other}`);
    await screen.findByText(/The server answered with status 503\./);
    expect(screen.getByRole('button', { name: 'Try again' })).not.to.equal(null);
    expect(app.server.requests.some(({ path }) => path.includes(other))).to.equal(true);
  });

  it('that is not there is not found [R136]', async () => {
    await visit(`/directory/${idOf(951)}`);
    await screen.findByRole('heading', { name: 'Not Found!' });
  });
});
