import { expect } from 'chai';
import { markRead } from '#data/actions/notifications.ts';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { JSON_API } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { Device, turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';
import { aWorld } from '../../support/world.ts';
import type { World } from '../../support/world.ts';

const DAY = 86_400_000;

describe('a connection that is not what it should be', () => {
  let world: World;
  let device: Device;
  let open: Data[];
  let data: Data;

  beforeEach(async () => {
    world = aWorld();
    device = new Device(world.server);
    open = [];
    data = await openTab();
  });
  afterEach(async () => {
    for (const each of open) await each.close();
  });

  const openTab = async (): Promise<Data> => {
    const tab = device.open(world.me);
    open.push(tab);
    await until(() => tab.find.one('project', world.project) !== null, 'the project');
    await tab.restored;
    await turns(5);
    return tab;
  };
  const rename = async (name: string, id = world.project, tab = data): Promise<void> => {
    const project = tab.find.one('project', id);
    if (project === null) throw new Error('The project is not here');
    await editProject(tab, project, { name });
  };
  const nameOnServer = (id = world.project) => world.server.get('project', id)?.attributes?.name;
  const bodies = () =>
    world.server.requests
      .filter(({ path }) => path === '/api/operations')
      .map(({ body }) => JSON.parse(body) as { operations: { meta: { id: string } }[] })
      .map(({ operations }) => operations.map(({ meta }) => meta.id));
  const saved = () => until(() => data.changes.view().status === 'saved', 'saved');

  it('[fault 8] nothing is sent before what the device kept is shown', async () => {
    // So many, of a type read late, are read in parts long after the pending changes.
    const ids = Array.from({ length: 6_000 }, () =>
      world.server.put('notification', { user: world.me, message: 'Kept', dateRead: null }),
    );
    const told = ids.at(-1) ?? '';
    const full = new Device(world.server);
    const first = full.open(world.me);
    open.push(first);
    await first.restored;
    await until(() => first.find.one('notification', told) !== null, 'the notification');
    world.server.isDown = true;
    const notification = first.find.one('notification', told);
    if (notification !== null) await markRead(first, notification, 'Kept');
    await turns(5);
    await first.close();
    world.server.isDown = false;
    const shownWhenSent: unknown[] = [];
    const again = full.open(world.me, {
      fetch: (address, request) => {
        if (address === '/api/operations')
          shownWhenSent.push(again.find.one('notification', told)?.message);
        return world.server.fetch(address, request);
      },
    });
    open.push(again);
    await until(() => world.server.applied.length > 0, 'the change');
    expect(shownWhenSent).to.deep.equal(['Kept']);
  });

  it('[fault 19] a clock that jumps leaves the order and the waits as they were', async () => {
    const second = world.addProject({ name: 'Second' });
    world.server.isDown = true;
    await rename('First');
    device.clockOffMs -= DAY;
    await rename('Second 1', second);
    device.clockOffMs += 2 * DAY;
    await rename('First 2');
    device.clockOffMs -= DAY;
    const waiting = data.changes.view().rows.map(({ id }) => id);
    world.server.isDown = false;
    await device.pass(4_000);
    await saved();
    expect(bodies().flat().slice(-waiting.length)).to.deep.equal([...waiting].reverse());
    expect(nameOnServer()).to.equal('First 2');
  });

  it('[fault 19] a removal is not held for a day because the clock went back', async () => {
    const group = world.server.put('group', { name: 'Goes', owner: world.organization });
    await data.remove('group', group, ['changes.remove', { name: 'Goes' }]);
    await turns(5);
    expect(world.server.get('group', group), 'it can still be undone').not.to.equal(undefined);
    device.clockOffMs -= DAY;
    await device.pass(limits.removalHeldMs);
    await until(() => world.server.get('group', group) === undefined, 'the removal');
  });

  it('[fault 20] 401 in mid-queue pauses; the same person goes on from the same row [R333]', async () => {
    world.server.isDown = true;
    await rename('One');
    world.server.isDown = false;
    const refuse = () => problem(401, 'not-signed-in');
    world.server.faults.push(refuse(), refuse());
    data.changes.sendNow();
    await until(() => data.changes.view().status === 'sign-in', 'sign-in');
    const [id] = bodies().at(-1) ?? [];
    expect(data.viewerStatus.view(), 'the page stays').to.equal('ready');
    await rename('Two');
    await device.pass(600_000);
    const count = bodies().length;
    await device.pass(600_000);
    expect(bodies(), 'nothing is sent meanwhile').to.have.length(count);
    device.signIn('fresh');
    await saved();
    expect(bodies()[count]?.[0]).to.equal(id);
    expect(world.server.applied).to.have.length(2);
    expect(nameOnServer()).to.equal('Two');
  });

  it('[fault 26] Retry-After is obeyed, whatever the person does meanwhile', async () => {
    await openTab();
    world.server.faults.push(problem(429, 'too-many-requests', {}, { 'Retry-After': '120' }));
    await rename('Patient');
    await device.pass(60_000);
    data.changes.sendNow();
    await rename('Patient too');
    await device.pass(59_000);
    expect(bodies()).to.have.length(1);
    expect(data.changes.view().status).to.equal('offline');
    await device.pass(2_000);
    await saved();
    expect(nameOnServer()).to.equal('Patient too');
  });

  it('[fault 26] ten minutes of 500 cost a few requests, of many tabs together [R333, R374]', async () => {
    const tabs = [data, await openTab(), await openTab()];
    let fails = 0;
    const broken = new Response(JSON.stringify({ errors: [{ code: 'internal', status: '500' }] }), {
      status: 500,
      headers: { 'Content-Type': JSON_API },
    });
    device.network = {
      hub: world.server.hub,
      fetch: (address, request) => {
        if (device.now >= end) return world.server.fetch(address, request);
        fails += 1;
        return Promise.resolve(broken.clone());
      },
    };
    const end = device.now + 600_000;
    for (const [i, tab] of tabs.entries()) {
      await rename(`Tab ${i}`, world.project, tab);
      await turns(5);
    }
    await device.pass(600_000);
    expect(fails).to.be.within(10, 40);
    await device.pass(61_000);
    await saved();
    expect(nameOnServer()).to.equal('Tab 2');
  });

  it('[fault 28] hub messages out of order, repeated and missing leave the right state [R344]', async () => {
    const second = world.addProject({ name: 'Second' });
    const name = (id = world.project) => data.find.one('project', id)?.name;
    await until(() => name(second) === 'Second', 'the second project');
    const messages: unknown[] = [];
    const say = world.server.say.bind(world.server);
    world.server.say = (message) => {
      messages.push(message);
    };
    for (const [id, name] of [
      [world.project, '1'],
      [world.project, '2'],
      [second, '3'],
      [world.project, '4'],
    ] as const)
      world.server.put('project', { id, name });
    const [one, two, , four] = messages;
    world.server.say = say;
    for (const message of [two, one, one, four, two, '{"operations":', { operations: {} }])
      world.server.say(message);
    await until(() => name() === '4', 'the last state');
    await until(() => name(second) === '3', 'what no message told');
    world.server.say({
      operations: [
        { op: 'move', data: {} },
        { op: 'update', data: { type: 'unheard-of', id: 'x' } },
      ],
      meta: {
        cursor: world.server.cursorAt(999),
        previous: world.server.cursor,
        changes: [],
        more: false,
      },
    });
    await until(
      () => device.reports.some((text) => text.includes('op is not a valid')),
      'a report',
    );
    world.server.put('project', { id: world.project, name: 'Good again' });
    await until(() => name() === 'Good again', 'the next good message');
    const { errors } = await data.diagnostics.snapshot();
    expect(errors.map(({ why }) => why)).to.include('type unheard-of');
  });

  it('[fault 32] the hub comes back by itself, subscribes and catches up [R343, R346]', async () => {
    world.server.hangUp();
    await device.pass(1_000);
    world.server.isDown = true;
    world.server.hangUp();
    await device.pass(20_000);
    world.server.isDown = false;
    world.server.put('project', { id: world.project, name: 'Missed' });
    await device.pass(4_000);
    const name = () => data.find.one('project', world.project)?.name;
    await until(() => name() === 'Missed', 'what was missed');
    await until(() => data.changes.view().status === 'saved', 'saved');
    world.server.put('project', { id: world.project, name: 'Live' });
    expect(name()).to.equal('Live');
  });

  it('[fault 32] a hub that never connects costs little, and news comes all the same', async () => {
    const count = world.server.requests.length;
    device.network = {
      fetch: world.server.fetch,
      hub: () => ({ ...world.server.hub(), start: () => Promise.reject(new Error('blocked')) }),
    };
    world.server.hangUp();
    world.server.put('project', { id: world.project, name: 'Polled' });
    await device.pass(10_000);
    expect(data.find.one('project', world.project)?.name).to.equal('Polled');
    expect(data.changes.view().status).to.equal('saved');
    await device.pass(50_000);
    expect(world.server.requests.length - count).to.be.within(10, 40);
    expect((await data.diagnostics.snapshot()).connection).to.equal('connecting');
  });

  it('[fault 43] a message that comes before its subscription is answered is not believed: the database may have been restored meanwhile', async () => {
    const second = world.addProject({ name: 'Second' });
    const isThere = () => data.find.one('project', second) !== null;
    await until(isThere, 'the second project');
    world.server.hide('project', second);
    await until(() => !isThere(), 'that it is not visible any more');
    const { cursor } = world.server;
    let isSubscribed = false;
    device.network = {
      hub: () => {
        const hub = world.server.hub();
        const invoke = async (method: string, channel: unknown): Promise<unknown> => {
          const subscription = await hub.invoke(method, channel);
          world.server.put('project', { id: world.project, name: 'Told early' });
          isSubscribed = true;
          return subscription;
        };
        return { ...hub, invoke };
      },
      fetch: (address, request) => {
        if (!address.endsWith(`since=${cursor}`)) return world.server.fetch(address, request);
        // The restored database never hid the project: it does not know the device's cursor.
        return isSubscribed
          ? Promise.resolve(problem(410, 'cursor-expired', { reason: 'other-database' }))
          : Promise.reject(new TypeError('Failed to fetch'));
      },
    };
    world.server.hangUp();
    await device.pass(10_000);
    expect(isSubscribed).to.equal(true);
    expect(data.find.one('project', world.project)?.name).to.equal('Told early');
    expect(isThere(), 'what the restored database has').to.equal(true);
  });

  it('[fault 37] an hour without an answer to a refresh keeps nobody from working', async () => {
    device.tokenFails = true;
    await rename('Offline');
    device.isVisible = false;
    device.pageChanged();
    await device.pass(3_600_000);
    device.isVisible = true;
    device.pageChanged();
    expect(data.changes.view().status).to.equal('offline');
    expect(data.viewerStatus.view()).to.equal('ready');
    await rename('Still working');
    expect(data.find.one('project', world.project)?.name).to.equal('Still working');
    device.tokenFails = false;
    await device.pass(4_000);
    await saved();
    expect(nameOnServer()).to.equal('Still working');
  });
});
