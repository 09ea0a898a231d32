import { expect } from 'chai';
import { wireTypeOf } from '#protocol/names.ts';
import type { TypeName } from '#schema/index.ts';
import type { Write } from '#server/database/database.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, World } from './world.ts';

/** What a person made and takes back, and what can be built upon it (screens 1.6, wire 8.1). */
interface Kind {
  readonly type: TypeName;
  readonly make: (w: Write, id: string, world: World, user: string) => Promise<unknown>;
  /** Makes something that stands upon it; left out: nothing can. */
  readonly buildUpon?: (w: Write, id: string, world: World, user: string) => Promise<unknown>;
  /** Work counts whoever did it; other records do not when the same person made them. */
  readonly isWork?: true;
}

const product: Kind['make'] = async (w, id, world) => {
  const definition = world.id();
  await w.insert('productDefinition', {
    id: definition,
    name: 'Another',
    type: world.ids.bookapp,
    workflow: world.ids.workflow,
  });
  await w.insert('product', { id, project: world.ids.project, productDefinition: definition });
};

const KINDS: Readonly<Record<string, Kind>> = {
  'a product with a build': {
    type: 'product',
    make: product,
    isWork: true,
    buildUpon: (w, id, world) => w.insert('productBuild', { id: world.id(), product: id }),
  },
  'a product with a publication': {
    type: 'product',
    make: product,
    isWork: true,
    buildUpon: async (w, id, world) => {
      const build = world.id();
      await w.insert('productBuild', { id: build, product: id });
      const row = { product: id, productBuild: build, success: true };
      await w.insert('productPublication', { id: world.id(), ...row });
    },
  },
  'a product with a command of a person': {
    type: 'product',
    make: product,
    isWork: true,
    buildUpon: (w, id, world, user) =>
      w.insert('productTransition', {
        id: world.id(),
        product: id,
        transitionType: 1,
        command: 'Continue',
        dateTransition: new Date(world.server.parts.clock()).toISOString(),
        workflowUserId: user,
      }),
  },
  'a group': {
    type: 'group',
    make: (w, id, { ids }) =>
      w.insert('group', { id, name: 'New', abbreviation: 'N', owner: ids.lakeside }),
    buildUpon: (w, id, world) =>
      w.insert('groupMembership', { id: world.id(), user: world.people.member.id, group: id }),
  },
  'a membership of a group': {
    type: 'groupMembership',
    make: (w, id, { ids }, user) => w.insert('groupMembership', { id, user, group: ids.south }),
    buildUpon: async (w, id, world) => {
      const membership = await w.one('groupMembership', id);
      const project = world.id();
      await w.insert('project', {
        id: project,
        name: 'Southern',
        language: 'en',
        type: world.ids.bookapp,
        organization: world.ids.lakeside,
        group: world.ids.south,
        owner: world.people.builder.id,
      });
      await w.insert('author', { id: world.id(), user: membership?.user ?? '', project });
    },
  },
  'a membership of the organization': {
    type: 'organizationMembership',
    make: (w, id, { ids }, user) =>
      w.insert('organizationMembership', { id, user, organization: ids.lakeside }),
    buildUpon: async (w, id, world) => {
      const [role] = await w.all('role', { roleName: 'Author' });
      const membership = await w.one('organizationMembership', id);
      await w.insert('userRole', {
        id: world.id(),
        user: membership?.user ?? '',
        role: role?.id ?? '',
        roleName: 'Author',
        organization: world.ids.lakeside,
      });
    },
  },
  'a reviewer': {
    type: 'reviewer',
    make: (w, id, { ids }) =>
      w.insert('reviewer', { id, name: 'Rosa', email: 'rosa@out.test', project: ids.project }),
  },
};

describe('the server judges an undo: it takes back only what nothing was built on [wire 8.1]', () => {
  let world: World;
  const seen = new Map<string, number>();

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const workflowProjectUrl = 'bundled:projects/1';
    await world.write((w) => w.change('project', world.ids.project, { workflowProjectUrl }));
  });
  after(() => {
    const counts = [...seen].map(([what, count]) => `${what}: ${String(count)}`);
    process.stdout.write(`      undo matrix · ${counts.join(' · ')}\n`);
  });

  /** As if that person had made it by a request of their own. */
  const writeAs = (who: Name, work: (w: Write) => Promise<unknown>) => {
    const { parts } = world.server;
    return parts.db.write({ at: parts.clock(), by: world.people[who].id, changes: [] }, work);
  };
  /** A person who is in no organization yet. */
  const newcomer = async (): Promise<string> => {
    const id = world.id();
    await world.write((w) => w.insert('user', { id, name: 'Newcomer' }));
    return id;
  };
  const made = async (kind: Kind): Promise<string> => {
    const id = world.id();
    const user = await newcomer();
    await writeAs('admin', (w) => kind.make(w, id, world, user));
    return id;
  };
  const builtOn = (kind: Kind, id: string, who: Name) =>
    writeAs(who, async (w) => kind.buildUpon?.(w, id, world, world.people[who].id));
  const isThere = async ({ type }: Kind, id: string) =>
    (await world.server.parts.db.read((tx) => tx.one(type, id))) !== null;

  const byRest = (kind: Kind, id: string, who: Name = 'admin') =>
    world.people[who].ask('DELETE', `/api/${wireTypeOf(kind.type)}/${id}`, undefined, {
      Prefer: 'undo',
    });
  const byOperations = async (kind: Kind, id: string, who: Name = 'admin') => {
    const ref = { type: wireTypeOf(kind.type), id };
    const body = { operations: [{ op: 'remove', ref, meta: { id: world.id(), undo: true } }] };
    const prefer = { Prefer: 'handling=lenient' };
    const reply = await world.people[who].ask('POST', '/api/operations', body, prefer);
    const [verdict] = reply.body.operations ?? [];
    return { status: verdict?.meta.status ?? reply.status, error: verdict?.errors?.[0] };
  };
  const count = (what: string) => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  };

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`${name}, nothing followed: it goes`, async () => {
      const [one, two] = [await made(kind), await made(kind)];
      expect((await byRest(kind, one)).status).to.equal(204);
      expect((await byOperations(kind, two)).status).to.equal(204);
      expect([await isThere(kind, one), await isThere(kind, two)]).to.deep.equal([false, false]);
      count('nothing followed, gone');
    });

    if (kind.buildUpon !== undefined) {
      it(`${name}, built on by the same person: ${kind.isWork ? 'it stays' : 'it goes'}`, async () => {
        const id = await made(kind);
        await builtOn(kind, id, 'admin');
        const { refusal } = await byRest(kind, id);
        expect(refusal).to.equal(kind.isWork === true ? 'in-use' : null);
        expect(await isThere(kind, id)).to.equal(kind.isWork === true);
        count('built on, own');
      });

      it(`${name}, built on by somebody else meanwhile: it stays, and what stands on it is counted [fault 46]`, async () => {
        const id = await made(kind);
        await builtOn(kind, id, 'builder');
        const reply = await byRest(kind, id);
        expect([reply.status, reply.refusal]).to.deep.equal([409, 'in-use']);
        const { error } = await byOperations(kind, id);
        expect(error?.code).to.equal('in-use');
        const counts = Object.values((error?.meta?.by ?? {}) as Record<string, number>);
        expect(counts.every((n) => n > 0) && counts.length > 0).to.equal(true);
        expect(await isThere(kind, id)).to.equal(true);
        count('built on by others, kept');
      });
    }

    it(`${name}, removed meanwhile: nothing is left to do`, async () => {
      const id = await made(kind);
      await writeAs('builder', (w) => w.remove(kind.type, id));
      expect((await byRest(kind, id)).status).to.equal(204);
      count('removed meanwhile');
    });

    it(`${name}, by who may not: refused, and it stays`, async () => {
      const id = await made(kind);
      expect((await byOperations(kind, id, 'member')).status).to.be.oneOf([403, 404]);
      expect(await isThere(kind, id)).to.equal(true);
      count('refused');
    });
  }

  it('the menu’s own command still removes a product that was built', async () => {
    const kind = KINDS['a product with a build'];
    if (kind === undefined) throw new Error('No such kind');
    const id = await made(kind);
    await builtOn(kind, id, 'builder');
    const reply = await world.people.admin.ask('DELETE', `/api/products/${id}`);
    expect(reply.status).to.equal(204);
  });

  it('the undo mark of an operation is true, false or left out', async () => {
    const ref = { type: 'reviewers', id: world.ids.reviewer };
    const body = { operations: [{ op: 'remove', ref, meta: { undo: 'yes' } }] };
    const reply = await world.people.admin.ask('POST', '/api/operations', body);
    expect([reply.status, reply.refusal]).to.deep.equal([400, 'invalid-document']);
  });
});
