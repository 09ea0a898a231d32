import { expect } from 'chai';
import { archive, createProject, editProject, setSwitch } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import type { Device } from '../../support/device.ts';
import { anId, problem } from '../../support/scripted-server.ts';
import type { World } from '../../support/world.ts';

describe('what the server says to a change', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    ({ world, device, data } = await AtWork.begin());
  });
  afterEach(() => data.close());

  const project = (id = world.project): Of<'project'> => {
    const { record } = data.records.view('project', id);
    if (record === null) throw new Error('The project is not here');
    return record;
  };
  const rename = (name: string, id = world.project): Promise<void> =>
    editProject(data, project(id), { name });
  const changes = () => data.changes.view();
  const came = (state: string): Promise<void> =>
    until(() => changes().rows.some((row) => row.state === state), state);
  const inServer = (id = world.project): unknown =>
    world.server.get('project', id)?.attributes?.name;
  const create = (): Promise<string> =>
    createProject(data, {
      name: 'Mango',
      language: 'fr-FR',
      organization: world.organization,
      group: world.group,
      type: world.type,
    });
  const forbidden = () => [{ id: anId(), status: '403', code: 'forbidden', title: 'You may not' }];

  it('[fault 21] a refused change shows the server value, its reason, and lets others go on', async () => {
    const second = world.addProject({ name: 'Second' });
    await until(() => data.find.one('project', second) !== null, 'the second project');
    world.server.refuse = ({ ref }) => (ref?.id === world.project ? forbidden() : null);
    await rename('Mine');
    await rename('Second 2', second);
    await came('refused');
    await until(() => changes().waiting === 0, 'all answered');
    expect(project().name).to.equal('Harvest');
    expect(changes()).to.include({ status: 'attention', attention: 1 });
    expect(changes().rows[0]?.problem?.code).to.equal('forbidden');
    expect(data.records.view('project', world.project).change).to.equal('refused');
    expect(inServer(second)).to.equal('Second 2');
  });

  it('a refused change survives a reload, and tried again it goes as a new one', async () => {
    world.server.refuse = forbidden;
    await rename('Mine');
    await came('refused');
    const refused = changes().rows[0]?.id ?? '';
    await data.close();
    data = device.open(world.me);
    await data.restored;
    expect(project().name).to.equal('Harvest');
    expect(JSON.parse(data.changes.exportText(refused) ?? '')).to.have.nested.property(
      'operations[0].record.attributes.name',
      'Mine',
    );
    world.server.refuse = () => null;
    await data.changes.tryAgain(refused);
    expect(project().name).to.equal('Mine');
    await came('done');
    expect(inServer()).to.equal('Mine');
    expect(world.server.applied).to.not.include(refused);
  });

  it('a refused change that is discarded leaves nothing', async () => {
    world.server.refuse = forbidden;
    await rename('Mine');
    await came('refused');
    await data.changes.discard(changes().rows[0]?.id ?? '');
    expect(changes()).to.include({ status: 'saved', attention: 0 });
    expect(data.records.view('project', world.project).change).to.equal(null);
  });

  it('[fault 22] a field that someone else changed is a conflict; nothing is overwritten', async () => {
    world.server.isDown = true;
    world.server.hangUp();
    await rename('Mine');
    world.server.put('project', { id: world.project, name: 'Theirs' });
    world.server.isDown = false;
    await device.pass(10_000);
    await came('conflict');
    expect(inServer()).to.equal('Theirs');
    await until(() => project().name === 'Theirs', 'the server value');
    await data.changes.tryAgain(changes().rows[0]?.id ?? '');
    await came('done');
    expect(inServer()).to.equal('Mine');
  });

  it('[fault 30] news about another field of an edited record shows, and does not conflict', async () => {
    world.server.isDown = true;
    await rename('Mine');
    world.server.put('project', { id: world.project, language: 'fr-FR' });
    await until(() => project().language === 'fr-FR', 'the news');
    expect(project().name).to.equal('Mine');
    world.server.isDown = false;
    await device.pass(10_000);
    await came('done');
    expect(world.server.get('project', world.project)?.attributes).to.include({
      name: 'Mine',
      language: 'fr-FR',
    });
  });

  it('what depends on a refused creation is held, and goes with it when it is tried again', async () => {
    world.server.faults.push(() => problem(503, 'unavailable', {}, { 'Retry-After': '5' }));
    const id = await create();
    await turns(5);
    world.server.refuse = ({ op }) => (op === 'add' ? forbidden() : null);
    await rename('Mango 2', id);
    await setSwitch(data, project(id), 'isPublic', false);
    await device.pass(6_000);
    await came('refused');
    await came('held');
    expect(changes()).to.include({ waiting: 0 });
    expect(changes().attention).to.be.above(1);
    expect(world.server.get('project', id)).to.equal(undefined);

    world.server.refuse = () => null;
    const refused = changes().rows.find((row) => row.state === 'refused');
    await data.changes.tryAgain(refused?.id ?? '');
    await until(() => changes().status === 'saved', 'saved');
    expect(world.server.get('project', id)?.attributes).to.include({
      name: 'Mango 2',
      'is-public': false,
    });
  });

  it('two edits of one field go one after the other, the second from what the first wrote', async () => {
    world.server.faults.push('cut-before');
    await rename('One');
    await turns(5);
    await rename('Two');
    await device.pass(4_000);
    await until(() => changes().status === 'saved', 'saved');
    expect(inServer()).to.equal('Two');
    expect(world.server.applied).to.have.length(2);
  });

  it('edits of a field that was never sent are one change', async () => {
    world.server.isDown = true;
    await archive(data, [project()]);
    await turns(5);
    const second = world.addProject({ name: 'Second' });
    await until(() => data.find.one('project', second) !== null, 'the second project');
    for (const name of ['A', 'B', 'C']) await rename(name, second);
    expect(changes().waiting).to.equal(2);
    expect(changes().rows[0]?.says).to.deep.equal([
      'changes.project.rename',
      { from: 'Second', to: 'C' },
    ]);
  });

  it('[fault 4] a captive portal, half an answer and 500 are no verdict; the same id is sent again [R333, R374]', async () => {
    for (const fault of ['portal', 'half', problem(500, 'internal')] as const) {
      world.server.faults.push(fault);
      await rename(`After ${typeof fault === 'string' ? fault : '500'}`);
      await turns(5);
      await device.pass(65_000);
      await until(() => changes().status === 'saved', 'saved');
    }
    expect(new Set(world.server.applied).size).to.equal(world.server.applied.length);
    expect(inServer()).to.equal('After 500');
  });

  it('[fault 20] stops at 401, asks to sign in, and goes on from the same row [R333]', async () => {
    world.server.faults.push(
      problem(401, 'not-signed-in'),
      problem(401, 'not-signed-in'),
      problem(401, 'not-signed-in'),
    );
    await rename('Mine');
    await until(() => changes().status === 'sign-in', 'sign-in');
    expect(project().name).to.equal('Mine');
    world.server.faults.length = 0;
    device.signIn();
    await until(() => changes().status === 'saved', 'saved');
    expect(inServer()).to.equal('Mine');
  });

  it('[fault 26] obeys Retry-After', async () => {
    world.server.faults.push(problem(429, 'too-many-requests', {}, { 'Retry-After': '30' }));
    await rename('Mine');
    await turns(5);
    await device.pass(29_000);
    expect(inServer()).to.equal('Harvest');
    await device.pass(2_000);
    await until(() => changes().status === 'saved', 'saved');
  });

  it('[fault 23] reads back what has our id: if it is what was wanted, it is done', async () => {
    world.server.isDown = true;
    const id = await create();
    world.server.put('project', { ...data.find.one('project', id), version: 0 });
    world.server.isDown = false;
    await device.pass(10_000);
    await until(() => changes().status === 'saved', 'saved');
    expect(changes().attention).to.equal(0);
  });

  it('a body that is refused whole is split until the culprit is alone', async () => {
    world.server.isDown = true;
    await rename('Culprit');
    const other = await create();
    world.server.isDown = false;
    const refuse = (body: string) =>
      body.includes('Culprit') ? problem(400, 'invalid-document') : null;
    for (let i = 0; i < 6; i += 1) world.server.faults.push(refuse);
    await device.pass(10_000);
    await came('refused');
    await until(() => world.server.get('project', other) !== undefined, 'the other change');
  });

  it('a value that is not valid is refused before anything is kept', async () => {
    const error: unknown = await rename('x'.repeat(300)).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProblemError);
    expect((error as ProblemError).problem.source?.pointer).to.equal('/data/attributes/name');
    expect(changes().waiting).to.equal(0);
  });

  it('[fault 34] a locked user is told so, and their changes are kept', async () => {
    world.server.faults.push(problem(403, 'user-locked'));
    await rename('Mine');
    await until(() => data.viewerStatus.view() === 'user-locked', 'locked');
    expect(changes().waiting).to.equal(1);
  });
});
