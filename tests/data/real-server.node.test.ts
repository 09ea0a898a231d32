import { expect } from 'chai';
import { createProject, editProject } from '#data/actions/projects.ts';
import type { Data } from '#data/data.ts';
import { signalrHub } from '#data/live.ts';
import type { Of } from '#schema/index.ts';
import { Device, turns, until } from '../support/device.ts';
import { aMember, aProject } from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

describe('two people on our own server', () => {
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

  let isDown = false;
  let cutAnswers = 0;

  async function aTab(): Promise<{ readonly data: Data; readonly device: Device }> {
    const { db } = server.parts;
    const user = await aMember(db, project.organization, {
      roles: ['AppBuilder', 'OrganizationAdmin'],
      groups: [project.group],
    });
    const token = await tokenFor(server.parts, user.email ?? '');
    const device = new Device({
      fetch: async (address, request) => {
        if (isDown) throw new TypeError('down');
        const answer = await fetch(`${server.url}${address}`, request);
        if (address.endsWith('/operations') && cutAnswers > 0) {
          cutAnswers -= 1;
          throw new TypeError('cut');
        }
        return answer;
      },
      hub: (accessToken) => signalrHub(server.url, accessToken),
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
    const data = device.open(me.id);
    open.push(data);
    await until(
      () => data.lists.open('project', {}).view().asOf !== null,
      `first load; ${device.reports.join()}`,
    );
    return { data, device };
  }

  const nameIn = (data: Data, id: string) => data.find.one('project', id)?.name;

  it('see what the other does, also what was done offline, applied once', async () => {
    const { data: ana, device } = await aTab();
    const { data: ben } = await aTab();
    expect(nameIn(ben, project.id)).to.equal('Harvest');
    const harvest = ana.find.one('project', project.id);
    if (harvest === null) throw new Error('The project is not here');

    await editProject(ana, harvest, { name: 'Harvest 2' });
    await until(() => nameIn(ben, project.id) === 'Harvest 2', 'the news at Ben');
    await until(() => ana.changes.view().status === 'saved', 'saved');

    isDown = true;
    cutAnswers = 1;
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
    isDown = false;
    await device.pass(10_000);
    await until(() => nameIn(ben, id) === 'Mango', 'the new project at Ben');
    await until(() => nameIn(ben, project.id) === 'Harvest 3', 'the second news');
    await device.pass(10_000);
    await until(() => ana.changes.view().waiting === 0, 'answered');
    expect(ana.changes.view().attention).to.equal(0);
    expect(ana.find.one('project', project.id)?.version).to.equal(
      ben.find.one('project', project.id)?.version,
    );
    expect(device.reports).to.deep.equal([]);
  });
});
