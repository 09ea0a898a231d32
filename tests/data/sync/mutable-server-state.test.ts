import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { Of } from '#schema/index.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import type { Device } from '../../support/device.ts';
import { resource } from '../../support/scripted-server.ts';
import { aSignal } from '../../support/signal.ts';
import type { World } from '../../support/world.ts';

describe('news', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    ({ world, device, data } = await AtWork.begin());
    await turns(5);
  });
  afterEach(() => data.close());

  const project = (id = world.project): Of<'project'> | null => data.find.one('project', id);
  const here = (): Of<'project'> => {
    const found = project();
    if (found === null) throw new Error('The project is not here');
    return found;
  };
  const shows = (name: string): Promise<void> =>
    until(() => project()?.name === name, `the name ${name}`);

  it('of someone else shows without a request [R19, R344]', () => {
    const before = world.server.requests.length;
    world.server.put('project', { id: world.project, name: 'Theirs' });
    expect(project()?.name).to.equal('Theirs');
    expect(world.server.requests.length).to.equal(before);
  });

  it('[fault 28] that was missed is caught up with', async () => {
    world.server.hangUp();
    world.server.put('project', { id: world.project, name: 'Missed' });
    await device.pass(3_000);
    await shows('Missed');
  });

  it('[fault 28] that the hub tells before the last page of a first load comes is not missed', async () => {
    const answer = aSignal();
    const { fetch, hub } = world.server;
    device.network = {
      hub,
      fetch: async (address, request) => {
        const response = await fetch(address, request);
        if (address.includes('since=')) await answer.given;
        return response;
      },
    };
    data.diagnostics.resync();
    await turns(5);
    const made = world.addProject({ name: 'Made meanwhile' });
    answer.give();
    await until(() => project(made) !== null, 'what the hub told');
  });

  it('that is older than what is here is dropped', () => {
    const { cursor } = world.server;
    const old = resource('project', world.project, { ...project(), name: 'Old' }, 1);
    const next = world.server.cursorAt(9_999);
    world.server.say({
      operations: [{ op: 'update', data: old }],
      meta: { cursor: next, previous: cursor, changes: [], more: false },
    });
    expect(project()?.name).to.equal('Harvest');
  });

  it('of a removal takes what is below, and leaves to-ones that point to it [R344]', () => {
    world.server.take('user', world.other);
    expect(data.find.one('user', world.other)).to.equal(null);
    expect(data.find.all('organizationMembership', { user: world.other })).to.be.empty;
    world.server.take('group', world.group);
    expect(project()?.group).to.equal(world.group);
    expect(data.records.view('group', world.group).state).to.equal('gone');
  });

  it('[fault 29] of our own change, before its answer, acknowledges it without a flicker', async () => {
    const names: (string | undefined)[] = [];
    data.records.subscribe('project', world.project, () => names.push(project()?.name));
    world.server.faults.push('cut-after');
    await editProject(data, here(), { name: 'Mine' });
    await device.pass(2_000);
    await until(() => data.changes.view().status === 'saved', 'saved');
    const since = names.slice(names.indexOf('Mine'));
    expect([...new Set(since)]).to.deep.equal(['Mine']);
    expect(world.server.applied).to.have.length(1);
    // It needs no answer any more, and so is not sent again.
    expect(world.server.requests.filter(({ path }) => path === '/api/operations')).to.have.length(
      1,
    );
  });

  it('[fault 31] of another database starts afresh and keeps what was done here', async () => {
    world.server.isDown = true;
    world.server.hangUp();
    await editProject(data, here(), { name: 'Mine' });
    world.server.database = 'ffff';
    const second = world.addProject({ name: 'Second' });
    world.server.isDown = false;
    await device.pass(20_000);
    await until(() => data.find.one('project', second) !== null, 'the new project');
    await until(() => data.changes.view().status === 'saved', 'saved');
    expect(world.server.get('project', world.project)?.attributes?.name).to.equal('Mine');
  });

  it('that is not in a fresh first load is gone', async () => {
    world.server.isDown = true;
    world.server.hangUp();
    world.server.records.delete(`projects/${world.project}`);
    world.server.database = 'ffff';
    world.server.isDown = false;
    await device.pass(20_000);
    await until(() => project() === null, 'the removal');
  });

  const good = (name: string) => ({
    op: 'update',
    data: resource('project', world.project, { ...project(), name }, 50_000),
  });
  const malformed: readonly (readonly [string, (cursor: string) => unknown])[] = [
    ['no JSON', () => '{"operations": ['],
    ['null', () => 'null'],
    ['a list', () => []],
    ['no meta', () => ({ operations: [] })],
    ['no operations', (cursor) => ({ meta: { cursor, previous: cursor, changes: [] } })],
    ['an unknown op', (cursor) => said(cursor, { op: 'replace', data: good('x').data })],
    ['an unknown type', (cursor) => said(cursor, { op: 'update', data: { type: 'x', id: 'y' } })],
    ['an operation that is null', (cursor) => said(cursor, null)],
    [
      'an attribute of another kind',
      (cursor) => {
        const { data: record } = good('x');
        return said(cursor, {
          op: 'update',
          data: { ...record, attributes: { ...record.attributes, 'is-public': 'yes' } },
        });
      },
    ],
    [
      'a to-one of another type',
      (cursor) => {
        const { data: record } = good('x');
        const owner = { data: { type: 'groups', id: world.group } };
        return said(cursor, {
          op: 'update',
          data: { ...record, relationships: { ...record.relationships, owner } },
        });
      },
    ],
  ];
  function said(previous: string, operation: unknown) {
    const cursor = `${previous.slice(0, -4)}8888`;
    return { operations: [operation], meta: { cursor, previous, changes: [], more: false } };
  }

  for (const [what, message] of malformed)
    it(`[fault 38] that is malformed (${what}) does not stop the next [R396, R397]`, async () => {
      world.server.say(message(world.server.cursor));
      await turns(5);
      expect(project()?.name).to.equal('Harvest');
      world.server.put('project', { id: world.project, name: 'Next' });
      await shows('Next');
      expect(device.reports).to.have.length.above(0);
    });
});
