import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Environment, SignalRConnection } from '#data/model/environment.ts';
import { Device, turns, until } from '../support/device.ts';
import { Tab } from '../support/tab.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

/** A bug of ours, as a component may meet it. */
const bug = (): never => {
  throw new Error('A bug');
};

describe('a piece that fails [R398]', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(() => {
    world = aWorld();
    device = new Device(world.server);
  });
  afterEach(() => data.close());

  const openTab = async (changes: Partial<Environment> = {}): Promise<void> => {
    data = device.open(world.me, changes);
    await until(() => data.find.one('project', world.project) !== null, 'the project');
    await turns(5);
  };
  const rename = async (name: string, tab = data): Promise<void> => {
    const project = tab.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(tab, project, { name });
  };
  const nameOnServer = () => world.server.get('project', world.project)?.attributes?.name;
  const status = (tab = data) => tab.changes.view().status;
  const name = (tab = data) => tab.find.one('project', world.project)?.name;
  /** Lets the store's listeners meet a bug with the next `times` batches. */
  const breakMerging = (tab: Data, times: number): (() => number) => {
    let left = times;
    tab.facade.on('transform', () => {
      if (left > 0) {
        left -= 1;
        bug();
      }
    });
    return () => left;
  };

  it('is started again: the sender', async () => {
    await openTab();
    const say = world.server.say.bind(world.server);
    world.server.say = () => undefined;
    world.server.faults.push(() => {
      breakMerging(data, 2);
      return null;
    });
    await rename('Sent in the end');
    await until(() => status() === 'problem', 'the problem');
    expect(nameOnServer(), 'the answer is what could not be taken in').to.equal('Sent in the end');
    world.server.say = say;
    await device.pass(30_000);
    expect(status()).to.equal('saved');
    expect(world.server.applied).to.have.length(1);
  });

  it('is started again: the merge, behind a hub message', async () => {
    await openTab();
    const left = breakMerging(data, 2);
    world.server.put('project', { id: world.project, name: 'News' });
    await until(() => status() === 'problem', 'the problem');
    await device.pass(30_000);
    expect(left()).to.equal(0);
    await until(() => name() === 'News', 'the news');
    world.server.put('project', { id: world.project, name: 'More news' });
    await until(() => name() === 'More news', 'more news');
    await device.pass(10_000);
    expect(status()).to.equal('saved');

    await data.close();
    world.server.isDown = true;
    await openTab();
    expect(name(), 'also on disk').to.equal('More news');
  });

  it('is started again: the merge, in a tab that follows', async () => {
    await openTab();
    const second = new Tab(device, world.me);
    await until(() => name(second.data) !== undefined, 'the second tab');
    await turns(5);
    breakMerging(second.data, 1);
    world.server.put('project', { id: world.project, name: 'News' });
    await until(() => status(second.data) === 'problem', 'the problem');
    await device.pass(10_000);
    await until(() => name(second.data) === 'News', 'the news');
    expect(status(second.data)).to.equal('saved');
    second.kill();
  });

  it('is started again: what hears the hub', async () => {
    let fails = 2;
    await openTab({
      hub: (): SignalRConnection => ({
        ...world.server.hub(),
        ...(fails-- > 0 ? { on: bug } : {}),
      }),
    });
    await until(() => status() === 'problem', 'the problem');
    await device.pass(30_000);
    expect(status()).to.equal('saved');
    expect((await data.diagnostics.snapshot()).connection).to.equal('connected');
    world.server.put('project', { id: world.project, name: 'Live' });
    await until(() => name() === 'Live', 'the news');
  });

  it('is started again: what reads the feed', async () => {
    await openTab();
    let fails = 2;
    const fetch: Environment['fetch'] = (address, request) => {
      if (address.startsWith('/api/changes') && fails-- > 0) {
        const page = { operations: [null, 7], meta: { cursor: 'x', more: false } };
        return Promise.resolve(new Response(JSON.stringify(page), { headers: jsonApi }));
      }
      return world.server.fetch(address, request);
    };
    device.network = { hub: world.server.hub, fetch };
    world.server.isDown = true;
    world.server.hangUp();
    world.server.put('project', { id: world.project, name: 'Missed' });
    world.server.isDown = false;
    await device.pass(30_000);
    expect(name()).to.equal('Missed');
    expect(status()).to.equal('saved');
  });

  it('says so where an answer to a question cannot be taken in', async () => {
    await openTab();
    world.server.put('productTransition', { product: null });
    breakMerging(data, 1);
    const list = data.lists.open('productTransition', {});
    const end = list.subscribe(() => undefined);
    await until(() => status() === 'problem', 'the problem');
    end();
    expect(device.reports).to.include('An answer could not be taken in: Error: A bug');
  });
});

const jsonApi = { 'Content-Type': 'application/vnd.api+json' };
