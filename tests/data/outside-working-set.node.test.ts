import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import { signalrHub } from '#data/sync/hub.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { ServerListQuery } from '../../src/data/model/views.ts';
import { Device, turns, until, untilInTime } from '../support/device.ts';
import {
  aCause,
  aGroup,
  aMember,
  anOrganization,
  aProduct,
  aProject,
  aRole,
} from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

describe('records outside the working set', function () {
  this.timeout(180_000);

  let server: TestServer;
  /** A public project of an organization that the person is not in. */
  let foreign: Of<'project'>;
  let own: Of<'project'>;
  /** The public projects of this test, whose language no others have. */
  let directory: ServerListQuery<'project'>;
  let language: string;
  let tests = 0;
  const open: Data[] = [];

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  beforeEach(async () => {
    tests += 1;
    language = `qaa-x-${tests}`;
    const { db } = server.parts;
    foreign = await aProject(db, { name: 'Foreign', language });
    own = await aProject(db, { name: 'Own', language });
    directory = {
      filter: { isPublic: true, dateArchived: { isNull: true }, language },
      sort: 'name',
      page: { offset: 1, limit: 20 },
    };
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((data) => data.close()));
  });

  const change = (fields: Partial<Of<'project'>>) =>
    server.parts.db.write(aCause(), (tx) => tx.change('project', foreign.id, fields));

  /** The device of somebody in the organization of `own`, in sync; `isAway` cuts the connection. */
  async function aDevice({ isSuperAdmin = false } = {}) {
    const { db } = server.parts;
    const user = await aMember(db, own.organization, {
      roles: ['AppBuilder'],
      groups: [own.group],
    });
    if (isSuperAdmin) await aRole(db, user.id, 'SuperAdmin', null);
    const way = { isAway: false, asked: [] as string[] };
    const device = new Device({
      fetch: async (address, request) => {
        if (way.isAway) throw new TypeError('away');
        way.asked.push(address);
        return fetch(`${server.url}${address}`, request);
      },
      hub: (accessToken) => signalrHub(server.url, accessToken, {}),
    });
    device.token = await tokenFor(server.parts, user.email ?? '');
    const data = device.open(user.id, { random: (bytes) => randomFillSync(bytes) });
    open.push(data);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    return { data, device, way, user };
  }

  /** As a page that shows it: reads until it is closed. */
  function look<T>(watched: { subscribe: (run: () => void) => () => void; view: () => T }) {
    const close = watched.subscribe(() => undefined);
    return { view: watched.view, close };
  }

  const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

  it('come page by page as the server sorts them, and count in no list of the device', async () => {
    const { data } = await aDevice();
    const list = look(data.server.list('project', directory));
    await until(() => list.view().state === 'ready', 'the page');
    expect(namesOf(list.view().rows)).to.deep.equal(['Foreign', 'Own']);
    expect(list.view().total).to.equal(2);
    const local = data.lists.open('project', {});
    expect(namesOf(local.view().rows)).to.deep.equal(['Own']);
    expect(local.view().total).to.equal(1);
    expect(namesOf(data.find.all('project', {}))).to.deep.equal(['Own']);
    const all = data.lists.open('project', {}, { anywhere: true, sort: 'name' });
    expect(namesOf(all.view().rows)).to.deep.equal(['Foreign', 'Own']);
    // What its row shows came along.
    expect(data.find.one('organization', foreign.organization)).not.to.equal(null);
    expect(data.find.all('organization', {})).to.have.length(1);
  });

  it('are narrowed to the organization that is named, apart from the list of all [R317]', async () => {
    const { data } = await aDevice({ isSuperAdmin: true });
    const query = { filter: { language }, sort: 'name', page: { offset: 1, limit: 20 } } as const;
    const all = look(data.server.list('project', query));
    await until(() => all.view().state === 'ready', 'the list of all');
    expect(namesOf(all.view().rows)).to.deep.equal(['Foreign', 'Own']);
    const { organization } = own;
    const narrowed = look(data.server.list('project', { ...query, organization }));
    expect(narrowed.view().rows).to.deep.equal([]);
    await until(() => narrowed.view().state === 'ready', 'the list of one');
    expect(namesOf(narrowed.view().rows)).to.deep.equal(['Own']);
  });

  it('show the next page when it is told, and the one before until then', async () => {
    for (const name of ['B', 'C', 'D']) await aProject(server.parts.db, { name, language });
    const { data } = await aDevice();
    const page = (offset: number) =>
      data.server.list('project', { ...directory, page: { offset, limit: 2 } });
    const first = look(page(1));
    await until(() => first.view().state === 'ready', 'the first page');
    expect(namesOf(first.view().rows)).to.deep.equal(['B', 'C']);
    expect(first.view().total).to.equal(5);
    // The page's code is here: the next one begins with what was shown.
    const second = look(page(2));
    expect(namesOf(second.view().rows)).to.deep.equal(['B', 'C']);
    first.close();
    await until(() => namesOf(second.view().rows).join() === 'D,Foreign', 'the second page');
  });

  it('are read by their address with what their page needs', async () => {
    const product = await aProduct(server.parts.db, { project: foreign.id });
    const { data } = await aDevice();
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    expect(data.records.view('project', foreign.id).record?.name).to.equal('Foreign');
    const products = data.lists.open('product', { project: foreign.id });
    expect(products.view().rows.map(({ id }) => id)).to.deep.equal([product.id]);
    expect(data.lists.open('product', {}).view().total).to.equal(0);
  });

  it('are not asked for where the feed tells of them', async () => {
    const { data, way } = await aDevice();
    const before = way.asked.length;
    const asked = look(data.server.record('project', own.id));
    expect(asked.view()).to.equal('not-asked');
    await turns(20);
    expect(way.asked.slice(before)).to.deep.equal([]);
  });

  it('follow what others change while a page shows them, and go when sight of them goes', async () => {
    const { data, device } = await aDevice();
    const asked = look(data.server.record('project', foreign.id));
    const list = look(data.server.list('project', directory));
    await until(() => asked.view() === 'told' && list.view().state === 'ready', 'both');
    await change({ name: 'Renamed' });
    const nameHere = () => data.records.view('project', foreign.id).record?.name;
    await untilInTime(device, () => nameHere() === 'Renamed', 'the new name');
    await untilInTime(
      device,
      () => namesOf(list.view().rows).join() === 'Own,Renamed',
      'the new order',
    );
    await change({ isPublic: false });
    await untilInTime(device, () => asked.view() === 'not-found', 'that it is not seen any more');
    await untilInTime(device, () => list.view().total === 1, 'the shorter list');
    expect(data.records.view('project', foreign.id).state).to.equal('gone');
    expect(namesOf(data.lists.open('project', {}, { anywhere: true }).view().rows)).to.deep.equal([
      'Own',
    ]);
  });

  it('go from a list that was open when sight of them went', async () => {
    const { data, device } = await aDevice();
    const list = look(data.server.list('project', directory));
    await until(() => list.view().total === 2, 'the page');
    await change({ isPublic: false });
    await untilInTime(device, () => list.view().total === 1, 'the shorter list');
    await untilInTime(
      device,
      () => data.find.one('project', foreign.id) === null,
      'that the device forgot it',
    );
  });

  it('are on the device after a restart without a connection', async () => {
    const { data, device, way, user } = await aDevice();
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    await data.close();
    way.isAway = true;
    const again = device.open(user.id, { random: (bytes) => randomFillSync(bytes) });
    open.push(again);
    await again.restored;
    expect(again.records.view('project', foreign.id).record?.name).to.equal('Foreign');
    expect(again.lists.open('project', {}).view().total).to.equal(1);
    const list = look(again.server.list('project', directory));
    await until(() => list.view().state === 'no-answer', 'that nobody answers');
    way.isAway = false;
    await untilInTime(device, () => list.view().state === 'ready', 'the answer');
  });

  it('become part of the working set when the person joins, and leave it with them', async () => {
    const { data, user } = await aDevice();
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    const { db } = server.parts;
    await aMember(db, foreign.organization, { user: user.id, groups: [foreign.group] });
    const total = () => data.lists.open('project', {}).view().total;
    await until(() => total() === 2, 'the project in the lists');
    expect(asked.view()).to.equal('not-asked');
  });

  it('go with what others remove below them, and are written only when they change', async () => {
    const { db } = server.parts;
    const product = await aProduct(db, { project: foreign.id });
    const { data, device, way } = await aDevice();
    const asked = look(data.server.record('project', foreign.id));
    await until(() => data.find.one('product', product.id) !== null, 'the product');
    let batches = 0;
    data.records.batches.subscribe(() => {
      batches += 1;
    });
    const before = way.asked.length;
    await untilInTime(device, () => way.asked.length > before + 2, 'three more answers');
    expect(batches).to.equal(0);
    await db.write(aCause(), (tx) => tx.remove('product', product.id));
    await untilInTime(device, () => data.find.one('product', product.id) === null, 'the removal');
    expect(asked.view()).to.equal('told');
  });

  it('are asked for again once somebody made them public, or all organizations are in view', async () => {
    const { data, device } = await aDevice({ isSuperAdmin: true });
    data.selectOrganization(foreign.organization);
    const seen = () => data.records.view('project', foreign.id);
    await until(() => seen().state === 'here', 'the project');
    data.selectOrganization(null);
    await until(() => seen().state === 'gone', 'that the device keeps it no more');
    const asked = look(data.server.record('project', foreign.id));
    await untilInTime(device, () => seen().state === 'here', 'that it is told');
    expect(asked.view()).to.equal('told');
  });

  it('take nothing away that the person just created and the server does not know', async () => {
    const { data, device, way } = await aDevice({ isSuperAdmin: true });
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    way.isAway = true;
    const author = await data.add(
      'reviewer',
      { name: 'Rosa', email: 'rosa@example.org', locale: 'es-419', project: foreign.id },
      ['changes.project.edit', { name: 'Foreign' }],
    );
    const own = look(data.server.record('reviewer', author));
    expect(own.view()).to.equal('not-asked');
    way.isAway = false;
    await untilInTime(device, () => data.changes.view().waiting === 0, 'that it is sent');
    await untilInTime(device, () => asked.view() === 'told', 'another answer');
    expect(data.find.one('reviewer', author)?.name).to.equal('Rosa');
  });

  it('leave the device of who is no super admin any more', async () => {
    const { data, user } = await aDevice({ isSuperAdmin: true });
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    const owner = foreign.owner ?? '';
    expect(data.find.one('user', owner)).not.to.equal(null);
    asked.close();
    const { db } = server.parts;
    const [role] = await db.read((tx) =>
      tx.all('userRole', { user: user.id, roleName: 'SuperAdmin' }),
    );
    await db.write(aCause(), (tx) => tx.remove('userRole', role?.id ?? ''));
    await until(() => data.find.one('user', owner) === null, 'that they are forgotten');
    expect(data.find.one('project', foreign.id)).to.equal(null);
  });

  it('stay outside when another answer tells of them, and when everything is read afresh', async () => {
    const { data } = await aDevice({ isSuperAdmin: true });
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    await editProject(data, foreign, { name: 'Changed by me' });
    await until(() => data.changes.view().waiting === 0, 'that it is sent');
    const stored = await server.parts.db.read((tx) => tx.one('project', foreign.id));
    expect(stored?.name).to.equal('Changed by me');
    expect(namesOf(data.lists.open('project', {}).view().rows)).to.not.include('Changed by me');
    data.diagnostics.resync();
    await turns(50);
    await until(() => data.changes.view().status === 'saved', 'the resync');
    expect(data.records.view('project', foreign.id).record?.name).to.equal('Changed by me');
  });

  it('are followed by the feed once a super admin looks at their organization', async () => {
    const { data } = await aDevice({ isSuperAdmin: true });
    const asked = look(data.server.record('project', foreign.id));
    await until(() => asked.view() === 'told', 'the project');
    data.selectOrganization(foreign.organization);
    const rows = () => data.lists.open('project', { organization: foreign.organization }).view();
    await until(() => rows().asOf !== null && rows().total === 1, 'the organization');
    await until(() => asked.view() === 'not-asked', 'that the feed tells of it');
  });

  it('keep no more than their number, the oldest being forgotten', async () => {
    const { db } = server.parts;
    const organization = (await anOrganization(db)).id;
    const group = (await aGroup(db, { owner: organization })).id;
    const owner = (await aMember(db, organization, { groups: [group] })).id;
    for (let n = 0; n < 60; n += 1)
      await aProject(db, {
        name: `P ${String(n).padStart(2, '0')}`,
        organization,
        group,
        owner,
        language,
      });
    const most = limits.outsideRecordsMost;
    (limits as { outsideRecordsMost: number }).outsideRecordsMost = 30;
    try {
      const { data } = await aDevice();
      for (let offset = 1; offset <= 6; offset += 1) {
        const page = { offset, limit: 10 };
        const list = look(data.server.list('project', { ...directory, page }));
        await until(() => namesOf(list.view().rows).includes(`P ${offset - 1}5`), `page ${offset}`);
        list.close();
      }
      const kept = data.lists.open('project', {}, { anywhere: true }).view().rows;
      expect(kept.length).to.be.within(20, 31);
      expect(namesOf(kept)).to.include('P 55').and.include('Own').and.not.include('P 05');
      expect(data.records.view('project', own.id).state).to.equal('here');
    } finally {
      (limits as { outsideRecordsMost: number }).outsideRecordsMost = most;
    }
  });
});
