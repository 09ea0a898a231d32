import { expect } from 'chai';
import { archive, createProject, editProject, setSwitch } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { RecordView } from '../../../src/data/model/views.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import type { Device } from '../../support/device.ts';
import { anId, problem } from '../../support/scripted-server.ts';
import type { World } from '../../support/world.ts';

describe('a creation that was refused', () => {
  let world: World;
  let device: Device;
  let data: Data;
  let id: string;

  const forbidden = () => [{ id: anId(), status: '403', code: 'forbidden', title: 'You may not' }];
  const view = (): RecordView<'project'> => data.records.view('project', id);
  const isRefused = (): Promise<void> =>
    until(() => data.changes.view().rows.some(({ state }) => state === 'refused'), 'refused');
  const edit = async (fields: Parameters<typeof editProject>[2]): Promise<void> => {
    const { record } = view();
    if (record === null) throw new Error('The project is not here');
    await editProject(data, record, fields);
  };

  beforeEach(async () => {
    ({ world, device, data } = await AtWork.begin());
    world.server.refuse = ({ op }) => (op === 'add' ? forbidden() : null);
    id = await createProject(data, {
      name: 'Mango',
      language: 'fr-FR',
      description: 'Typed for an hour',
      organization: world.organization,
      group: world.group,
      type: world.type,
    });
  });
  afterEach(() => data.close());

  it('stays in its list and can be opened, after a reload too', async () => {
    await isRefused();
    expect(view()).to.deep.include({ state: 'here', change: 'refused' });
    expect(view().record?.description).to.equal('Typed for an hour');

    await data.close();
    data = device.open(world.me);
    await data.restored;
    expect(view().record?.name).to.equal('Mango');
    const names = data.lists
      .open('project', {})
      .view()
      .rows.map(({ name }) => name);
    expect(names).to.include('Mango');
  });

  it('goes when it is discarded, and what was typed since goes with it', async () => {
    await isRefused();
    const refused = data.changes.view().rows[0]?.id ?? '';
    await data.changes.discard(refused);
    expect(view().record).to.equal(null);
    expect(data.changes.view()).to.include({ attention: 0, waiting: 0 });
  });

  it('is mended by an edit: sent again as a new change that has all of it', async () => {
    await isRefused();
    const refused = data.changes.view().rows[0]?.id ?? '';
    world.server.refuse = () => null;
    await edit({ name: 'Mango mended' });
    expect(view().record?.name).to.equal('Mango mended');
    await until(() => data.changes.view().status === 'saved', 'saved');
    expect(world.server.get('project', id)?.attributes).to.include({
      name: 'Mango mended',
      description: 'Typed for an hour',
    });
    expect(world.server.applied).to.not.include(refused);
    expect(data.changes.view().attention).to.equal(0);
  });

  it('keeps what it could not have stated itself when it is mended', async () => {
    await isRefused();
    const { record } = view();
    if (record !== null) await archive(data, [record]);
    expect(view().record?.dateArchived).to.be.a('string');
    world.server.refuse = () => null;
    await edit({ name: 'Mango mended' });
    await until(() => data.changes.view().status === 'saved', 'saved');
    expect(world.server.get('project', id)?.attributes?.['date-archived']).to.be.a('string');
  });

  it('keeps what was held back by it when it is mended, the latest text on top', async () => {
    await isRefused();
    await edit({ name: 'Mango still refused' });
    await isRefused();
    const { record } = view();
    if (record !== null) await setSwitch(data, record, 'isPublic', false);
    await isRefused();
    expect(view().record).to.include({ name: 'Mango still refused', isPublic: false });
    world.server.refuse = () => null;
    await edit({ name: 'Mango at last' });
    await until(() => data.changes.view().status === 'saved', 'saved');
    expect(world.server.get('project', id)?.attributes).to.include({
      name: 'Mango at last',
      'is-public': false,
      description: 'Typed for an hour',
    });
  });

  it('takes edits that were held back by it into the mended one', async () => {
    // The first answer is lost, so that the edit is a change of its own.
    await isRefused();
    await data.changes.discard(data.changes.view().rows[0]?.id ?? '');
    world.server.faults.push(() => problem(503, 'unavailable', {}, { 'Retry-After': '5' }));
    id = await createProject(data, {
      name: 'Papaya',
      language: 'fr-FR',
      organization: world.organization,
      group: world.group,
      type: world.type,
    });
    await turns(5);
    await edit({ name: 'Papaya 2' });
    await device.pass(6_000);
    await isRefused();
    expect(view().record?.name).to.equal('Papaya 2');
    expect(view().change).to.equal('refused');

    world.server.refuse = () => null;
    await edit({ name: 'Papaya 3' });
    await until(() => data.changes.view().status === 'saved', 'saved');
    expect(world.server.get('project', id)?.attributes).to.include({ name: 'Papaya 3' });
    expect(view().record?.name).to.equal('Papaya 3');
  });
});
