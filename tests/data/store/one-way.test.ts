import { expect } from 'chai';
import { RecordStore } from '#data/store/store.ts';
import type { RecordBatch } from '#data/store/store.ts';
import { Device, turns, until } from '../../support/device.ts';
import { aWorld } from '../../support/world.ts';

/** The names under which project `id` enters a store of this test, one after the other. */
function watchEntries(id: string): { readonly names: unknown[]; readonly end: () => void } {
  const names: unknown[] = [];
  const { apply } = RecordStore.prototype as {
    readonly apply: (this: RecordStore, batch: RecordBatch) => void;
  };
  RecordStore.prototype.apply = function (this: RecordStore, batch) {
    for (const record of batch.set)
      if (record.id === id && this.record(record) !== record) names.push(record.attributes.name);
    apply.call(this, batch);
  };
  return {
    names,
    end: () => {
      RecordStore.prototype.apply = apply;
    },
  };
}

describe('an edited record', () => {
  it('enters the store once when it is edited', async () => {
    const world = aWorld();
    const project = world.addProject({ name: 'Harvest' });
    const device = new Device(world.server);
    const data = device.open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    world.server.isDown = true;
    world.server.hangUp();
    const entries = watchEntries(project);
    try {
      await data.edit('project', project, { name: 'Sowing' }, ['changes.rename', { name: 'x' }]);
      expect(data.find.one('project', project)?.name).to.equal('Sowing');
      expect(entries.names).to.deep.equal(['Sowing']);
    } finally {
      entries.end();
      await data.close();
    }
  });

  it('enters once more with what the server made of it, whoever brings that first [R332]', async () => {
    const world = aWorld();
    const project = world.addProject({ name: 'Harvest' });
    const device = new Device(world.server);
    const data = device.open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    const entries = watchEntries(project);
    try {
      await data.edit('project', project, { name: 'Sowing' }, ['changes.rename', { name: 'x' }]);
      await until(() => data.changes.view().status === 'saved', 'the answer');
      await turns(20);
      expect(entries.names).to.deep.equal(['Sowing', 'Sowing']);
    } finally {
      entries.end();
      await data.close();
    }
  });
});
