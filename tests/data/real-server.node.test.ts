import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { createProject, editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import { signalrHub } from '#data/sync/hub.ts';
import type { Of } from '#schema/index.ts';
import { Device, turns, until, untilInTime } from '../support/device.ts';
import { aMember, aProject } from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

describe('two people on our own server', function () {
  this.timeout(180_000);

  let server: TestServer;
  let project: Of<'project'>;
  const open: Data[] = [];

  before(async () => {
    server = await startServer();
    project = await aProject(server.parts.db, { name: 'Harvest' });
  });
  after(async () => {
    await Promise.all(open.map((data) => data.close()));
    await server.stop();
  });

  /** The fault on the way to the server. */
  interface Way {
    isDown: boolean;
    cutAnswers: number;
  }

  async function aTab(): Promise<{
    readonly data: Data;
    readonly device: Device;
    readonly way: Way;
  }> {
    const way: Way = { isDown: false, cutAnswers: 0 };
    const { db } = server.parts;
    const user = await aMember(db, project.organization, {
      roles: ['AppBuilder', 'OrganizationAdmin'],
      groups: [project.group],
    });
    const token = await tokenFor(server.parts, user.email ?? '');
    const device = new Device({
      fetch: async (address, request) => {
        if (way.isDown) throw new TypeError('down');
        const answer = await fetch(`${server.url}${address}`, request);
        if (address.endsWith('/operations') && way.cutAnswers > 0) {
          way.cutAnswers -= 1;
          throw new TypeError('cut');
        }
        return answer;
      },
      hub: (accessToken) => signalrHub(server.url, accessToken, {}),
    });
    device.token = token;
    const who = await fetch(`${server.url}/api/users/current-user`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { data: me } = (await who.json()) as { data: { id: string } };
    if (me.id !== user.id)
      await aMember(db, project.organization, {
        user: me.id,
        groups: [project.group],
        roles: ['AppBuilder', 'OrganizationAdmin'],
      });
    // Ids of two people never meet.
    const data = device.open(me.id, { random: (bytes) => randomFillSync(bytes) });
    open.push(data);
    await until(
      () => data.lists.open('project', {}).view().asOf !== null,
      `first load; ${device.reports.join()}`,
    );
    return { data, device, way };
  }

  const nameIn = (data: Data, id: string) => data.find.one('project', id)?.name;

  it('see what the other does, also what was done offline, applied once [R19, R344]', async () => {
    const { data: ana, device, way } = await aTab();
    const { data: ben } = await aTab();
    expect(nameIn(ben, project.id)).to.equal('Harvest');
    const harvest = ana.find.one('project', project.id);
    if (harvest === null) throw new Error('The project is not here');

    await editProject(ana, harvest, { name: 'Harvest 2' });
    await until(() => nameIn(ben, project.id) === 'Harvest 2', 'the news at Ben');
    await until(() => ana.changes.view().status === 'saved', 'saved');

    way.isDown = true;
    way.cutAnswers = 1;
    await editProject(ana, { ...harvest, name: 'Harvest 2' }, { name: 'Harvest 3' });
    const id = await createProject(ana, {
      name: 'Mango',
      language: 'fr-FR',
      organization: project.organization,
      group: project.group,
      type: project.type,
    });
    await turns(5);
    expect(nameIn(ana, id)).to.equal('Mango');
    way.isDown = false;
    await untilInTime(device, () => nameIn(ben, id) === 'Mango', 'the new project at Ben');
    await until(() => nameIn(ben, project.id) === 'Harvest 3', 'the second news');
    await untilInTime(device, () => ana.changes.view().waiting === 0, 'answered');
    expect(ana.changes.view().attention).to.equal(0);
    expect(ana.find.one('project', project.id)?.version).to.equal(
      ben.find.one('project', project.id)?.version,
    );
    expect(device.reports).to.deep.equal([]);
  });

  const untilAnswered = (data: Data): Promise<void> =>
    until(() => data.changes.view().waiting === 0, 'every answer');
  const projectIn = (data: Data, id: string): Of<'project'> => {
    const found = data.find.one('project', id);
    if (found === null) throw new Error('The project is not here');
    return found;
  };

  it('[fault 22] see was, mine and theirs when both change a field, and either choice works', async () => {
    const { data: ana, device, way } = await aTab();
    const { data: ben } = await aTab();
    for (const choice of ['takeTheirs', 'keepMine'] as const) {
      const before = projectIn(ana, project.id).name;
      way.isDown = true;
      await editProject(ana, projectIn(ana, project.id), {
        name: `Mine, ${choice}`,
        description: `Typed, ${choice}`,
      });
      await editProject(ben, projectIn(ben, project.id), { name: `Theirs, ${choice}` });
      await untilAnswered(ben);
      way.isDown = false;
      await untilInTime(device, () => ana.changes.view().waiting === 0, 'answered');
      const row = ana.changes.view().rows.find(({ state }) => state === 'conflict');
      expect(row?.conflict).to.deep.equal([
        {
          field: 'name',
          was: before,
          mine: `Mine, ${choice}`,
          theirs: `Theirs, ${choice}`,
        },
      ]);
      expect(row?.other?.by).to.equal(ana.nameOf('user', ben.viewerId()));
      await ana.changes[choice](row?.id ?? '');
      await untilAnswered(ana);
      expect(ana.changes.view().attention).to.equal(0);
      const name = choice === 'keepMine' ? `Mine, ${choice}` : `Theirs, ${choice}`;
      const description = `Typed, ${choice}`;
      await until(() => projectIn(ben, project.id).description === description, description);
      await until(() => nameIn(ben, project.id) === name, name);
    }
  });

  it('[fault 25] see whose removal took the record above their change', async () => {
    const { data: ana, device, way } = await aTab();
    const { data: ben, device: there } = await aTab();
    const says = ['changes.project.edit', { name: 'Second' }] as const;
    const group = await ben.add(
      'group',
      { name: 'Second', abbreviation: 'S', owner: project.organization },
      says,
    );
    await until(() => ana.find.one('group', group) !== null, 'the group');
    way.isDown = true;
    await ana.edit('group', group, { name: 'Second, renamed' }, says);
    await ana.add('groupMembership', { group, user: ben.viewerId() }, says);
    await untilAnswered(ben);
    await ben.remove('group', group, says);
    await there.pass(9_000);
    await untilAnswered(ben);
    way.isDown = false;
    await untilInTime(device, () => ana.changes.view().waiting === 0, 'answered');
    const { rows, attention } = ana.changes.view();
    expect(attention).to.equal(2);
    const by = ana.nameOf('user', ben.viewerId());
    for (const { lostParent } of rows)
      expect(lostParent).to.deep.equal({ type: 'group', id: group, by });
  });

  it('undo what was done, made and removed', async () => {
    const { data: ana } = await aTab();
    const { data: ben } = await aTab();
    const undo = async (id: string): Promise<void> => {
      const row = ana.changes.view().rows.find(({ about }) => about.id === id);
      await ana.changes.undo(row?.id ?? '');
      await untilAnswered(ana);
    };
    const { organization, group, type, name } = projectIn(ana, project.id);
    const fields = { name: 'Papaya', language: 'fr-FR', organization, group, type };
    await editProject(ana, projectIn(ana, project.id), { name: 'Not for long' });
    await untilAnswered(ana);
    await undo(project.id);
    await until(() => nameIn(ben, project.id) === name, 'the name before');
    const id = await createProject(ana, fields);
    const rosa = { name: 'Rosa', email: 'rosa@example.org', project: id };
    const reviewer = await ana.add('reviewer', rosa, ['changes.project.edit', { name: 'Rosa' }]);
    await untilAnswered(ana);
    await ana.remove('reviewer', reviewer, ['changes.project.edit', { name: 'Rosa' }]);
    await untilAnswered(ana);
    await undo(reviewer);
    await until(() => ben.find.one('reviewer', reviewer)?.name === 'Rosa', 'the reviewer');
    await ana.changes.undo(ana.changes.view().rows.find(({ about }) => about.id === id)?.id ?? '');
    await until(() => projectIn(ben, id).dateArchived !== null, 'the archived project');
    expect(ana.changes.view().attention).to.equal(0);
  });
});
