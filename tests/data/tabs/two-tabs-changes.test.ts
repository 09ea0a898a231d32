import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { AtWork, refusal } from '../../support/at-work.ts';
import { until } from '../../support/device.ts';

describe('[fault 9] what one tab does with a change shows in the other', () => {
  let work: AtWork;
  let other: Data;

  beforeEach(async () => {
    work = await AtWork.begin();
    await work.offline();
    other = work.device.open(work.world.me);
    await until(() => other.find.one('project', work.world.project) !== null, 'the second tab');
  });
  afterEach(async () => {
    await other.close();
    await work.data.close();
  });

  const nameThere = () => other.find.one('project', work.world.project)?.name;
  const rename = async (name: string): Promise<void> => {
    const project = other.find.one('project', work.world.project);
    if (project !== null) await editProject(other, project, { name });
  };
  const rowThere = () =>
    other.changes.view().rows.find(({ about }) => about.id === work.world.project);

  it('when it is made, folded and taken out', async () => {
    await rename('A');
    await until(() => work.name() === 'A', 'the change');
    await rename('B');
    await until(() => work.name() === 'B', 'what was folded in');
    await other.changes.undo(rowThere()?.id ?? '');
    await until(() => work.name() === 'Harvest', 'that it was taken out');
    expect(nameThere()).to.equal('Harvest');
  });

  it('when a refused one is discarded and put back', async () => {
    work.server.refuse = ({ ref }) =>
      ref?.id === work.world.project ? refusal(403, 'forbidden') : null;
    await rename('A');
    await work.online();
    await work.came('refused');
    await until(() => rowThere()?.state === 'refused', 'the verdict in the second tab');
    const putBack = await other.changes.discard(rowThere()?.id ?? '');
    await until(() => work.changes.attention === 0, 'that it was discarded');
    await putBack?.();
    await until(() => work.changes.attention === 1, 'that it was put back');
  });

  it('when it is done, and undone in the other', async () => {
    await rename('A');
    await work.online();
    await work.saved();
    await until(() => rowThere()?.state === 'done', 'the verdict in the second tab');
    await other.changes.undo(rowThere()?.id ?? '');
    await until(() => work.name() === 'Harvest', 'the undo');
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
  });
});
