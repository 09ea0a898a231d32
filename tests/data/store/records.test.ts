import { expect } from 'chai';
import { AtWork } from '../../support/at-work.ts';
import { until } from '../../support/device.ts';

describe('records that a page shows', () => {
  let work: AtWork;
  let id: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    id = work.world.addProject({ name: 'Harvest' });
    await until(() => work.name(id) !== undefined, 'the project');
  });
  afterEach(() => work.data.close());

  const show = () => work.data.records.subscribe('project', id, () => undefined);
  const view = () => work.data.records.view('project', id);

  it('are the same objects on the next page that shows them, so that nothing is drawn twice', async () => {
    const leave = show();
    const before = view();
    leave();
    const leaveNext = show();
    expect(view()).to.equal(before);
    await Promise.resolve();
    expect(view()).to.equal(before);
    leaveNext();
  });

  it('are read again where they changed after they were left', async () => {
    const leave = show();
    view();
    leave();
    await work.rename('Vineyard', id);
    expect(view().record?.name).to.equal('Vineyard');
  });
});
