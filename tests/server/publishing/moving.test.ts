import { expect } from 'chai';
import type { MachineShape } from '#protocol/workflow.ts';
import { workflowPaths } from '#protocol/workflow.ts';
import { testDatabase } from '../../support/database.ts';
import { EngineServer } from '../../support/engine.ts';
import { newId } from '../../support/make.ts';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { openPlace } from '../../engine/workshop.ts';
import type { Place } from '../../engine/workshop.ts';
import { inTown } from './in-town.ts';
import { Town } from './town.ts';
import type { Answer, Name } from './town.ts';

const MINUTE_MS = 60_000;
const [BUILD, SYNC, VERIFY] = ['Product Build', 'Synchronize Data', 'Verify and Publish'];

type Body = Readonly<Record<string, unknown>>;

interface Moving {
  readonly who?: Name;
  readonly key?: string;
}

async function moveIn(
  town: Town,
  product: string,
  body: Body,
  { who = 'super', key = newId() }: Moving = {},
): Promise<Answer> {
  const answer = await town.fetch(who, 'POST', workflowPaths.state(product), {
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: Buffer.from(JSON.stringify(body)),
  });
  return town.answerOf(answer);
}

const to = (state: string, from: string, comment = 'It hung') => ({ state, from, comment });

describe('[W62] a workflow that a super admin moves', () => {
  let town: Town;

  inTown((founded) => {
    town = founded;
  });

  async function aProject(): Promise<string> {
    const project = await town.project();
    expect((await town.upload(project)).status).to.equal(204);
    return project;
  }

  /** Makes a product whose first build is requested and not begun. */
  async function building(project?: string): Promise<string> {
    const product = await town.product(project ?? (await aProject()));
    await town.workOff();
    expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
    return product;
  }

  async function built(project?: string): Promise<string> {
    const product = await building(project);
    await town.workOff();
    expect(await town.state(product)).to.equal(VERIFY);
    return product;
  }

  const move = (product: string, body: Body, moving?: Moving) =>
    moveIn(town, product, body, moving);

  async function tasks(product: string) {
    const all = await town.all('userTask', { product });
    return all.map(({ user, status, commands, comment }) => [user, status, commands, comment]);
  }

  const builds = async (product: string) =>
    (await town.all('productBuild', { product })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

  it('goes there with a row of its own, and the tasks of that state', async () => {
    const product = await built();
    const answer = await move(product, to(SYNC, VERIFY, 'Not what was asked for'));
    expect([answer.status, answer.one.id, answer.one.attributes?.['workflow-state']]).to.deep.equal(
      [200, product, SYNC],
    );
    expect(await town.history(product)).to.deep.equal([
      [2, null, null, null, 'done'],
      [1, 'Product Creation', null, null, 'done'],
      [1, 'App Builder Configuration', 'Continue', null, 'done'],
      [1, BUILD, null, null, 'done'],
      [1, VERIFY, null, 'Not what was asked for', 'done'],
      [1, SYNC, 'Continue', null, 'to come'],
      [1, BUILD, null, null, 'to come'],
      [1, VERIFY, 'Approve', null, 'to come'],
      [1, 'Product Publish', null, null, 'to come'],
    ]);
    const rows = await town.all('productTransition', { product });
    const moved = rows.find(({ comment }) => comment === 'Not what was asked for');
    expect(moved?.workflowUserId).to.equal(town.people.super);
    expect(moved?.destinationState).to.equal(SYNC);
    expect(await tasks(product)).to.deep.equal([
      [town.people.owner, SYNC, ['Continue'], 'Not what was asked for'],
    ]);
    const told = (await town.told('owner')).at(-1);
    expect([told?.messageId, told?.messageValues?.status]).to.deep.equal(['userTaskAdded', SYNC]);
  });

  it('is really built again when it is moved to its build', async () => {
    const product = await built();
    expect((await move(product, to(BUILD, VERIFY))).status).to.equal(200);
    expect([await town.state(product), await tasks(product)]).to.deep.equal([BUILD, []]);
    await town.workOff();
    expect(await town.state(product)).to.equal(VERIFY);
    const versions = (await builds(product)).map((one) => [one.success, one.buildVersion]);
    expect(versions).to.deep.equal([
      [true, '1.0'],
      [true, '1.1'],
    ]);
    expect((await town.see('owner', 'products', product))['version-built']).to.equal('1.1');
  });

  it('leaves a build behind that was not begun, which then never is', async () => {
    const product = await building();
    await move(product, to(SYNC, BUILD));
    await town.workOff();
    expect(await town.state(product)).to.equal(SYNC);
    const [left] = await builds(product);
    expect([left?.success, left?.buildId]).to.deep.equal([false, null]);
    expect(await tasks(product)).to.deep.equal([
      [town.people.owner, SYNC, ['Continue'], 'It hung'],
    ]);
  });

  it('[W64] is not moved on by a build that was left while the engine was at it', async () => {
    const product = await building();
    await town.server.parts.jobs.untilIdle();
    await move(product, to(SYNC, BUILD));
    await town.workOff();
    expect(await town.state(product)).to.equal(SYNC);
    expect((await builds(product)).map(({ success }) => success)).to.deep.equal([true]);
    expect((await town.see('owner', 'products', product))['version-built']).to.equal(null);
  });

  it('[W64] begins the build that it stands in anew, and waits for that one alone', async () => {
    const product = await building();
    await town.server.parts.jobs.untilIdle();
    expect((await move(product, to(BUILD, BUILD))).status).to.equal(200);
    const [first, second, ...none] = await builds(product);
    expect(none).to.deep.equal([]);
    await town.workOff();
    expect(await town.state(product)).to.equal(VERIFY);
    const ended = await builds(product);
    expect(ended.map(({ id, success }) => [id, success])).to.deep.equal([
      [first?.id, true],
      [second?.id, true],
    ]);
    expect((await town.see('owner', 'products', product))['version-built']).to.equal(
      ended[1]?.buildVersion,
    );
  });

  it('lets its authors upload when it is moved to where they do, and not after', async () => {
    const of = await aProject();
    await town.add(
      'owner',
      'authors',
      {},
      { project: ['projects', of], user: ['users', town.people.author] },
    );
    const product = await built(of);
    const mayUpload = async () =>
      (await town.all('author', { project: of })).map(({ canUpload }) => canUpload);
    await move(product, to('Author Upload', VERIFY));
    expect(await mayUpload()).to.deep.equal([true]);
    expect(await tasks(product)).to.have.deep.members([
      [town.people.author, 'Author Upload', ['Continue'], 'It hung'],
      [town.people.owner, 'Author Upload', ['Take Back'], 'It hung'],
    ]);
    await move(product, to(VERIFY, 'Author Upload'));
    expect(await mayUpload()).to.deep.equal([false]);
  });

  it('is moved once, however often the same is asked', async () => {
    const product = await built();
    const key = newId();
    for (const status of [200, 200])
      expect((await move(product, to(BUILD, VERIFY), { key })).status).to.equal(status);
    expect(await builds(product)).to.have.length(2);
    const other = await move(product, to(SYNC, VERIFY), { key });
    expect(other.refusal).to.equal('change-id-reused');
  });

  it('moves while its project is put away too, and has tasks when that comes back', async () => {
    const of = await aProject();
    const product = await built(of);
    const put = (dateArchived: string | null) =>
      town.ask('admin', 'PATCH', `/api/projects/${of}`, {
        data: { type: 'projects', id: of, attributes: { 'date-archived': dateArchived } },
      });
    await put('2026-01-01T00:00:00.000Z');
    expect((await move(product, to(SYNC, VERIFY))).status).to.equal(200);
    expect([await town.state(product), await tasks(product)]).to.deep.equal([SYNC, []]);
    await put(null);
    expect(await tasks(product)).to.deep.equal([
      [town.people.owner, SYNC, ['Continue'], 'It hung'],
    ]);
  });

  describe('is refused', () => {
    let product: string;
    before(async () => {
      product = await built();
    });
    afterEach('nothing was written', async () => {
      expect(await town.state(product)).to.equal(VERIFY);
      expect(
        (await town.history(product)).filter(([, , , , when]) => when === 'done'),
      ).to.have.length(4);
    });

    it('to everybody else: where they see it as not theirs, else as nowhere', async () => {
      for (const who of ['admin', 'owner', 'author', 'member'] as const)
        expect((await move(product, to(SYNC, VERIFY), { who })).refusal, who).to.equal('forbidden');
      expect((await move(newId(), to(SYNC, VERIFY))).refusal).to.equal('not-found');
      expect((await move('no-id', to(SYNC, VERIFY))).refusal).to.equal('not-found');
    });

    it('when it is not where it was seen', async () => {
      const answer = await move(product, to(SYNC, BUILD));
      expect([answer.status, answer.refusal]).to.deep.equal([409, 'workflow-state-changed']);
      expect(answer.json.errors?.[0]?.meta).to.deep.equal({
        current: { 'workflow-state': VERIFY, commands: [] },
      });
    });

    for (const [what, state] of [
      ['that only the engine comes to', 'Product Publish'],
      ['that ends it', 'Published'],
      ['of another scheme', 'Make It Live'],
      ['of another type', 'Product Rebuild'],
      ['that there is not', 'Nowhere'],
    ] as const)
      it(`to a state ${what}`, async () => {
        const answer = await move(product, to(state, VERIFY));
        expect([answer.status, answer.refusal]).to.deep.equal([422, 'invalid/choice']);
        expect(answer.json.errors?.[0]?.source).to.deep.equal({ pointer: '/state' });
      });

    for (const [field, body, refusal] of [
      ['comment', to(SYNC, VERIFY, ' \n'), 'invalid/required'],
      ['comment', { state: SYNC, from: VERIFY }, 'invalid/required'],
      ['comment', to(SYNC, VERIFY, 'x'.repeat(4_001)), 'invalid/too-long'],
      ['comment', { ...to(SYNC, VERIFY), comment: 7 }, 'invalid/type'],
      ['state', { from: VERIFY, comment: 'It hung' }, 'invalid/required'],
      ['from', { state: SYNC, comment: 'It hung' }, 'invalid/required'],
    ] as const)
      it(`with ${refusal} of ${field}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const answer = await move(product, body);
        expect([answer.status, answer.refusal]).to.deep.equal([422, refusal]);
        expect(answer.json.errors?.[0]?.source).to.deep.equal({ pointer: `/${field}` });
      });

    it('without a body that can be read', async () => {
      expect((await town.ask('super', 'POST', workflowPaths.state(product), [])).refusal).to.equal(
        'invalid-document',
      );
    });
  });

  it('is no more once it has come to its end', async () => {
    const product = await built();
    await town.command('owner', product, 'Approve');
    await town.workOff();
    const answer = await move(product, to(VERIFY, 'Product Publish'));
    expect([answer.status, answer.refusal]).to.deep.equal([409, 'workflow-state-changed']);
    expect(answer.json.errors?.[0]?.meta).to.deep.equal({
      current: { 'workflow-state': null, commands: [] },
    });
    expect((await town.ask('super', 'GET', workflowPaths.machine(product))).refusal).to.equal(
      'not-found',
    );
  });

  it('is shown to super admins as the machine that it runs by', async () => {
    const product = await built();
    const shown = await town.ask('super', 'GET', workflowPaths.machine(product));
    const { scheme, starts, states, steps } = shown.json as unknown as MachineShape;
    expect([scheme, starts]).to.deep.equal([
      'AppBuilders_Default_Html_Cloud',
      ['Product Creation'],
    ]);
    expect(states.map(({ name, kind }) => [name, kind])).to.deep.include.members([
      ['Product Creation', 'engine'],
      [VERIFY, 'people'],
      ['Published', 'final'],
    ]);
    expect(states.filter(({ isMovable }) => isMovable).map(({ name }) => name)).to.have.members([
      'App Builder Configuration',
      'Author Configuration',
      BUILD,
      SYNC,
      'Author Download',
      'Author Upload',
      VERIFY,
    ]);
    expect(steps).to.deep.include.members([
      { from: VERIFY, to: 'Product Publish', who: 'Owner', given: 'Approve', direction: 'forward' },
      { from: BUILD, to: SYNC, who: null, given: 'build failed', direction: 'back' },
    ]);
    for (const { from, to: target } of steps)
      expect(states.map(({ name }) => name)).to.include.members([from, target]);
    const others = await town.ask('admin', 'GET', workflowPaths.machine(product));
    expect(others.refusal).to.equal('forbidden');
  });
});

describe('[W62] a workflow moved on before the engine has made its job', () => {
  let place: Place;
  let engine: EngineServer;
  let town: Town;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    place = openPlace((await testDatabase()).db);
    await place.bundled.open();
    engine = await EngineServer.start(place.bundled);
    const env = {
      BUILD_ENGINE_URL: engine.url,
      BUILD_ENGINE_TOKEN: engine.token,
      BUILD_ENGINE_HOSTS: '127.0.0.1',
    };
    town = await Town.found({ env }, place.bundled);
  });
  after(async () => {
    await town.stop();
    await engine.stop();
    await place.remove();
  });
  beforeEach(() => {
    engine.fault = 'none';
  });
  afterEach('no job broke', () => {
    expect(town.faults).to.deep.equal([]);
  });

  /** A product that waits for a job of the engine, which does not answer. */
  async function waiting(): Promise<string> {
    const project = await town.project();
    engine.fault = 500;
    const product = await town.product(project);
    await town.live(MINUTE_MS);
    expect(await town.state(product)).to.equal('Product Creation');
    return product;
  }

  it('to its build waits for the job, and is built', async () => {
    const product = await waiting();
    expect((await moveIn(town, product, to(BUILD, 'Product Creation'))).status).to.equal(200);
    await town.live(MINUTE_MS);
    expect(await town.state(product)).to.equal(BUILD);
    engine.fault = 'none';
    await town.live(10 * MINUTE_MS);
    await town.workOff();
    const [build] = await town.all('productBuild', { product });
    expect(build?.buildId).to.be.a('number');
    // There is nothing in the repository to build from.
    expect(await town.state(product)).to.equal(SYNC);
  });

  it('to its build has failed at it when the engine answers by the tenth time no more', async () => {
    const product = await waiting();
    await moveIn(town, product, to(BUILD, 'Product Creation'));
    await town.live(180 * MINUTE_MS);
    expect(await town.state(product)).to.equal(SYNC);
    const told = (await town.told('owner')).map(({ messageId }) => messageId);
    expect(told).to.include('buildFailedUnableToCreate');
  });

  it('to be published fails at once, for nothing was built', async () => {
    const product = await waiting();
    await moveIn(town, product, to(VERIFY, 'Product Creation'));
    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await town.state(product)).to.equal(SYNC);
  });
});
