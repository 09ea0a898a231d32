import { expect } from 'chai';
import { createProject, editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Of } from '#schema/index.ts';
import { Device, until } from '../support/device.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

describe('a change made here', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    world = aWorld();
    device = new Device(world.server);
    data = device.open(world.me);
    await until(() => data.viewerStatus.view() === 'ready', 'the viewer');
    await until(() => data.lists.open('project', {}).view().state === 'ready', 'the projects');
  });
  afterEach(() => data.close());

  const project = (id: string): Of<'project'> => {
    const { record } = data.records.view('project', id);
    if (record === null) throw new Error('The project is not here');
    return record;
  };
  const rename = (id: string, name: string): Promise<void> =>
    editProject(data, project(id), { name });
  const saved = (): Promise<void> =>
    until(
      () => data.changes.view().waiting === 0 && data.changes.view().status === 'saved',
      'saved',
    );
  const inServer = (id: string): unknown => world.server.get('project', id)?.attributes?.name;

  it('shows at once and arrives [R342]', async () => {
    await rename(world.project, 'Harvest 2');
    expect(project(world.project).name).to.equal('Harvest 2');
    await saved();
    expect(inServer(world.project)).to.equal('Harvest 2');
    expect(project(world.project).version).to.be.above(100);
  });

  it('survives a reload with the server away, and arrives when it is back [R342]', async () => {
    world.server.isDown = true;
    world.server.hangUp();
    await rename(world.project, '  Harvest 2 ');
    const id = await createProject(data, {
      name: 'Mango',
      language: 'fr-FR',
      organization: world.organization,
      group: world.group,
      type: world.type,
    });
    await rename(id, 'Mango 2');
    expect(data.changes.view().waiting).to.equal(2);
    await data.close();

    data = device.open(world.me);
    await data.restored;
    expect(project(world.project).name).to.equal('Harvest 2');
    expect(project(id)).to.include({ name: 'Mango 2', owner: world.me, isPublic: true });
    expect(data.changes.view()).to.include({ waiting: 2 });
    expect(data.changes.view().rows.map(({ says }) => says)).to.deep.equal([
      ['changes.project.create', { name: 'Mango 2' }],
      ['changes.project.rename', { from: 'Harvest', to: 'Harvest 2' }],
    ]);

    world.server.isDown = false;
    await device.pass(4_000);
    await saved();
    expect(inServer(world.project)).to.equal('Harvest 2');
    expect(inServer(id)).to.equal('Mango 2');
    expect(world.server.applied).to.have.length(2);
  });

  it('is applied once when its answer is lost', async () => {
    await until(() => world.server.requests.some(({ path }) => path.includes('since')), 'level');
    world.server.faults.push('cut-after');
    await rename(world.project, 'Harvest 2');
    await device.pass(1_500);
    await saved();
    expect(world.server.applied).to.have.length(1);
    expect(project(world.project).name).to.equal('Harvest 2');
  });
});
