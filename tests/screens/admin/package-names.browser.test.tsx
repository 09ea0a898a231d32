import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import type { PackageName, PackageNames } from '#protocol/package-names.ts';
import { packageNamePaths } from '#protocol/package-names.ts';
import { problems } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { PackageNamesPage } from '#screens/admin/package-names/package-names-page.tsx';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { OrganizationProducts } from '#screens/organizations/products-and-stores.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { plain } from '../../support/scripted-server.ts';
import { builder, harbor, idOf, lakeside, record, shelf } from '../../support/shelf.ts';

const superAdmin = record('userRole', {
  ...{ id: idOf(62), user: builder, roleName: 'SuperAdmin', role: idOf(63) },
});
const orgAdmin = record('userRole', {
  ...{ id: idOf(64), user: builder, roleName: 'OrganizationAdmin', role: idOf(65) },
  organization: lakeside,
});

const LAKESIDE = { id: lakeside, name: 'Lakeside Press' };
const HARBOR = { id: harbor, name: 'Harbor Media' };
const HARVEST = 'org.lakeside.harvest';

function entry(fields: Partial<PackageName> = {}): PackageName {
  return {
    ...{ name: HARVEST, organization: LAKESIDE, reason: null, isOfProduct: false },
    ...{ since: '2026-03-01T12:00:00.000Z', products: [], productsTotal: 0 },
    ...fields,
  };
}
const product = (n: number, organization = LAKESIDE) => ({
  ...{ id: idOf(700 + n), name: 'Android App', organization },
  project: { id: idOf(800 + n), name: `Project ${String(n)}` },
  lastPublished: '2026-03-02T11:00:00.000Z',
});

function refused(problem: Problem): Response {
  const [status, title] = problems[problem.code];
  const errors = [{ id: 'e', status: String(status), title, ...problem }];
  return new Response(JSON.stringify({ errors }), {
    status,
    headers: { 'Content-Type': JSON_API },
  });
}

interface Given {
  readonly roles?: readonly (typeof superAdmin)[];
  readonly list?: (query: URLSearchParams) => readonly PackageName[] | PackageNames | Response;
  readonly move?: (name: string, body: unknown) => Response;
  readonly at?: string;
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  roles = [superAdmin],
  list = () => [entry()],
  move = (name) => plain({ name }),
  at = '/admin/package-names',
  prepare = () => Promise.resolve(),
}: Given = {}) {
  const app = await openStore(builder, { ...shelf, userRole: roles });
  const seen = { asked: [] as URLSearchParams[], moves: [] as (readonly [string, unknown])[] };
  app.server.answer = (address, sent) => {
    const [path = '', query = ''] = address.split('?');
    if (path === packageNamePaths.list) {
      const parameters = new URLSearchParams(query);
      seen.asked.push(parameters);
      const given = list(parameters);
      if (given instanceof Response) return Promise.resolve(given);
      const page = 'total' in given ? given : { packageNames: given, total: given.length };
      return Promise.resolve(plain(page));
    }
    const name = /^\/api\/package-names\/(.+)$/.exec(path)?.[1];
    if (name === undefined) return null;
    const body = JSON.parse(sent) as unknown;
    seen.moves.push([decodeURIComponent(name), body]);
    return Promise.resolve(move(name, body));
  };
  await prepare(app);
  const { surroundings, pass } = testSurroundings();
  const routes = [
    {
      path: '/admin/package-names',
      element: (
        <Guarded guard={superAdmins}>
          <PackageNamesPage />
        </Guarded>
      ),
    },
    { path: '/organizations/:orgId/settings/products', element: <OrganizationProducts /> },
    { path: '*', element: <p>Another page</p> },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
  await app.settle();
  const passTime = async (ms: number) => {
    act(() => {
      pass(ms);
    });
    await app.settle();
  };
  return { ...app, seen, passTime };
}

const rows = () =>
  within(screen.getByRole('table', { name: 'Package names' }))
    .getAllByRole('row')
    .slice(1);
const moveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: `Move ${HARVEST}` });
const dialog = () => within(screen.getByRole('dialog'));
const confirm = () => dialog().getByRole<HTMLButtonElement>('button', { name: 'Move' });

async function fill({ settle }: AppOverStore, organization = 'Harbor Media', reason = 'Sold') {
  fireEvent.click(moveButton());
  const holder = dialog().getByLabelText(/^New organization/);
  fireEvent.focus(holder);
  fireEvent.change(holder, { target: { value: organization } });
  fireEvent.click(dialog().getByRole('option', { name: organization }));
  fireEvent.change(dialog().getByLabelText(/^Reason/), { target: { value: reason } });
  await settle();
}

describe('[16.4] package names', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
    sessionStorage.clear();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('are listed with holder, products, since when and when they were last published', async () => {
    await visit({
      list: () => [
        entry({
          reason: 'Sold to Lakeside',
          products: [product(1), product(2, HARBOR)],
          productsTotal: 7,
        }),
        entry({ name: 'app.slipway.p1', isOfProduct: true, since: null }),
      ],
    });
    const [first, second] = rows();
    for (const text of [
      HARVEST,
      'Lakeside Press',
      'Moved: Sold to Lakeside',
      'and 5 more',
      '1 hour',
    ])
      expect(first?.textContent).to.include(text);
    if (first === undefined || second === undefined) throw new Error('There are too few rows');
    const links = within(first).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).to.deep.equal([
      ['Project 1', `/projects/${idOf(801)}`],
      ['Project 2', `/projects/${idOf(802)}`],
    ]);
    expect(first.textContent).to.include('Harbor Media, which held the name before');
    expect(second.textContent).to.include('Nothing published yet').and.include('--');
    expect(second.textContent).to.include('Made from its product: it cannot be moved.');
    expect(within(second).queryByRole('button', { name: /^Move/ })).to.equal(null);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Package names 2');
  });

  it('are searched, sorted and paged by the server, which the address says', async () => {
    const { seen, settle } = await visit({
      list: () => ({ packageNames: [entry()], total: 41 }),
      at: '/admin/package-names?search=harv&sort=-since&pageOffset=2',
    });
    expect(Object.fromEntries(seen.asked[0] ?? [])).to.deep.equal({
      'filter[search-term]': 'harv',
      sort: '-since',
      'page[offset]': '2',
      'page[limit]': '20',
    });
    fireEvent.click(screen.getByRole('button', { name: 'Package name' }));
    await settle();
    expect(seen.asked.at(-1)?.get('sort')).to.equal('name');
    expect(seen.asked.at(-1)?.get('page[offset]')).to.equal('1');
    fireEvent.click(screen.getByRole('button', { name: /^(Page )?3$/ }));
    await settle();
    expect(seen.asked.at(-1)?.get('page[offset]')).to.equal('3');
  });

  it('are asked for anew every ten seconds while the page is open', async () => {
    let list = [entry()];
    const { seen, passTime } = await visit({ list: () => list });
    list = [entry({ organization: HARBOR })];
    await passTime(9_999);
    expect(seen.asked.length).to.equal(1);
    await passTime(1);
    expect(rows()[0]?.textContent).to.include('Harbor Media');
  });

  it('that are none say what brings one, and a search that finds none says so', async () => {
    await visit({ list: () => [] });
    expect(screen.getByRole('heading', { name: 'No package names yet' })).not.to.equal(null);
    cleanup();
    await closeStores();
    const app = await visit({ list: () => [], at: '/admin/package-names?search=zz' });
    expect(screen.getByRole('heading', { name: 'No results' })).not.to.equal(null);
    fireEvent.click(screen.getByText('Clear search'));
    await app.passTime(0);
    expect(screen.queryByRole('heading', { name: 'No package names yet' })).not.to.equal(null);
  });

  it('are moved with the holder that was seen, and the list shows who has it now', async () => {
    let list = [entry()];
    const app = await visit({ list: () => list });
    await fill(app);
    const follows = dialog().getByRole('list', { name: 'What follows' });
    expect(follows.textContent)
      .to.include('products of Lakeside Press cannot any more')
      .and.include('move the name back');
    list = [entry({ organization: HARBOR, reason: 'Sold' })];
    fireEvent.click(confirm());
    await app.settle();
    expect(app.seen.moves).to.deep.equal([
      [HARVEST, { organization: harbor, reason: 'Sold', from: lakeside }],
    ]);
    await screen.findByText('Moved: Sold');
    expect(screen.getByText(`${HARVEST} belongs to Harbor Media now`)).not.to.equal(null);
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(rows()[0]?.textContent).to.include('Harbor Media').and.include('Moved: Sold');
  });

  it('are moved only to another organization and with a reason, and the first mistake has the focus', async () => {
    const app = await visit();
    fireEvent.click(moveButton());
    fireEvent.click(confirm());
    expect(dialog().getByText('Choose who gets the name.')).not.to.equal(null);
    expect(dialog().getByText('Say why it is moved.')).not.to.equal(null);
    expect(document.activeElement).to.equal(dialog().getByLabelText(/^New organization/));
    fireEvent.change(dialog().getByLabelText(/^New organization/), { target: { value: 'Press' } });
    expect(dialog().queryByRole('option', { name: 'Lakeside Press' })).to.equal(null);
    await app.settle();
    expect(app.seen.moves).to.deep.equal([]);
  });

  it('that somebody else moved meanwhile are moved on from there alone, once that was read', async () => {
    let answer: () => Response = () =>
      refused({ code: 'changed-elsewhere', meta: { current: { organization: HARBOR } } });
    let list = [entry()];
    const app = await visit({ list: () => list, move: () => answer() });
    await fill(app);
    list = [];
    fireEvent.click(confirm());
    await app.settle();
    expect(
      dialog().getByText(/Someone has moved it in the meantime: it now belongs to Harbor Media/),
    ).not.to.equal(null);
    expect(confirm().disabled).to.equal(true);
    answer = () => plain({ name: HARVEST });
    fireEvent.click(dialog().getByRole('button', { name: 'Go on from Harbor Media' }));
    const holder = dialog().getByLabelText(/^New organization/);
    fireEvent.change(holder, { target: { value: 'Lake' } });
    fireEvent.click(dialog().getByRole('option', { name: 'Lakeside Press' }));
    fireEvent.click(confirm());
    await app.settle();
    expect(app.seen.moves.at(-1)?.[1]).to.deep.equal({
      ...{ organization: lakeside, reason: 'Sold', from: harbor },
    });
  });

  it('that were refused or not answered say so, and keep what was typed', async () => {
    let answer: () => Response = () => new Response('oops', { status: 502 });
    const app = await visit({ move: () => answer() });
    await fill(app);
    fireEvent.click(confirm());
    await app.settle();
    expect(dialog().getByText(/it is not certain whether the name was moved/)).not.to.equal(null);
    answer = () => refused({ code: 'not-found' });
    fireEvent.click(confirm());
    await app.settle();
    expect(dialog().getByText('The name was not moved')).not.to.equal(null);
    answer = () =>
      refused({
        code: 'invalid',
        source: { pointer: '/reason' },
        meta: { rule: 'too-long', limit: 1_000 },
      });
    fireEvent.click(confirm());
    await app.settle();
    const reason = dialog().getByLabelText<HTMLTextAreaElement>(/^Reason/);
    expect(reason.getAttribute('aria-invalid')).to.equal('true');
    expect(reason.value).to.equal('Sold');
    expect(app.seen.moves.length).to.equal(3);
  });

  it('need a connection: the page says so before anybody types, and comes by itself', async () => {
    const app = await visit({ prepare: (store) => store.goOffline() });
    expect(
      screen.getByRole('heading', { name: 'The list of package names needs a connection' }),
    ).not.to.equal(null);
    await app.goOnline();
    await app.settle();
    expect(moveButton().disabled).to.equal(false);
    fireEvent.click(moveButton());
    await app.goOffline();
    expect(confirm().disabled).to.equal(true);
    expect(rows().length).to.equal(1);
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(moveButton().disabled).to.equal(true);
    expect(screen.getByText('Needs a connection')).not.to.equal(null);
    expect(screen.queryByRole('searchbox')).to.equal(null);
  });

  it('that could not be loaded are asked for again, and a refusal says why', async () => {
    let answer: () => readonly PackageName[] | Response = () =>
      new Response('oops', { status: 502 });
    const { settle } = await visit({ list: () => answer() });
    expect(screen.getByText('The package names could not be loaded')).not.to.equal(null);
    answer = () => refused({ code: 'forbidden' });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByText('You are not allowed to do that')).not.to.equal(null);
    answer = () => [entry()];
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rows().length).to.equal(1);
  });

  it('turn away whoever is no super admin', async () => {
    const { seen } = await visit({ roles: [orgAdmin] });
    expect(screen.getByText('Another page')).not.to.equal(null);
    expect(seen.asked).to.deep.equal([]);
  });

  it('of an organization are in its settings for its admins, who cannot move them', async () => {
    const { seen } = await visit({
      roles: [orgAdmin],
      at: `/organizations/${lakeside}/settings/products`,
      list: () => [entry({ products: [product(1)], productsTotal: 1 })],
    });
    expect(seen.asked[0]?.get('filter[organization-id]')).to.equal(`eq:${lakeside}`);
    expect(rows()[0]?.textContent).to.include(HARVEST).and.include('Project 1');
    expect(screen.queryByRole('button', { name: /^Move/ })).to.equal(null);
  });
});
