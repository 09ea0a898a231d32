import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import { Device, turns, until } from '../support/device.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

describe('[fault 33] two people on one device [R44]', () => {
  let world: World;
  let device: Device;
  let ana: Data;

  beforeEach(async () => {
    world = aWorld();
    device = new Device(world.server);
    ana = await signIn(world.me);
    world.server.isDown = true;
    const project = ana.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(ana, project, { name: 'By Ana' });
    await turns(5);
  });

  const signIn = async (user: string): Promise<Data> => {
    const data = device.open(user);
    await data.restored;
    if (!world.server.isDown)
      await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    return data;
  };
  const nameOnServer = () => world.server.get('project', world.project)?.attributes?.name;
  const bodies = () => world.server.requests.filter(({ path }) => path === '/api/operations');

  it('one leaves with changes waiting, is told how many, and the other sees and sends nothing', async () => {
    expect(ana.changes.view()).to.include({ waiting: 1 });
    await ana.close();
    world.server.isDown = false;
    const ben = await signIn(world.other);
    await device.pass(60_000);
    expect(ben.changes.view()).to.include({ waiting: 0, attention: 0 });
    expect(ben.changes.view().rows).to.deep.equal([]);
    expect(ben.find.one('project', world.project)?.name).to.equal('Harvest');
    expect(bodies()).to.deep.equal([]);
    await ben.clear();

    ana = await signIn(world.me);
    await until(() => nameOnServer() === 'By Ana', 'the change, when she is back');
    await until(() => ana.changes.view().status === 'saved', 'saved');
    expect(world.server.applied).to.have.length(1);
    await ana.close();
  });

  it('one may send first', async () => {
    world.server.isDown = false;
    ana.changes.sendNow();
    await until(() => ana.changes.view().waiting === 0, 'the change');
    expect(nameOnServer()).to.equal('By Ana');
    await ana.clear();
  });

  it('one may discard, and nothing of it is left or sent, in any tab', async () => {
    const second = await signIn(world.me);
    await until(() => second.changes.view().waiting === 1, 'the change in the other tab');
    await ana.clear();
    await turns(5);
    world.server.isDown = false;
    await device.pass(60_000);
    ana = await signIn(world.me);
    await device.pass(60_000);
    expect(ana.changes.view().rows).to.deep.equal([]);
    expect(nameOnServer()).to.equal('Harvest');
    expect(bodies()).to.deep.equal([]);
    await ana.close();
  });
});

describe('[sync 6] the connection for news', () => {
  it('starts with who is signed in, and stops when they sign out [R232]', async () => {
    const world = aWorld();
    const { hub } = world.server;
    const did: string[] = [];
    const watched: typeof hub = () => {
      const connection = hub();
      return {
        ...connection,
        start: async () => {
          await connection.start();
          did.push('start');
        },
        stop: () => {
          did.push('stop');
          return connection.stop();
        },
      };
    };
    Object.assign(world.server, { hub: watched });
    const device = new Device(world.server);
    await device.pass(60_000);
    expect(did).to.deep.equal([]);

    const data = device.open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    expect(did).to.deep.equal(['start']);
    world.server.put('project', { id: world.project, name: 'Heard' });
    await until(() => data.find.one('project', world.project)?.name === 'Heard', 'the news');

    await data.clear();
    await device.pass(60_000);
    expect(did[1]).to.equal('stop');
    expect(did.lastIndexOf('start')).to.equal(0);
  });
});
