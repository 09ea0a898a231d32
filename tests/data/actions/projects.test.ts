import { expect } from 'chai';
import { archive, claim, reactivate } from '#data/actions/projects.ts';
import { NotSavedError } from '#data/model/change.ts';
import type { Of } from '#schema/index.ts';
import { AtWork } from '../../support/at-work.ts';
import { until } from '../../support/device.ts';

describe('projects that are archived together', () => {
  let work: AtWork;
  let ids: readonly string[];

  beforeEach(async () => {
    work = await AtWork.begin();
    ids = ['Juniper', 'Lantern', 'Orchard'].map((name) => work.world.addProject({ name }));
    await until(() => ids.every((id) => work.data.find.one('project', id) !== null), 'three');
    await work.offline();
  });
  afterEach(() => work.data.close());

  const project = (id = ''): Of<'project'> => {
    const found = work.data.find.one('project', id);
    if (found === null) throw new Error('The project is not here');
    return found;
  };
  /** Closes the tab, and opens another one. */
  const reload = async (): Promise<void> => {
    await work.data.close();
    work.data = work.device.open(work.world.me);
    await work.data.restored;
  };

  it('are all kept before what is done after them', async () => {
    const [juniper, lantern, orchard] = ids;
    void archive(work.data, [project(juniper), project(lantern)]);
    await claim(work.data, project(orchard));
    await reload();
    expect(project(juniper).dateArchived, 'Juniper').to.not.equal(null);
    expect(project(lantern).dateArchived, 'Lantern').to.not.equal(null);

    void reactivate(work.data, [project(juniper), project(lantern)]);
    await claim(work.data, project(orchard));
    await reload();
    expect(project(lantern).dateArchived).to.equal(null);
  });

  it('go on to the last where one cannot be kept, which is thrown', async () => {
    work.storage.fail({ at: 'commit', name: 'QuotaExceededError', times: 1 });
    const error: unknown = await archive(work.data, ids.map(project)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(NotSavedError);
    await reload();
    expect(ids.map((id) => project(id).dateArchived !== null)).to.deep.equal([false, true, true]);
  });
});
