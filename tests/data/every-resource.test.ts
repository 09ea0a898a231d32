import { expect } from 'chai';
import type { Data } from '../../src/data/model/data.ts';
import { resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import { AtWork } from '../support/at-work.ts';
import { turns, until } from '../support/device.ts';
import type { Device } from '../support/device.ts';
import { valuesOf } from '../support/sample.ts';
import { anId } from '../support/scripted-server.ts';
import type { World } from '../support/world.ts';

/** A record of any type that states something in every field. */
const filled = (type: TypeName): Record<string, unknown> => ({
  id: anId(),
  ...valuesOf(type),
  ...Object.fromEntries(toOnesOf(type).map(([name]) => [name, anId()])),
});

const kept = storedTypes.filter((type) => resourceOf(type).load === 'first');

describe('every resource that the device keeps', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    ({ world, device, data } = await AtWork.begin());
    await turns(5);
  });
  afterEach(() => data.close());

  const find = (type: TypeName, id: string): AnyRecord | null => data.find.one(type, id);

  for (const type of kept) {
    it(`follows live changes and survives a reload: ${type} [R19, R344, R347]`, async () => {
      const fields = filled(type);
      const id = world.server.put(type, fields);
      const readable = Object.fromEntries(
        Object.entries(fields).filter(([name]) => {
          const field = resourceOf(type).fields[name];
          return field?.is !== 'attribute' || !field.isWriteOnly;
        }),
      );
      expect(find(type, id)).to.deep.include(readable);
      await data.close();

      world.server.isDown = true;
      data = device.open(world.me);
      await data.restored;
      expect(find(type, id)).to.deep.include(readable);

      world.server.isDown = false;
      world.server.take(type, id);
      await device.pass(5_000);
      await until(() => find(type, id) === null, 'the removal');
    });
  }

  it('is most of them', () => {
    expect(kept.length).to.be.above(15);
  });
});
