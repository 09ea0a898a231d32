import { expect } from 'chai';
import { AtWork } from '../support/at-work.ts';
import { until } from '../support/device.ts';

describe('with hundreds of changes waiting', () => {
  let work: AtWork;
  let ids: string[];

  beforeEach(async () => {
    work = await AtWork.begin();
    ids = Array.from({ length: 300 }, (_, i) => work.world.addProject({ name: `P${i}` }));
    await until(() => work.name(ids[299]) !== undefined, 'the projects');
    await work.offline();
    for (const [i, id] of ids.entries()) if (i > 0) await work.rename(`Q${i}`, id);
  });
  afterEach(() => work.data.close());

  it('one more touches its own record alone', async () => {
    const notified = new Set<string>();
    for (const id of ids) work.data.records.subscribe('project', id, () => notified.add(id));
    const before = work.data.records.view('project', ids[5] ?? '');
    const [first = ''] = ids;
    await work.rename('Q0', first);
    expect([...notified]).to.deep.equal([first]);
    expect(work.data.records.view('project', ids[5] ?? '')).to.equal(before);
    expect(work.changes.waiting).to.equal(301);
  });

  it('all go in bodies of a hundred, each once, in their order', async () => {
    const changeIds = work.changes.rows.map(({ id }) => id).reverse();
    await work.online();
    await work.saved();
    expect(work.server.applied).to.deep.equal(changeIds);
    const bodies = work.server.requests.filter(({ path }) => path === '/api/operations');
    expect(bodies).to.have.length(3);
    expect(work.changes.rows).to.have.length(50);
  });
});
