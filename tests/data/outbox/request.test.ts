import { expect } from 'chai';
import { runTogether, startableIn } from '#data/actions/products.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { AtWork, refusal } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';
import { aSignal } from '../../support/signal.ts';

const DAY_MS = 86_400_000;

describe('a request', () => {
  let work: AtWork;
  let product: string;
  let task: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    product = work.server.put('product', {
      project: work.world.project,
      workflowState: 'Approval',
    });
    task = work.server.put('userTask', {
      user: work.world.me,
      product,
      status: 'Approval',
      commands: ['Approve'],
    });
    await until(() => work.data.find.one('userTask', task) !== null, 'the task');
  });
  afterEach(() => work.data.close());

  const approve = (): Promise<string> =>
    work.data.add(
      'taskCommand',
      { command: 'Approve', comment: 'Looks good', state: 'Approval', userTask: task },
      ['changes.project.edit', { name: 'Harvest' }],
      { basedOn: { record: { type: 'userTask', id: task }, values: { status: 'Approval' } } },
    );
  const request = () => {
    const row = work.changes.rows.find(({ isRequest }) => isRequest);
    if (row === undefined) throw new Error('There is no request');
    return row;
  };
  const accepted = (): string[] =>
    work.server.requests.map(({ body }) => body).filter((body) => body.includes('task-commands'));

  it('is sent like any change, and shows on what it is about until it is', async () => {
    await work.offline();
    await approve();
    expect(request()).to.deep.include({ state: 'waiting', about: { type: 'userTask', id: task } });
    expect(work.data.records.view('userTask', task).change).to.equal('waiting');
    await work.online();
    await work.saved();
    expect(accepted()).to.have.length(1);
    expect(work.data.records.view('userTask', task).change).to.equal(null);
    expect(work.device.reports).to.deep.equal([]);
  });

  it('can be undone while it was never sent, and not after', async () => {
    await work.offline();
    await approve();
    expect(request().canUndo).to.equal(true);
    await work.data.changes.undo(request().id);
    await approve();
    await work.online();
    await work.saved();
    expect(accepted()).to.have.length(1);
    expect(request()).to.include({ state: 'done', canUndo: false });
    await work.data.changes.undo(request().id);
    expect(work.changes.waiting).to.equal(0);
  });

  it('is refused with what was typed when the workflow has moved on', async () => {
    work.server.refuse = () => refusal(409, 'workflow-state-changed');
    await approve();
    await work.came('refused');
    expect(request().typed).to.include({ command: 'Approve', comment: 'Looks good' });
  });

  it('that waited for more than a day asks the person; what comes after it goes on', async () => {
    await work.offline();
    await approve();
    await work.rename('Mine');
    work.device.now += DAY_MS + 1;
    work.server.put('userTask', { id: task, status: 'Product Build' });
    await work.online();
    await work.answered();
    expect(request().state).to.equal('confirm');
    expect(request().basis).to.deep.equal([
      { field: 'status', then: 'Approval', now: 'Product Build' },
    ]);
    expect(accepted()).to.deep.equal([]);
    expect(work.inServer().name).to.equal('Mine');
    expect(work.data.records.view('userTask', task).change).to.equal('confirm');
    await work.reload();
    expect(request().state).to.equal('confirm');
  });

  it('that is confirmed is sent as a new change, and is new then', async () => {
    await work.offline();
    await approve();
    work.device.now += DAY_MS + 1;
    await work.online();
    await work.came('confirm');
    const { id, madeAt } = request();
    await work.data.changes.confirm(id);
    await work.saved();
    expect(accepted()).to.have.length(1);
    expect(accepted()[0]).to.not.include(id);
    expect(Date.parse(request().madeAt)).to.be.above(Date.parse(madeAt));
  });

  it('that was taken to be sent within a day needs no confirmation', async () => {
    work.server.faults.push('cut-before');
    await approve();
    await turns(5);
    work.device.now += DAY_MS + 1;
    await work.device.pass(5_000);
    await work.saved();
    expect(accepted()).to.have.length(1);
  });

  it('made while nobody answers was never sent: it can be undone, and asks after a day', async () => {
    work.server.isDown = true;
    work.device.isOnline = false;
    work.device.pageChanged();
    await approve();
    await work.device.pass(60_000);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
    await work.reload();
    await work.device.pass(60_000);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
    // The network is there again, and the server is not.
    work.device.isOnline = true;
    work.device.pageChanged();
    await work.device.pass(60_000);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
    work.device.now += DAY_MS;
    await work.online();
    await work.came('confirm');
    expect(accepted()).to.deep.equal([]);
  });

  it('is sent where the browser says that there is no network and the server answers', async () => {
    work.device.isOnline = false;
    work.device.pageChanged();
    await approve();
    await work.saved();
    expect(accepted()).to.have.length(1);
  });

  it('is not taken to be sent while the server says that it is not ready', async () => {
    work.device.isOnline = false;
    work.server.answer = (path) =>
      path === paths.ready ? Promise.resolve(problem(503, 'unavailable')) : null;
    await approve();
    await turns(5);
    expect(accepted()).to.deep.equal([]);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
    work.server.answer = () => null;
    await work.device.pass(10_000);
    await work.saved();
    expect(accepted()).to.have.length(1);
  });

  it('is not taken to be sent while a server that was silent puts off what it is asked', async () => {
    work.server.isDown = true;
    work.server.hangUp();
    await work.device.pass(5_000);
    const { network } = work.device;
    const asked: string[] = [];
    work.device.network = {
      hub: network.hub,
      fetch: (address) => {
        asked.push(address);
        return Promise.resolve(problem(503, 'unavailable'));
      },
    };
    await approve();
    await work.device.pass(20_000);
    expect(asked).to.include(paths.ready).and.not.include(paths.operations);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
    work.device.network = network;
    work.server.isDown = false;
    await work.device.pass(60_000);
    await work.saved();
    expect(accepted()).to.have.length(1);
  });

  it('is not taken to be sent where the person has to sign in before there is an answer', async () => {
    const ready = aSignal();
    work.device.isOnline = false;
    work.server.answer = (path) =>
      path === paths.ready
        ? ready.given.then(() => problem(404, 'not-found'))
        : Promise.resolve(problem(401, 'not-signed-in'));
    await approve();
    work.server.hangUp();
    await until(() => work.changes.status === 'sign-in', 'the sign-in');
    ready.give();
    await turns(5);
    expect(request()).to.include({ state: 'waiting', canUndo: true });
  });

  it('of a day exactly goes, an edit of any age goes', async () => {
    await work.offline();
    await approve();
    await work.rename('Mine');
    work.device.now += limits.requestConfirmAfterMs - 20_000;
    await work.online();
    await work.saved();
    expect(accepted()).to.have.length(1);
    await work.offline();
    await work.rename('Mine, much later');
    work.device.now += 30 * DAY_MS;
    await work.online();
    await work.saved();
    expect(work.inServer().name).to.equal('Mine, much later');
  });

  describe('that is a call', () => {
    const path = '/api/product-actions/run';
    const run = (): Promise<string> =>
      work.data.call(
        {
          method: 'POST',
          path,
          body: { action: 'rebuild', products: [product] },
          about: [{ type: 'product', id: product }],
        },
        ['changes.project.edit', { name: 'Harvest' }],
      );
    const calls = () => work.server.requests.filter((request) => request.path === path);

    it('is kept, sent alone with its id, and done [R331]', async () => {
      await work.offline();
      await work.rename('Before');
      await run();
      await work.rename('After');
      expect(request()).to.deep.include({ about: { type: 'product', id: product } });
      const { id } = request();
      await work.reload();
      await work.online();
      await work.saved();
      expect([...work.server.called]).to.deep.equal([
        [id, { path, body: { action: 'rebuild', products: [product] } }],
      ]);
      expect(work.inServer().name).to.equal('After');
    });

    it('without an answer is sent again with the same id', async () => {
      work.server.faults.push('cut-after');
      await run();
      await turns(5);
      await work.device.pass(10_000);
      await work.saved();
      const keys = calls().map(({ headers }) => headers['Idempotency-Key']);
      expect(keys).to.have.length(2);
      expect(new Set(keys).size).to.equal(1);
    });

    it('is refused with its reason, and tried again as a new one', async () => {
      work.server.faults.push(problem(409, 'action-not-allowed', { reason: 'running' }));
      await run();
      await work.came('refused');
      expect(request().problem?.code).to.equal('action-not-allowed');
      const { id } = request();
      await work.data.changes.tryAgain(id);
      await work.saved();
      expect(calls().at(-1)?.headers['Idempotency-Key']).to.not.equal(id);
      expect(work.device.reports.join()).to.not.include('whole body');
    });

    it('shows on all that it is about, and opens from each of them', async () => {
      const second = work.server.put('product', { project: work.world.project });
      await until(() => work.data.find.one('product', second) !== null, 'the second product');
      const meta = { refused: [{ id: second, code: 'forbidden', reason: null }] };
      work.server.faults.push(problem(409, 'action-not-allowed', meta));
      const id = await runTogether(work.data, [product, second], 'rebuild');
      await work.came('refused');
      expect(request()).to.deep.include({
        id,
        says: ['changes.products.rebuild', { count: '2' }],
      });
      expect(request().touched.map((one) => one.id)).to.deep.equal([product, second]);
      expect(work.data.records.view('product', second).change).to.equal('refused');
    });
  });

  describe('that would be one of many', () => {
    it('is asked for before, and unknown without an answer', async () => {
      const answer = { rebuild: [product] };
      work.server.faults.push(
        new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } }),
      );
      const may = await startableIn(work.data, [work.world.project]);
      expect(may).to.deep.equal(answer);
      work.server.faults.push(problem(403, 'forbidden'));
      expect(await startableIn(work.data, [work.world.project])).to.equal(null);
      await work.offline();
      expect(await startableIn(work.data, [work.world.project])).to.equal(null);
    });
  });
});
