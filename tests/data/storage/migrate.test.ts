import { expect } from 'chai';
import { changeFrom, LOCAL_SCHEMA } from '#data/storage/migrate.ts';
import { patchOf } from '#data/model/record.ts';
import { turns, until } from '../../support/device.ts';
import { answered } from '../../support/faulty-indexeddb.ts';
import { recordOf } from '../../support/records.ts';
import { Stored } from '../../support/stored.ts';

/** A row of the outbox as version 1 of the local schema wrote it: a project is given `name`. */
const aRowOf1 = (at: Stored, seq: number, name: string, more: object = {}): object => ({
  id: `01990000-0000-7000-8000-00000000000${seq}`,
  seq,
  userId: at.world.me,
  operations: [
    {
      op: 'updateRecord',
      record: {
        type: 'project',
        id: at.world.project,
        attributes: { name },
        relationships: {},
      },
    },
  ],
  base: [{ name: 'Harvest' }],
  theirs: [{}],
  undo: [
    {
      op: 'updateRecord',
      record: { type: 'project', id: at.world.project, attributes: { name: 'Harvest' } },
    },
  ],
  says: ['changes.project.rename', { from: 'Harvest', to: name }],
  state: 'waiting',
  problem: null,
  attempts: 0,
  notBefore: null,
  dependsOn: [],
  madeAt: 1_700_000_000_000,
  schema: 1,
  ...more,
});

/** A database as version 1 left it. */
async function databaseOf1(
  at: Stored,
  rows: readonly object[],
  records: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const request = at.storage.inner.open(`slipway-${at.world.me}`, 1);
  request.onupgradeneeded = () => {
    for (const name of ['chunks', 'rows', 'facts']) request.result.createObjectStore(name);
    request.result.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
  };
  const db = await answered(request);
  const transaction = db.transaction(['facts', 'outbox', 'rows'], 'readwrite');
  const facts = { viewer: null, cursor: 'a1b2.00000000000000000001', scope: null, asOf: null };
  transaction.objectStore('facts').put(facts, 'facts');
  for (const row of rows) transaction.objectStore('outbox').put(row);
  for (const [key, record] of Object.entries(records))
    transaction.objectStore('rows').put(record, key);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  db.close();
}

describe('[fault 17] an upgrade with changes waiting', () => {
  let at: Stored;

  beforeEach(() => {
    at = new Stored();
  });
  afterEach(() => at.close());

  async function outbox(): Promise<unknown[]> {
    const db = await answered(at.storage.inner.open(`slipway-${at.world.me}`));
    const rows = await answered(db.transaction('outbox').objectStore('outbox').getAll());
    db.close();
    return rows as unknown[];
  }

  it('migrates each in its place, and sends them in their order', async () => {
    await databaseOf1(at, [
      aRowOf1(at, 3, 'First'),
      aRowOf1(at, 7, 'Second', { dependsOn: [3], base: [{ name: 'First' }] }),
    ]);
    at.offline();
    const data = at.tab();
    await data.restored;
    expect(data.changes.view().rows.map(({ says }) => says[1].to)).to.deep.equal([
      'Second',
      'First',
    ]);
    const kept = (await outbox()) as { seq: number; schema: number; call: unknown }[];
    expect(kept.map(({ seq, schema, call }) => [seq, schema, call])).to.deep.equal([
      [3, LOCAL_SCHEMA, null],
      [7, LOCAL_SCHEMA, null],
    ]);
    at.online();
    await at.device.pass(4_000);
    await at.answered(data);
    expect(at.inServer()).to.equal('Second');
    expect(at.world.server.applied).to.have.length(2);
  });

  it('shows the records that were here, and fetches them afresh', async () => {
    const project = {
      ...(patchOf('project', at.world.project, recordOf('project', { name: 'Of old' })) as object),
      meta: { version: 1 },
    };
    await databaseOf1(at, [], { [`project:${at.world.project}`]: project });
    at.offline();
    const data = at.tab();
    await data.restored;
    expect(at.name(data)).to.equal('Of old');
    at.online();
    await at.device.pass(4_000);
    await until(() => at.name(data) === 'Harvest', 'the record');
    const [first] = at.world.server.requests.filter(({ path }) => path.includes('changes'));
    expect(first?.path).not.to.contain('since');
  });

  it('shows one that can’t be migrated with its values, and keeps it as it is', async () => {
    const odd = aRowOf1(at, 3, 'Mine', { schema: 0 });
    await databaseOf1(at, [
      odd,
      aRowOf1(at, 4, 'Depends', { dependsOn: [3] }),
      aRowOf1(at, 5, 'Good'),
    ]);
    const data = await at.level();
    await at.device.pass(60_000);
    const [held, unreadable] = data.changes.view().rows;
    expect(unreadable).to.deep.include({
      state: 'refused',
      isUnreadable: true,
      typed: { name: 'Mine' },
      about: { type: 'project', id: at.world.project },
    });
    expect(held?.state).to.equal('held');
    expect(data.changes.view()).to.include({ attention: 2, status: 'attention' });
    // A change that does not depend on it was sent.
    expect(at.inServer()).to.equal('Good');
    expect((await outbox())[0]).to.deep.equal(odd);
    const text = data.changes.exportText(unreadable?.id ?? '');
    expect(JSON.parse(text ?? '')).to.deep.equal(odd);
  });

  it('lets the person discard it, and think better of it', async () => {
    const odd = aRowOf1(at, 3, 'Mine', { schema: 0 });
    await databaseOf1(at, [odd]);
    at.offline();
    const data = at.tab();
    await data.restored;
    const [row] = data.changes.view().rows;
    const putBack = await data.changes.discard(row?.id ?? '');
    expect(data.changes.view().rows).to.deep.equal([]);
    expect(await outbox()).to.deep.equal([]);
    await putBack?.();
    expect(data.changes.view().rows).to.have.length(1);
    expect(await outbox()).to.deep.equal([odd]);
  });

  for (const [what, harm] of [
    ['no operations', { operations: 'none' }],
    ['an operation nobody knows', { operations: [{ op: 'replaceAll', record: {} }] }],
    ['a type that is gone', { operations: [{ op: 'removeRecord', record: { type: 'x', id: 1 } }] }],
    ['a state nobody knows', { state: 'pondering' }],
    ['no sentence', { says: null }],
    ['half of it missing', { base: undefined, undo: undefined }],
  ] as const)
    it(`starts with a change that has ${what}, and drops nothing`, async () => {
      await databaseOf1(at, [aRowOf1(at, 3, 'Mine', harm), aRowOf1(at, 4, 'Good')]);
      const data = await at.level();
      await turns(20);
      await at.device.pass(10_000);
      expect(at.inServer()).to.equal('Good');
      expect(data.changes.view().attention).to.equal(1);
      expect(await outbox()).to.have.length(2);
    });

  it('goes through every version between', () => {
    const row = aRowOf1(at, 3, 'Mine', { call: null, basedOn: null, undoes: null, schema: 1 });
    const steps = {
      1: (raw: object) => ({ ...raw, says: ['one', {}] }),
      2: (raw: { says?: unknown }) => ({ ...raw, says: [`${String(raw.says)} two`, {}] }),
    };
    const change = changeFrom(row, steps, 3);
    expect(change?.schema).to.equal(3);
    expect(change?.says[0]).to.match(/^one.* two$/);
    expect(changeFrom({ ...row, schema: 4 }, steps, 3)).to.equal(null);
  });
});
