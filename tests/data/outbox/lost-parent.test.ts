import { expect } from 'chai';
import { AtWork } from '../../support/at-work.ts';
import { until } from '../../support/device.ts';

describe('[fault 25] changes below a record that someone else deleted', () => {
  let work: AtWork;
  let group: string;
  let membership: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    group = work.server.put('group', {
      name: 'Second',
      abbreviation: 'S',
      owner: work.world.organization,
    });
    await until(() => work.data.find.one('group', group) !== null, 'the group');
    await work.offline();
    membership = await work.data.add('groupMembership', { group, user: work.world.other }, [
      'changes.project.edit',
      { name: 'Second' },
    ]);
    await work.data.edit('group', group, { name: 'Second, renamed' }, [
      'changes.project.edit',
      { name: 'Second' },
    ]);
    const { other } = work.world;
    work.server.by = { type: 'users', id: other, name: null };
    work.server.take('group', group);
    await work.online();
    await work.answered();
  });
  afterEach(() => work.data.close());

  it('are grouped by it, with who it was', () => {
    const lost = { type: 'group', id: group, by: 'Ben Okafor' };
    expect(work.changeOf(membership)).to.deep.include({ state: 'refused', lostParent: lost });
    expect(work.changeOf(group)).to.deep.include({ state: 'refused', lostParent: lost });
    expect(work.changes.attention).to.equal(2);
  });

  it('are still so after a reload', async () => {
    await work.reload();
    expect(work.changeOf(membership).lostParent).to.include({ id: group, by: 'Ben Okafor' });
  });

  it('can be discarded and exported together', async () => {
    const rows = work.changes.rows.filter(({ lostParent }) => lostParent?.id === group);
    const texts = rows.map(({ id }) => work.data.changes.exportText(id) ?? '');
    expect(texts.join()).to.include('Second, renamed');
    for (const { id } of rows) await work.data.changes.discard(id);
    expect(work.changes.attention).to.equal(0);
    expect(work.data.find.one('groupMembership', membership)).to.equal(null);
  });
});
