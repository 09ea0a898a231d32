import { expect } from 'chai';
import { editProject, setGroup, setSwitch } from '#data/actions/projects.ts';
import { changedFieldsOf } from '#data/model/changed-fields.ts';
import type { ChangeRow } from '../../../src/data/model/views.ts';
import { AtWork } from '../../support/at-work.ts';
import { until } from '../../support/device.ts';

/** What the change does, without the record that it is done to. */
function changed({ kept }: ChangeRow) {
  if (kept === null) throw new Error('Nothing is kept of it');
  return changedFieldsOf(kept).map(({ field, before, after }) => ({ field, before, after }));
}

describe('what a kept change does to the fields of its records [screens 3.5]', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  it('is both values of a field that is replaced, while it waits', async () => {
    await work.offline();
    await setSwitch(work.data, work.project(), 'isPublic', false);
    expect(changed(work.changeOf(work.world.project))).to.deep.equal([
      { field: 'isPublic', before: true, after: false },
    ]);
  });

  it('begins, after several edits that wait together, with the value before the first', async () => {
    await work.offline();
    await work.rename('Harvest Home');
    await work.rename('Harvest Hymns');
    expect(changed(work.changeOf(work.world.project))).to.deep.equal([
      { field: 'name', before: 'Harvest', after: 'Harvest Hymns' },
    ]);
  });

  it('is the value that the server set, once it is done', async () => {
    await work.offline();
    await editProject(work.data, work.project(), { description: 'As typed' });
    const { kept, id } = work.changeOf(work.world.project);
    if (kept === null) throw new Error('Nothing is kept of it');
    const done = { ...kept, state: 'done', theirs: [{ description: 'As kept' }] } as const;
    expect(changedFieldsOf(done).map(({ after }) => after)).to.deep.equal(['As kept']);
    expect(kept.id).to.equal(id);
  });

  it('is what the undone change did, the other way round', async () => {
    const group = work.server.put('group', {
      name: 'Second',
      abbreviation: 'S',
      owner: work.world.organization,
    });
    await until(() => work.data.find.one('group', group) !== null, 'the group');
    await setGroup(work.data, work.project(), group);
    await work.saved();
    const { id } = work.changeOf(work.world.project);
    await work.data.changes.undo(id);
    expect(changed(work.changeOf(work.world.project))).to.deep.equal([
      { field: 'group', before: group, after: work.world.group },
    ]);
  });

  it('is what was stated of a new record, and nothing that is empty', async () => {
    const id = await work.create('Mango');
    const fields = changed(work.changeOf(id));
    expect(fields).to.deep.include({ field: 'name', before: undefined, after: 'Mango' });
    expect(fields.map(({ field }) => field)).not.to.include('description');
  });

  it('is what was there of a removed record', async () => {
    const id = await work.addReviewer();
    await work.saved();
    await work.data.remove('reviewer', id, ['changes.reviewer.remove', {}]);
    expect(changed(work.changeOf(id))).to.deep.include({
      ...{ field: 'email', before: 'rosa@example.org', after: undefined },
    });
  });
});
