import { expect } from 'chai';
import { editProject, setOwner } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Environment } from '#data/model/environment.ts';
import { Device, turns, until } from '../support/device.ts';
import { problem } from '../support/scripted-server.ts';
import { aSignal } from '../support/signal.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

const HOUR = 3_600_000;

describe('who was away', () => {
  let world: World;
  let device: Device;
  let data: Data;
  let second: string;

  beforeEach(async () => {
    world = aWorld();
    second = world.addProject({ name: 'Second' });
    device = new Device(world.server);
    data = device.open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    await turns(5);
  });
  afterEach(() => data.close());

  const project = (id = world.project) => {
    const found = data.find.one('project', id);
    if (found === null) throw new Error('The project is not here');
    return found;
  };
  const rename = (name: string, id = world.project) => editProject(data, project(id), { name });
  const onServer = (id = world.project) => world.server.get('project', id);
  const stateOf = (id: string) =>
    data.changes.view().rows.find(({ about }) => about.id === id)?.state;
  const leave = async (): Promise<void> => {
    world.server.isDown = true;
    world.server.hangUp();
    await turns(3);
  };
  const comeBack = async (): Promise<void> => {
    world.server.isDown = false;
    await device.pass(4_000);
  };
  /** Closes the tab, lets an hour pass, and opens it again. */
  const reopen = async (
    meanwhile: () => void,
    changes: Partial<Environment> = {},
  ): Promise<void> => {
    await data.close();
    meanwhile();
    device.now += HOUR;
    data = device.open(world.me, changes);
  };
  /** The first state that a screen would have rendered. */
  const firstDrawn = () =>
    new Promise<string[]>((resolve) => {
      const look = (): void => {
        if (data.viewerStatus.view() !== 'ready') return;
        end();
        resolve(data.find.all('project', {}).map(({ name }) => name));
      };
      const end = data.viewerStatus.subscribe(look);
      look();
    });

  it('[fault 31] longer than the feed is kept gets everything afresh behind what is shown', async () => {
    const third = world.addProject({ name: 'Third' });
    await leave();
    await rename('Mine');
    await rename('Mine too', second);
    await rename('Gone', third);
    const before = data.changes.view().rows.map(({ id }) => id);
    world.server.put('project', { id: second, name: 'Theirs' });
    world.server.take('project', third);
    const made = world.addProject({ name: 'Made meanwhile' });
    world.server.prune();
    let fewest = Infinity;
    const list = data.lists.open('project', {});
    const end = list.subscribe(() => (fewest = Math.min(fewest, list.view().rows.length)));
    await comeBack();
    await until(() => data.find.one('project', made) !== null, 'the working set');
    await until(() => data.changes.view().waiting === 0, 'a verdict on every change');
    expect(fewest, 'nothing is wiped').to.be.greaterThan(1);
    expect(onServer()?.attributes?.name).to.equal('Mine');
    expect(onServer(second)?.attributes?.name, 'not overwritten unseen').to.equal('Theirs');
    expect(stateOf(second)).to.equal('conflict');
    expect(stateOf(third)).to.equal('refused');
    expect(data.find.one('project', third)?.name ?? null).to.equal(null);
    const after = data.changes.view().rows.map(({ id }) => id);
    expect(after).to.have.members(before);
    end();
  });

  it('[fault 31] while another database took over gets that, however low its numbers', async () => {
    const follower = device.open(world.me);
    await until(() => follower.find.one('project', second) !== null, 'another tab');
    await leave();
    await rename('Mine');
    world.server.beRestored('c3d4');
    world.server.put('project', { id: second, name: 'As it was before' });
    await comeBack();
    for (const tab of [data, follower])
      await until(() => tab.find.one('project', second)?.name === 'As it was before', 'the old');
    await until(() => onServer()?.attributes?.name === 'Mine', 'the change');
    await until(() => data.changes.view().status === 'saved', 'saved');
    await follower.close();
    await reopen(() => (world.server.isDown = true));
    expect(await firstDrawn()).to.have.members(['Mine', 'As it was before']);
  });

  /** A device on which the first load did not come to its end. */
  const halfLoaded = async (): Promise<Device> => {
    const { fetch, hub } = world.server;
    const half = new Device({
      hub,
      fetch: (address, request) =>
        address.includes('since=')
          ? Promise.resolve(problem(503, 'unavailable'))
          : fetch(address, request),
    });
    const tab = half.open(world.me);
    await until(() => tab.find.one('project', second) !== null, 'what came');
    await tab.close();
    return half;
  };

  it('[fault 31] with half of a first load gets all of another database, however low its numbers', async () => {
    const half = await halfLoaded();
    world.server.isDown = true;
    const tabs = [half.open(world.me), half.open(world.me)];
    for (const tab of tabs)
      await until(() => tab.find.one('project', second) !== null, 'what the device kept');
    world.server.beRestored('c3d4');
    world.server.put('project', { id: second, name: 'As it was before' });
    half.network = world.server;
    world.server.isDown = false;
    await half.pass(4_000);
    for (const tab of tabs) {
      await until(() => tab.find.one('project', second)?.name === 'As it was before', 'the old');
      await tab.close();
    }
  });

  it('[fault 31] with half of a first load sends again what another database had answered', async () => {
    const half = await halfLoaded();
    const { fetch, hub } = world.server;
    const answer = aSignal();
    half.network = {
      hub,
      fetch: async (address, request) => {
        if (world.server.database === 'a1b2' && address.startsWith('/api/changes'))
          return problem(503, 'unavailable');
        const response = await fetch(address, request);
        if (world.server.applied.length === 1) await answer.given;
        return response;
      },
    };
    const tab = half.open(world.me);
    await tab.restored;
    const found = tab.find.one('project', second);
    if (found === null) throw new Error('The project is not here');
    await editProject(tab, found, { name: 'Mine' });
    await until(() => world.server.applied.length === 1, 'the change');
    world.server.beRestored('c3d4');
    world.server.put('project', { id: second, name: 'Second' });
    half.network = world.server;
    await half.pass(10_000);
    answer.give();
    await until(() => tab.changes.view().status === 'saved', 'saved');
    expect(onServer(second)?.attributes?.name).to.equal('Mine');
    expect(tab.find.one('project', second)?.version).to.equal(onServer(second)?.meta?.version);
    await tab.close();
  });

  it('[fault 34] draws nothing that was taken from them meanwhile', async () => {
    await leave();
    await rename('Typed before it was taken');
    await reopen(() => {
      world.server.take('project', world.project);
      world.server.isDown = false;
    });
    expect(await firstDrawn()).to.deep.equal(['Second']);
    const [row] = data.changes.view().rows;
    expect(row?.about.id).to.equal(world.project);
    expect(data.changes.exportText(row?.id ?? '')).to.include('Typed before it was taken');
    await until(() => data.changes.view().attention === 1, 'a verdict');
    expect(data.changes.exportText(row?.id ?? '')).to.include('Typed before it was taken');
  });

  it('[fault 34] draws what is here when nobody can say, and after a second in any case', async () => {
    await reopen(() => (world.server.isDown = true));
    expect(await firstDrawn()).to.have.members(['Harvest', 'Second']);

    const never = new Promise<never>(() => undefined);
    await reopen(() => (world.server.isDown = false), { fetch: () => never });
    await data.restored;
    expect(data.viewerStatus.view()).to.equal('starting');
    await device.pass(1_000);
    expect(data.viewerStatus.view()).to.equal('ready');
  });

  it('[fault 34] draws at once what was level a moment ago', async () => {
    await data.close();
    const never = new Promise<never>(() => undefined);
    data = device.open(world.me, { fetch: () => never });
    expect(await firstDrawn()).to.have.members(['Harvest', 'Second']);
  });

  it('[fault 34] and locked meanwhile sees the page for it, and can export what was typed [R322]', async () => {
    await leave();
    await rename('Typed before the lock');
    let drawn = false;
    await reopen(() => {
      world.server.isDown = false;
      for (let i = 0; i < 20; i += 1) world.server.faults.push(problem(403, 'user-locked'));
    });
    const end = data.viewerStatus.subscribe(() => (drawn ||= data.viewerStatus.view() === 'ready'));
    await until(() => data.viewerStatus.view() === 'user-locked', 'locked');
    await device.pass(60_000);
    expect(drawn).to.equal(false);
    const [row] = data.changes.view().rows;
    expect(row?.state).to.equal('waiting');
    expect(data.changes.exportText(row?.id ?? '')).to.include('Typed before the lock');
    end();
  });

  it('[fault 38] hears the next good message after one that does not fit [R396]', async () => {
    const record = onServer();
    if (record === undefined) throw new Error('The server lacks the project');
    const wrong = { ...record, attributes: { ...record.attributes, name: 7 } };
    const requests = world.server.requests.length;
    world.server.say({
      operations: [
        { op: 'update', data: wrong },
        {
          op: 'update',
          data: {
            ...onServer(second),
            meta: { version: 900 },
            attributes: { ...onServer(second)?.attributes, name: 'Fits' },
          },
        },
      ],
      meta: {
        cursor: world.server.cursorAt(900),
        previous: world.server.cursor,
        changes: [],
        more: false,
      },
    });
    expect(project(second).name, 'what fits shows').to.equal('Fits');
    await turns(5);
    expect(world.server.requests.slice(requests).map(({ path }) => path.slice(0, 12))).to.include(
      '/api/changes',
    );
    expect(device.reports.join()).to.include('project.name');
    world.server.put('project', { id: world.project, name: 'Good' });
    await until(() => project().name === 'Good', 'the next good message');
  });

  it('[fault 38] asks once more where a page or an answer does not fit', async () => {
    const garble = (path: string): Environment['fetch'] => {
      let isGarbled = false;
      return async (address, request) => {
        const answer = await world.server.fetch(address, request);
        if (isGarbled || !address.startsWith(path)) return answer;
        isGarbled = true;
        const text = (await answer.text()).replace('"name":"Good"', '"name":7');
        return new Response(text, { headers: answer.headers });
      };
    };
    await leave();
    world.server.put('project', { id: world.project, name: 'Good' });
    device.network = { hub: world.server.hub, fetch: garble('/api/changes') };
    await comeBack();
    await until(() => project().name === 'Good', 'the page, asked for again');
    expect(device.reports.join()).to.include('project.name');

    world.server.say = () => undefined;
    device.network = { hub: world.server.hub, fetch: garble('/api/operations') };
    await rename('Good', second);
    await until(() => data.changes.view().status === 'saved', 'saved');
    await until(() => project(second).name === 'Good', 'the answer, by the feed');
    expect(world.server.applied).to.have.length(1);
  });

  it('[fault 39] finds projects still naming an owner who is not visible any more', async () => {
    world.server.put('project', { id: second, owner: world.other });
    await until(() => project(second).owner === world.other, 'the owner');
    world.server.hide('user', world.other);
    await until(() => data.find.one('user', world.other) === null, 'the removal');
    expect(project(second).owner).to.equal(world.other);
    await rename('Renamed', second);
    await until(() => onServer(second)?.attributes?.name === 'Renamed', 'the name');
    await setOwner(data, project(second), world.me);
    const owner = () =>
      (onServer(second)?.relationships?.owner?.data as { id: string } | null | undefined)?.id;
    await until(() => owner() === world.me, 'the owner');
    expect(data.changes.view().attention, 'no false conflict').to.equal(0);

    world.server.hide('group', world.group);
    expect(data.find.one('group', world.group)).to.equal(null);
    expect(project(second).group).to.equal(world.group);
    await reopen(() => undefined);
    await until(() => data.find.one('project', second)?.group === world.group, 'after a reload');
  });
});
