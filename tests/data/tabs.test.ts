import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '#data/data.ts';
import { Device, until } from '../support/device.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

describe('[fault 9] two tabs of one user', () => {
  let world: World;
  let device: Device;
  let first: Data;
  let second: Data;

  beforeEach(async () => {
    world = aWorld();
    device = new Device(world.server);
    first = device.open(world.me);
    await until(() => first.lists.open('project', {}).view().asOf !== null, 'the first load');
    await first.restored;
    second = device.open(world.me);
    await until(() => second.find.one('project', world.project) !== null, 'the second tab');
  });
  afterEach(async () => {
    await first.close();
    await second.close();
  });

  const nameIn = (data: Data) => data.find.one('project', world.project)?.name;
  const rename = async (data: Data, name: string): Promise<void> => {
    const project = data.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(data, project, { name });
  };
  const saved = (data: Data) =>
    until(() => data.changes.view().waiting === 0 && data.changes.view().attention === 0, 'saved');

  it('send through one, and both show what either did', async () => {
    await rename(second, 'From the second');
    await until(() => nameIn(first) === 'From the second', 'the change in the first tab');
    await saved(second);
    await saved(first);
    expect(world.server.applied).to.have.length(1);
    await rename(first, 'From the first');
    await until(() => nameIn(second) === 'From the first', 'the change in the second tab');
    await saved(second);
    expect(world.server.applied).to.have.length(2);
  });

  it('hear the news through one', async () => {
    world.server.put('project', { id: world.project, name: 'News' });
    await until(() => nameIn(second) === 'News', 'the news in the second tab');
  });

  it('go on when the leading one is closed', async () => {
    await first.close();
    await rename(second, 'After');
    await saved(second);
    expect(world.server.get('project', world.project)?.attributes?.name).to.equal('After');
    first = device.open(world.me);
    await until(() => nameIn(first) === 'After', 'the tab opened anew');
  });

  it('both let go when one signs out and clears', async () => {
    await second.clear();
    const again = device.open(world.me);
    await again.restored;
    expect(again.changes.view().rows).to.deep.equal([]);
    await again.close();
  });
});
