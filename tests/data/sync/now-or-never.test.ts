import { expect } from 'chai';
import { machineOf, preparedMove } from '#data/actions/workflows.ts';
import type { OnlineResult } from '../../../src/data/model/views.ts';
import { JSON_API } from '#protocol/document.ts';
import { workflowPaths } from '#protocol/workflow.ts';
import { AtWork } from '../../support/at-work.ts';
import { problem } from '../../support/scripted-server.ts';

const MOVE = { state: 'Synchronize Data', comment: 'It hung', from: 'Product Build' };
const SHAPE = { scheme: 'AppBuilders_Default_Html_Cloud', starts: [], states: [], steps: [] };

/** A version later than all that the server has sent. */
const NEXT = 1_000;

describe('what needs a connection', () => {
  let work: AtWork;
  let product: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    product = work.server.put('product', {
      project: work.world.project,
      workflowState: 'Product Build',
    });
    await work.saved();
  });
  afterEach(() => work.data.close());

  const state = () => work.data.find.one('product', product)?.workflowState;
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': status < 400 ? 'application/json' : JSON_API },
    });
  /** The product after the move; the feed has not brought it. */
  const moved = (version: unknown = NEXT) => {
    const record = work.server.get('product', product);
    const attributes = { ...record?.attributes, 'workflow-state': 'Synchronize Data' };
    return json({ data: { ...record, attributes, meta: { version } } });
  };
  const sent = () => work.server.requests.filter(({ path }) => path.includes('/workflow'));

  it('is asked at once, and what is told is no record', async () => {
    work.server.faults.push(json(SHAPE));
    expect(await machineOf(work.data, product)).to.deep.equal({ is: 'told', value: SHAPE });
    expect(sent().map(({ path }) => path)).to.deep.equal([workflowPaths.machine(product)]);
    expect(work.changes.rows).to.deep.equal([]);
  });

  it('takes in the record of its answer as all answers are', async () => {
    work.server.faults.push(moved());
    const result = await preparedMove(work.data, product, MOVE).send();
    expect(result.is).to.equal('told');
    expect(state()).to.equal('Synchronize Data');
    const [request] = sent();
    expect(request?.path).to.equal(workflowPaths.state(product));
    expect(JSON.parse(request?.body ?? '')).to.deep.equal(MOVE);
    expect(work.changes.rows).to.deep.equal([]);
  });

  it('leaves out what does not fit, and is done all the same', async () => {
    work.server.faults.push(moved('new'));
    expect((await preparedMove(work.data, product, MOVE).send()).is).to.equal('told');
    expect(state()).to.equal('Product Build');
    expect(work.device.reports).to.have.length(1);
  });

  it('is refused with the reason, and leaves nothing behind', async () => {
    work.server.faults.push(problem(409, 'workflow-state-changed'));
    const result = await preparedMove(work.data, product, MOVE).send();
    expect(result.is === 'refused' && result.problem.code).to.equal('workflow-state-changed');
    expect(state()).to.equal('Product Build');
    expect(work.changes.rows).to.deep.equal([]);
  });

  it('waits for nothing without an answer, and is the same when it is sent again', async () => {
    const prepared = preparedMove(work.data, product, MOVE);
    const result: OnlineResult<unknown>[] = [];
    for (const fault of ['cut-after', 'portal', json({ errors: [] }, 503), moved()] as const) {
      work.server.faults.push(fault);
      result.push(await prepared.send());
    }
    expect(result.map(({ is }) => is)).to.deep.equal([
      'no-answer',
      'no-answer',
      'no-answer',
      'told',
    ]);
    const keys = sent().map(({ headers }) => headers['Idempotency-Key']);
    expect(keys).to.have.length(4);
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.be.a('string');
  });

  it('is another one when it says something else', () => {
    const prepared = preparedMove(work.data, product, MOVE);
    expect(prepared.isOf({ ...MOVE })).to.equal(true);
    expect(prepared.isOf({ ...MOVE, comment: 'It hung again' })).to.equal(false);
  });

  it('asks for signing in where that is what is missing', async () => {
    work.device.token = null;
    expect(await machineOf(work.data, product)).to.deep.equal({ is: 'no-answer' });
    expect(work.changes.status).to.equal('sign-in');
  });

  it('closes everything to who has been locked meanwhile', async () => {
    work.server.faults.push(problem(403, 'user-locked'));
    expect((await machineOf(work.data, product)).is).to.equal('refused');
    expect(work.data.viewerStatus.view()).to.equal('user-locked');
  });
});
