import { expect } from 'chai';
import { wireTypeOf } from '#protocol/names.ts';
import type { Data } from '#data/data.ts';
import type { TypeName } from '#schema/index.ts';
import { Device, until } from '../support/device.ts';
import { aWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

describe('someone who loses their last organization', () => {
  let world: World;
  let data: Data;

  beforeEach(async () => {
    world = aWorld();
    data = new Device(world.server).open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
  });
  afterEach(() => data.close());

  it('is still known here, and sees nothing of it any more', () => {
    const [membership] = data.find.all('organizationMembership', { user: world.me });
    const me = world.server.get('user', world.me);
    if (membership === undefined || me === undefined) throw new Error('The world lacks someone');
    const gone = (type: TypeName, id: string) => ({
      op: 'remove' as const,
      ref: { type: wireTypeOf(type), id },
    });
    // As the server tells it: who is looking stays, with the organization go all that know of it.
    world.server.commit(
      [
        { op: 'update', data: me },
        gone('organizationMembership', membership.id),
        gone('user', world.other),
        gone('organization', world.organization),
      ],
      [],
    );
    expect(data.standing.view()).to.equal('ready');
    expect(data.find.one('user', world.me)?.name).to.equal('Ana Ruiz');
    expect(data.find.one('user', world.other)).to.equal(null);
    expect(data.find.all('project', {})).to.deep.equal([]);
    expect(data.find.all('group', {})).to.deep.equal([]);
  });

  it('keeps exactly the rest, however many go at once', () => {
    const ids = Array.from({ length: 120 }, (_, i) => world.addProject({ name: `P${100 + i}` }));
    const stays = new Set(ids.filter((_, i) => i % 3 === 0));
    world.server.commit(
      ids
        .filter((id) => !stays.has(id))
        .map((id) => ({ op: 'remove', ref: { type: wireTypeOf('project'), id } })),
      [],
    );
    const found = data.find.all('project', {}).map(({ id }) => id);
    expect(found).to.have.members([world.project, ...stays]);
    for (const id of ids) expect(data.find.one('project', id) !== null).to.equal(stays.has(id));
  });
});
