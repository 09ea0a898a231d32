import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { LOCAL_SCHEMA } from '#data/storage/migrate.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import type { Device } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';
import { Tab } from '../../support/tab.ts';
import type { World } from '../../support/world.ts';

describe('the view for developers', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    ({ world, device, data } = await AtWork.begin());
    await turns(5);
  });
  afterEach(() => data.close());

  const rename = async (name: string): Promise<void> => {
    const project = data.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(data, project, { name });
  };

  it('says where this device stands', async () => {
    const { errors, ...snapshot } = await data.diagnostics.snapshot();
    expect(snapshot).to.deep.include({
      localSchema: LOCAL_SCHEMA,
      cursor: world.server.cursor,
      scope: null,
      asOf: new Date(device.now).toISOString(),
      isLeading: true,
      connection: 'connected',
      changes: {},
      storage: { usedBytes: 1_000, grantedBytes: 1_000_000, isPersistent: false },
    });
    expect(snapshot.records).to.include({ project: 1, user: 2, organization: 1 });
    expect(errors).to.deep.equal([]);
    world.server.isDown = true;
    await device.pass(1_000);
    world.server.hangUp();
    await turns(5);
    await rename('Offline');
    expect((await data.diagnostics.snapshot()).storage.isPersistent).to.equal(true);
  });

  it('says in a tab that follows how the leading one is connected', async () => {
    const second = new Tab(device, world.me);
    await until(() => second.data.find.one('project', world.project) !== null, 'the second tab');
    const hubStatus = async () => (await second.data.diagnostics.snapshot()).connection;
    await turns(5);
    expect(await second.data.diagnostics.snapshot()).to.include({
      isLeading: false,
      transport: null,
    });
    expect(await hubStatus()).to.equal('connected');
    world.server.isDown = true;
    world.server.hangUp();
    await turns(5);
    expect(await hubStatus()).to.equal('connecting');
    second.kill();
  });

  it('keeps the last 50 errors, the newest first', async () => {
    for (let i = 0; i < 60; i += 1) world.server.say('{');
    world.server.say({ operations: [], meta: {} });
    const { errors } = await data.diagnostics.snapshot();
    expect(errors).to.have.length(50);
    expect(errors[0]).to.deep.equal({
      at: new Date(device.now).toISOString(),
      what: 'A hub message is malformed',
      why: '27 characters',
    });
  });

  it('fetches everything afresh on request, without taking anything from the screen', async () => {
    await data.close();
    // A copy that is wrong in every way and does not know it.
    data = device.open(world.me);
    await until(() => data.find.one('project', world.project) !== null, 'the copy');
    await turns(5);
    world.server.isDown = true;
    await rename('Mine');
    const gone = world.addProject({ name: 'Unheard' });
    world.server.isDown = false;
    let fewest = Infinity;
    const list = data.lists.open('project', {});
    const end = list.subscribe(() => (fewest = Math.min(fewest, list.view().rows.length)));
    const requestCount = world.server.requests.length;
    data.diagnostics.resync();
    await until(() => data.find.one('project', gone) !== null, 'what it had not heard of');
    await until(() => data.changes.view().waiting === 0, 'the change is sent');
    expect(fewest).to.be.greaterThan(0);
    expect(world.server.requests.slice(requestCount).map(({ path }) => path)).to.include(
      '/api/changes',
    );
    expect(world.server.get('project', world.project)?.attributes?.name).to.equal('Mine');
    end();
  });

  it('asks the leading tab to fetch everything afresh', async () => {
    const second = new Tab(device, world.me);
    await until(() => second.data.find.one('project', world.project) !== null, 'the second tab');
    await turns(5);
    const requestCount = world.server.requests.length;
    second.data.diagnostics.resync();
    await turns(10);
    expect(world.server.requests.slice(requestCount).map(({ path }) => path)).to.include(
      '/api/changes',
    );
    second.kill();
  });

  it('gives a file for support without tokens, addresses or anything that was typed', async () => {
    device.token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    world.server.isDown = true;
    await rename('Typed by a person');
    world.server.isDown = false;
    world.server.faults.push(problem(400, 'invalid-document', { typed: 'Typed by a person' }));
    await device.pass(10_000);
    const environment = device.environment();
    const broken = new Tab(device, world.me, {
      hub: () => ({
        ...world.server.hub(),
        on: () => {
          throw new Error(`Token ${device.token ?? ''} of ana@hill.test, "Typed by a person"`);
        },
      }),
      locks: null,
      channel: null,
      report: environment.report,
    });
    await until(() => broken.data.find.one('project', world.project) !== null, 'the tab');
    await turns(5);
    for (const { diagnostics } of [data, broken.data]) {
      const file = await diagnostics.supportFile();
      expect(file).to.include('"cursor"').and.include('changes.');
      for (const secret of ['Typed', 'Harvest', 'Ana', 'hill.test', 'eyJ', 'Bearer'])
        expect(file).not.to.include(secret);
    }
    expect((await broken.data.diagnostics.snapshot()).errors.map(({ what }) => what)).to.include(
      'The hub connection failed',
    );
    broken.kill();
  });
});
