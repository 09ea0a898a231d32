import { expect } from 'chai';
import { NotSavedError } from '#data/model/change.ts';
import { archive, editProject, reactivate, setSwitch } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { Operation } from '#protocol/operations.ts';
import { AtWork, refusal } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';

describe('changes of the same record', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  const mine = () => work.changes.rows.filter(({ about }) => about.id === work.world.project);
  const bodies = (): Operation[][] =>
    work.server.requests
      .filter(({ path }) => path === '/api/operations')
      .map(({ body }) => (JSON.parse(body) as { operations: Operation[] }).operations);
  const removeReviewer = (id: string): Promise<void> =>
    work.data.remove('reviewer', id, ['changes.project.edit', { name: 'Rosa' }]);

  it('that were never sent and write the same field are one, from what was seen first', async () => {
    await work.offline();
    for (const name of ['A', 'B', 'C']) await work.rename(name);
    expect(mine()).to.have.length(1);
    expect(mine()[0]?.says).to.deep.equal(['changes.project.rename', { from: 'Harvest', to: 'C' }]);
    await work.online();
    await work.saved();
    const sent = bodies()
      .flat()
      .find(({ ref }) => ref?.id === work.world.project);
    expect(sent?.meta?.base?.attributes).to.deep.equal({ name: 'Harvest' });
    await work.data.changes.undo(mine()[0]?.id ?? '');
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('asked for at the same moment follow one another, and never stand against each other', async () => {
    const edits = ['A', 'B'].map((name) => work.rename(name));
    await Promise.all(edits);
    await work.saved();
    const [first, ...later] = bodies()
      .flat()
      .filter(({ ref }) => ref?.id === work.world.project);
    expect(first?.meta?.base?.attributes).to.deep.equal({ name: 'Harvest' });
    for (const { meta } of later) expect(meta?.base?.attributes).to.deep.equal({ name: 'A' });
    expect(mine().filter(({ state }) => state !== 'done')).to.deep.equal([]);
    expect(work.inServer().name).to.equal('B');
  });

  it('are not made where somebody who has not looked again archives what is archived', async () => {
    const seen = [work.project()];
    for (const times of [1, 2]) {
      await archive(work.data, seen);
      expect(mine(), String(times)).to.have.length(1);
    }
    await work.saved();
    for (const times of [1, 2]) {
      await reactivate(work.data, seen);
      expect(mine(), String(times)).to.have.length(2);
    }
  });

  it('are not folded into one that was sent once, whatever came of it', async () => {
    work.server.faults.push('cut-before');
    await work.rename('A');
    await turns(5);
    const [first] = mine();
    await work.rename('B');
    expect(mine().map(({ says }) => says[1].to)).to.deep.equal(['B', 'A']);
    await work.device.pass(5_000);
    await work.saved();
    expect(work.server.applied[0]).to.equal(first?.id);
    expect(work.inServer().name).to.equal('B');
  });

  it('are not folded into one after which something else was done to the record', async () => {
    await work.offline();
    await work.rename('A');
    await setSwitch(work.data, work.project(), 'isPublic', false);
    await work.rename('B');
    expect(mine()).to.have.length(3);
    await work.online();
    await work.saved();
    expect(work.inServer()).to.include({ name: 'B', 'is-public': false });
    expect(work.server.applied).to.have.length(4);
  });

  it('never put one field into one body twice', async () => {
    await work.offline();
    for (const on of [false, true, false]) {
      await work.rename(`Name ${String(on)} ${work.changes.waiting}`);
      await setSwitch(work.data, work.project(), 'isPublic', on);
    }
    await work.online();
    await work.saved();
    for (const body of bodies()) {
      const fields = body.flatMap(({ data, ref }) =>
        Object.keys((data as { attributes?: object }).attributes ?? {}).map(
          (field) => `${ref?.id ?? ''}.${field}`,
        ),
      );
      expect(new Set(fields).size).to.equal(fields.length);
    }
    expect(work.inServer()['is-public']).to.equal(false);
  });

  it('go in their order, and nothing overtakes what has to wait for the next body', async () => {
    const second = work.world.addProject({ name: 'Another' });
    await until(() => work.name(second) !== undefined, 'another project');
    await work.offline();
    await work.rename('A');
    await setSwitch(work.data, work.project(), 'isPublic', false);
    await work.rename('B');
    await work.rename('Another 2', second);
    const changeIds = work.changes.rows.map(({ id }) => id).reverse();
    await work.online();
    await work.saved();
    expect(work.server.applied).to.deep.equal(changeIds);
  });

  it('go into a creation that was never sent', async () => {
    await work.offline();
    const id = await work.create();
    await work.rename('Mango 2', id);
    await setSwitch(work.data, work.project(id), 'isPublic', false);
    expect(work.changes.rows.filter(({ about }) => about.id === id)).to.have.length(1);
    expect(work.changeOf(id).says).to.deep.equal(['changes.project.create', { name: 'Mango 2' }]);
    await work.online();
    await work.saved();
    expect(work.inServer(id)).to.include({ name: 'Mango 2', 'is-public': false });
    expect(work.server.applied).to.have.length(2);
  });

  it('stay on their own where a creation cannot state them', async () => {
    await work.offline();
    const id = await work.create();
    await archive(work.data, [work.project(id)]);
    await work.rename('Mango 2', id);
    await work.online();
    await work.saved();
    expect(work.inServer(id)['date-archived']).to.equal(work.project(id).dateArchived);
    expect(work.inServer(id)['date-archived']).to.be.a('string');
    expect(work.inServer(id).name).to.equal('Mango 2');
  });

  it('cancel out: a creation never sent and its removal', async () => {
    await work.offline();
    const id = await work.addReviewer();
    await removeReviewer(id);
    expect(work.changes.rows).to.have.length(1);
    expect(work.data.find.one('reviewer', id)).to.equal(null);
    await work.online();
    await work.saved();
    expect(work.server.applied).to.have.length(1);
  });

  it('do not cancel out once the creation was sent', async () => {
    work.server.faults.push('cut-after');
    const id = await work.addReviewer();
    await turns(5);
    work.server.hangUp();
    await removeReviewer(id);
    await work.device.pass(5_000);
    await work.saved();
    expect(work.server.applied).to.have.length(2);
    expect(work.server.get('reviewer', id)).to.equal(undefined);
    expect(work.data.find.one('reviewer', id)).to.equal(null);
  });

  it('start from the server’s value where it made another of what was sent', async () => {
    work.server.faults.push('cut-before');
    await work.rename('A');
    await turns(5);
    await work.rename('B');
    expect(work.server.applied).to.deep.equal([]);
    work.server.alter = ({ name }) => ({ name: `${String(name)}, altered` });
    await work.device.pass(4_000);
    await work.saved();
    expect(work.changes.attention).to.equal(0);
    expect(work.inServer().name).to.equal('B, altered');
  });

  it('meet what others wrote before the answer as a conflict, and not as the server’s own', async () => {
    work.server.faults.push('cut-before');
    await work.rename('A');
    await turns(5);
    await work.rename('B');
    expect(work.server.applied).to.deep.equal([]);
    work.server.isHubDown = true;
    work.server.hangUp();
    work.server.beforeAnswer = () => {
      work.server.beforeAnswer = () => undefined;
      work.server.put('project', { id: work.world.project, name: 'Theirs' });
    };
    await work.device.pass(4_000);
    await work.answered();
    expect(work.inServer().name).to.equal('Theirs');
    expect(work.change('conflict').conflict).to.deep.equal([
      { field: 'name', was: 'A', mine: 'B', theirs: 'Theirs' },
    ]);
  });

  it('that were typed meanwhile are not lost when another tab takes the first to be sent', async () => {
    await work.offline();
    await work.rename('A');
    // The other tab leads from now on and tries at once.
    let attempts = 0;
    const fetch = (_: string, { method }: RequestInit) => {
      if (method === 'POST') attempts += 1;
      return Promise.reject<Response>(new TypeError('Failed to fetch'));
    };
    const other = work.device.open(work.world.me, { locks: null, channel: null, fetch });
    await until(() => attempts > 0, 'an attempt');
    await work.rename('B');
    expect(work.name()).to.equal('B');
    await other.close();
    await work.online();
    await work.saved();
    expect(work.inServer().name).to.equal('B');
  });
});

describe('[fault 9] changes that another tab made more of, or took back, without being heard', () => {
  let work: AtWork;
  let other: Data;

  beforeEach(async () => {
    work = await AtWork.begin();
    await work.offline();
    await work.rename('A');
    // It reads what is waiting; what it says afterwards never arrives.
    other = work.device.open(work.world.me, { channel: null });
    await other.restored;
    expect(other.find.one('project', work.world.project)?.name).to.equal('A');
  });
  afterEach(async () => {
    await other.close();
    await work.data.close();
  });

  it('are sent as they are on disk', async () => {
    const project = other.find.one('project', work.world.project);
    if (project !== null) await editProject(other, project, { name: 'B' });
    await work.online();
    await work.saved();
    expect(work.inServer().name).to.equal('B');
    expect(work.name()).to.equal('B');
  });

  it('are not sent, nor kept, once they were taken out', async () => {
    const row = other.changes.view().rows.find(({ about }) => about.id === work.world.project);
    await other.changes.undo(row?.id ?? '');
    await work.online();
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
    await until(() => work.name() === 'Harvest', 'the server value');
    await work.reload();
    expect(work.changes.rows).to.have.length(1);
  });

  it('go before what was done here after them', async () => {
    const project = other.find.one('project', work.world.project);
    if (project !== null) await setSwitch(other, project, 'isPublic', false);
    const [there] = other.changes.view().rows;
    await setSwitch(work.data, work.project(), 'allowDownloads', false);
    const [here] = work.changes.rows;
    await work.online();
    await work.answered();
    expect(work.server.applied.slice(-2)).to.deep.equal([there?.id, here?.id]);
    expect(work.inServer()).to.include({ 'is-public': false, 'allow-downloads': false });
  });

  it('keep what was made of them when news comes in between', async () => {
    const project = other.find.one('project', work.world.project);
    if (project !== null) await editProject(other, project, { name: 'B' });
    // The leading tab notes on the row what the server has.
    work.server.isDown = false;
    work.server.faults.push(
      ...Array<(body: string) => Response | null>(6).fill((body) =>
        body.includes('operations')
          ? problem(503, 'unavailable', {}, { 'Retry-After': '60' })
          : null,
      ),
    );
    work.server.put('project', { id: work.world.project, name: 'Theirs' });
    await work.device.pass(10_000);
    work.server.faults.length = 0;
    await work.device.pass(120_000);
    await work.answered();
    expect(work.change('conflict').conflict).to.deep.equal([
      { field: 'name', was: 'Harvest', mine: 'B', theirs: 'Theirs' },
    ]);
  });
});

describe('[fault 24] a change with a value that is not valid', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
    work.server.refuse = ({ data }) => {
      const { name } = (data as { attributes?: { name?: string } }).attributes ?? {};
      return name?.includes('!') === true
        ? refusal(422, 'invalid', {
            source: { pointer: '/data/attributes/name' },
            meta: { rule: 'choice' },
          })
        : null;
    };
  });
  afterEach(() => work.data.close());

  const refused = () => work.change('refused');
  const edit = (fields: Parameters<typeof editProject>[2]): Promise<void> =>
    editProject(work.data, work.project(), fields);

  it('keeps the message, its field and all that was typed', async () => {
    await edit({ name: 'Mine!', description: 'Typed for an hour' });
    await work.came('refused');
    expect(refused().problem).to.deep.include({
      code: 'invalid',
      source: { pointer: '/data/attributes/name' },
      meta: { rule: 'choice' },
    });
    expect(refused().typed).to.deep.equal({ name: 'Mine!', description: 'Typed for an hour' });
    expect(work.data.records.view('project', work.world.project).change).to.equal('refused');
    expect(work.name()).to.equal('Harvest');
    await work.reload();
    expect(refused().typed).to.deep.equal({ name: 'Mine!', description: 'Typed for an hour' });
  });

  it('is mended by an edit of its fields, which takes its place under a new id', async () => {
    await edit({ name: 'Mine!', description: 'Typed for an hour' });
    await work.came('refused');
    const { id } = refused();
    await edit({ name: 'Mine', description: 'Typed for an hour' });
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Mine', description: 'Typed for an hour' });
    expect(work.server.applied).to.not.include(id);
    expect(work.changes.rows.map(({ state }) => state)).to.deep.equal(['done']);
  });

  it('is mended with what was typed after it and held', async () => {
    work.server.faults.push('cut-before');
    await edit({ name: 'Mine!' });
    await turns(5);
    await edit({ name: 'Mine, second!', description: 'Typed later' });
    await work.device.pass(4_000);
    await work.came('held');
    await edit({ name: 'Mine at last' });
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Mine at last', description: 'Typed later' });
    await work.data.changes.undo(work.change('done').id);
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Harvest', description: null });
  });

  it('stays as it is when something else of the record is edited', async () => {
    await edit({ name: 'Mine!' });
    await work.came('refused');
    await setSwitch(work.data, work.project(), 'isPublic', false);
    await work.answered();
    expect(work.inServer()['is-public']).to.equal(false);
    expect(refused().typed).to.deep.equal({ name: 'Mine!' });
  });

  it('stays when the device cannot keep what is done with it, and that is said', async () => {
    await edit({ name: 'Mine!' });
    await work.came('refused');
    const { id } = refused();
    work.breakStorage();
    for (const action of ['tryAgain', 'discard'] as const) {
      const error: unknown = await work.data.changes[action](id).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(NotSavedError);
    }
    expect(refused().id).to.equal(id);
  });

  it('can be discarded, and that taken back', async () => {
    await edit({ name: 'Mine!' });
    await work.came('refused');
    const { id } = refused();
    const putBack = await work.data.changes.discard(id);
    expect(work.changes.attention).to.equal(0);
    await putBack?.();
    expect(refused().typed).to.deep.equal({ name: 'Mine!' });
    expect(refused().id).to.not.equal(id);
    await work.reload();
    expect(refused().typed).to.deep.equal({ name: 'Mine!' });
  });
});
