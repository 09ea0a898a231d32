import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { Operation } from '#protocol/operations.ts';
import { archive } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { TypeName } from '#schema/index.ts';
import { AtWork } from '../support/at-work.ts';
import { Device, until } from '../support/device.ts';
import { anId } from '../support/scripted-server.ts';
import { aSignal } from '../support/signal.ts';
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
    // The server reports it so: the viewer stays, and everything below the organization is removed.
    world.server.commit(
      [
        { op: 'update', data: me },
        gone('organizationMembership', membership.id),
        gone('user', world.other),
        gone('organization', world.organization),
      ],
      [],
    );
    expect(data.viewerStatus.view()).to.equal('ready');
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

describe('an answer to someone who loses their organization', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  const lose = (): void => {
    work.server.hide('organization', work.world.organization);
  };

  /** Accepts what is sent, answers the sender, and informs nobody else. */
  const acceptUntold = (body: string): Response => {
    const { operations } = JSON.parse(body) as { operations: Operation[] };
    const verdicts = operations.map(({ op, data, meta }) => ({
      op,
      data: { ...(data as object), meta: { version: 500 } },
      meta: { ...meta, status: 201 },
    }));
    const headers = { 'Content-Type': JSON_API };
    return new Response(JSON.stringify({ operations: verdicts }), { headers });
  };
  const expectGone = async (id: string): Promise<void> => {
    await work.saved();
    expect(work.data.find.one('project', id)).to.equal(null);
    await work.reload();
    expect(work.data.find.one('project', id)).to.equal(null);
  };

  it('does not bring anything of it back that was sent before', async () => {
    work.server.faults.push((body) => {
      lose();
      return acceptUntold(body);
    });
    await expectGone(await work.create());
  });

  it('does not bring anything of it that was sent after: nobody would tell what becomes of that', async () => {
    work.server.faults.push('cut-before');
    const id = await work.create();
    lose();
    work.server.faults.push(acceptUntold);
    await work.device.pass(2_000);
    await expectGone(id);
  });

  it('nor what is answered while all is read afresh, once that is at its end', async () => {
    work.server.faults.push('cut-before');
    const id = await work.create();
    work.server.take('organization', work.world.organization);
    const { fetch, hub } = work.server;
    const [answered, loaded] = [aSignal(), aSignal()];
    work.device.network = {
      hub,
      fetch: async (address, request) => {
        if (typeof request.body === 'string') {
          await answered.given;
          return acceptUntold(request.body);
        }
        const answer = await fetch(address, request);
        if (address.includes('since=')) await loaded.given;
        return answer;
      },
    };
    work.data.diagnostics.resync();
    await work.device.pass(2_000);
    answered.give();
    await work.saved();
    expect(work.name(id), 'before its organization is missed').to.equal('Mango');
    loaded.give();
    await until(() => work.name(id) === undefined, 'the end of the load');
    await expectGone(id);
  });

  it('brings what was made together, and one below the other', async () => {
    work.server.faults.push('cut-before');
    const id = await work.create();
    const reviewer = await work.addReviewer(id);
    work.server.faults.push(acceptUntold);
    await work.device.pass(2_000);
    await work.saved();
    expect(work.name(id)).to.equal('Mango');
    expect(work.data.find.one('reviewer', reviewer)?.name).to.equal('Rosa');
  });

  it('takes away what they do not see any more by what they did', async () => {
    const id = work.world.addProject({ organization: anId() });
    await until(() => work.name(id) !== undefined, 'a project of an organization that is not here');
    work.server.unseen.add(id);
    await archive(work.data, [work.project(id)]);
    await expectGone(id);
  });
});

describe('an answer without a record that the feed keeps up', () => {
  it('leaves it to the feed to say that it is gone', async () => {
    const work = await AtWork.begin();
    work.server.unseen.add(work.world.project);
    await archive(work.data, [work.project()]);
    await work.saved();
    expect(work.name()).to.equal('Harvest');
    work.server.hide('project', work.world.project);
    expect(work.name()).to.equal(undefined);
    await work.data.close();
  });
});
