import { expect } from 'chai';
import { RecordStore } from '#data/store/store.ts';
import { Device, turns, until } from '../../support/device.ts';
import { aWorld } from '../../support/world.ts';

const MANY = 10_000;
const MOST = 100;

type Log = RecordStore['transformLog'];

/** Every log that any source of this test writes to. */
function watchLogs(): { readonly logs: ReadonlySet<Log>; readonly end: () => void } {
  const prototype = Object.getPrototypeOf(new RecordStore().transformLog) as Pick<Log, 'append'>;
  const { append } = prototype as {
    readonly append: (this: Log, ...ids: string[]) => Promise<void>;
  };
  const logs = new Set<Log>();
  prototype.append = function (this: Log, ...ids) {
    logs.add(this);
    return append.apply(this, ids);
  };
  return {
    logs,
    end: () => {
      prototype.append = append;
    },
  };
}

describe('the transform logs', () => {
  it(`hold at most ${MOST} after ${MANY} offline edits and ${MANY} messages`, async function () {
    this.timeout(300_000);
    const watched = watchLogs();
    const world = aWorld();
    const projects = Array.from({ length: 100 }, (_, n) => world.addProject({ name: `P ${n}` }));
    const device = new Device(world.server);
    const data = device.open(world.me);
    try {
      await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
      await turns(5);
      for (let n = 0; n < MANY; n += 1)
        world.server.put('project', { id: projects[n % 100] ?? '', description: `Message ${n}` });
      world.server.isDown = true;
      world.server.hangUp();
      for (let n = 0; n < MANY; n += projects.length)
        await Promise.all(
          projects.map((id) => {
            const name = `Edit ${n} of ${id}`;
            return data.edit('project', id, { name }, ['changes.rename', { name }]);
          }),
        );
      expect(data.changes.view().waiting).to.be.greaterThan(0);
      expect([...watched.logs].length).to.be.greaterThan(0);
      for (const log of watched.logs) expect(log.length).to.be.at.most(MOST);
    } finally {
      watched.end();
      await data.close();
    }
  });
});
