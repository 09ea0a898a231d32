import { expect } from 'chai';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, toOnesOf, typeNames } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { draftIn } from './drafts.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, World } from './world.ts';

/**
 * A record that a person made and undoes, and what can be built upon it (screens 1.6, wire 8.1).
 */
interface Kind {
  readonly type: TypeName;
  readonly make: (w: WriteTransaction, id: string, world: World, user: string) => Promise<unknown>;
  /** Makes something that stands upon it; left out: nothing can. */
  readonly buildUpon?: (
    w: WriteTransaction,
    id: string,
    world: World,
    user: string,
  ) => Promise<unknown>;
  /** Work counts whoever did it; other records do not when the same person made them. */
  readonly isWork?: true;
  /** The person who makes it and undoes it; left out: an admin of the organization. */
  readonly by?: Name;
}

const now = (world: World): string => new Date(world.server.parts.clock()).toISOString();
const EMAIL = 'new@out.test';

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

const KINDS: Record<string, Kind> = {
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
      await w.change('product', id, { datePublished: now(world) });
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
        dateTransition: now(world),
        workflowUserId: user,
      }),
  },
  'a product with a comment': {
    type: 'product',
    make: product,
    buildUpon: (w, id, world, user) =>
      w.insert('productComment', { id: world.id(), product: id, user, text: 'Nice' }),
  },
  'a group': {
    type: 'group',
    make: (w, id, { ids }) =>
      w.insert('group', { id, name: 'New', abbreviation: 'N', owner: ids.lakeside }),
    buildUpon: (w, id, world) =>
      w.insert('groupMembership', { id: world.id(), user: world.people.member.id, group: id }),
  },
  // In an organization to which nobody belongs who makes the other requests.
  'a saved view': {
    type: 'savedView',
    by: 'super',
    make: (w, id, { ids, people }) =>
      w.insert('savedView', {
        ...{ id, name: 'Failed builds', list: 'all', organization: ids.harbor },
        owner: people.super.id,
      }),
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
  'an author': {
    type: 'author',
    make: (w, id, { ids }, user) => w.insert('author', { id, user, project: ids.project }),
  },
  'a role': {
    type: 'userRole',
    make: async (w, id, { ids }, user) => {
      const [role] = await w.all('role', { roleName: 'Author' });
      const roleName = 'Author';
      await w.insert('organizationMembership', {
        id: newIdOf(id),
        user,
        organization: ids.lakeside,
      });
      await w.insert('userRole', {
        ...{ id, user, roleName, role: role?.id ?? '' },
        organization: ids.lakeside,
      });
    },
  },
  'an invitation to the organization': {
    type: 'organizationMembershipInvite',
    make: (w, id, { ids, people }) =>
      w.insert('organizationMembershipInvite', {
        ...{ id, email: EMAIL, organization: ids.lakeside, invitedBy: people.admin.id },
      }),
  },
  'an invitation of an organization': {
    type: 'organizationInvite',
    by: 'super',
    make: (w, id) => w.insert('organizationInvite', { id, name: 'New', ownerEmail: EMAIL }),
  },
  'an organization': {
    type: 'organization',
    by: 'super',
    make: (w, id, { people }) =>
      w.insert('organization', { id, name: 'New', owner: people.super.id }),
    buildUpon: (w, id, world) =>
      w.insert('group', { id: world.id(), name: 'Its', abbreviation: 'I', owner: id }),
  },
  'a store': {
    type: 'store',
    by: 'super',
    make: (w, id, { ids }) => w.insert('store', { id, name: 'new', storeType: ids.storeType }),
    buildUpon: (w, id, world) =>
      w.insert('organizationStore', {
        ...{ id: world.id(), organization: world.ids.lakeside, store: id },
      }),
  },
  'a store of the organization': {
    type: 'organizationStore',
    by: 'super',
    make: async (w, id, { ids }) => {
      await w.insert('store', { id: newIdOf(id), name: 'new', storeType: ids.storeType });
      await w.insert('organizationStore', {
        ...{ id, organization: ids.lakeside, store: newIdOf(id) },
      });
    },
  },
  'a type of stores': {
    type: 'storeType',
    by: 'super',
    isWork: true,
    make: (w, id) => w.insert('storeType', { id, name: 'new' }),
    buildUpon: (w, id, world) => w.insert('store', { id: world.id(), name: 'its', storeType: id }),
  },
  'a workflow': {
    type: 'workflowDefinition',
    by: 'super',
    isWork: true,
    make: (w, id, { ids }) =>
      w.insert('workflowDefinition', { id, name: 'new', type: 1, storeType: ids.storeType }),
    buildUpon: (w, id, world) =>
      w.insert('productDefinition', {
        ...{ id: world.id(), name: 'Its', type: world.ids.bookapp, workflow: id },
      }),
  },
  'a product definition': {
    type: 'productDefinition',
    by: 'super',
    make: (w, id, { ids }) =>
      w.insert('productDefinition', {
        ...{ id, name: 'New', type: ids.bookapp, workflow: ids.workflow },
      }),
    buildUpon: (w, id, world) =>
      w.insert('organizationProductDefinition', {
        ...{ id: world.id(), organization: world.ids.lakeside, productDefinition: id },
      }),
  },
  'a product definition of the organization': {
    type: 'organizationProductDefinition',
    make: async (w, id, { ids }) => {
      const productDefinition = newIdOf(id);
      const more = { name: 'New', type: ids.bookapp, workflow: ids.workflow };
      await w.insert('productDefinition', { id: productDefinition, ...more });
      const link = { organization: ids.lakeside, productDefinition };
      await w.insert('organizationProductDefinition', { id, ...link });
    },
  },
  'a project': {
    type: 'project',
    isWork: true,
    make: (w, id, { ids, people }) =>
      w.insert('project', {
        ...{ id, name: 'New', language: 'en', type: ids.bookapp, owner: people.admin.id },
        ...{ organization: ids.lakeside, group: ids.north },
      }),
    buildUpon: (w, id, world) =>
      w.insert('product', {
        ...{ id: world.id(), project: id, productDefinition: world.ids.definition },
        datePublished: now(world),
      }),
  },
};

/** Another id, which is the same at every call. */
const newIdOf = (id: string): string => `${id.slice(0, -4)}ffff`;

const isStateable = (write: string): boolean => write === 'create' || write === 'always';

/** Returns what a device states when it puts `record` back after its removal was undone. */
function statedAgain(type: TypeName, record: AnyRecord) {
  const attributes = attributesOf(type).filter(
    ([name, field]) => isStateable(field.write) && record[name] !== undefined,
  );
  const links = toOnesOf(type).filter(([name, { write }]) => isStateable(write) && record[name]);
  return {
    type: wireTypeOf(type),
    id: record.id,
    attributes: Object.fromEntries(
      attributes.map(([name]) => [wireFieldOf(type, name), record[name]]),
    ),
    relationships: Object.fromEntries(
      links.map(([name, { to }]) => [
        wireFieldOf(type, name),
        { data: { type: wireTypeOf(to), id: record[name] } },
      ]),
    ),
  };
}

/** Every type whose creation can be taken back: it is removed, and a project is archived. */
const UNDOABLE = typeNames.filter((type) => {
  const { isStored, verbs } = resourceOf(type);
  return isStored && verbs.includes('create') && (verbs.includes('delete') || type === 'project');
});
/** Of the others a record that nothing special is built upon. */
for (const type of UNDOABLE)
  if (!Object.values(KINDS).some((kind) => kind.type === type))
    KINDS[`a new ${type}`] = {
      type,
      make: async (w, id, world, user) => {
        const author = type === 'productComment' ? { user } : {};
        return w.insert(type, { id, ...(await draftIn(world, type, w)), ...author });
      },
    };

/** The removal of what has something below it cannot be taken back. */
const PARENTS = new Set(
  typeNames.flatMap((type) => {
    const { below } = resourceOf(type);
    return toOnesOf(type).flatMap(([name, { to }]) => (below.includes(name as never) ? [to] : []));
  }),
);

describe('the server judges an undo: it takes back only what nothing was built on [wire 8.1]', () => {
  let world: World;
  const seen = new Map<string, number>();
  /** Published products by what they stand on, which an undo wanted to take back. */
  const published = new Map<string, readonly string[]>();
  /** The number of those that are removed, or whose project is archived. */
  let gone = 0;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const workflowProjectUrl = 'bundled:projects/1';
    await world.write((w) => w.change('project', world.ids.project, { workflowProjectUrl }));
  });
  after(() => {
    const counts = [...seen].map(([what, count]) => `${what}: ${String(count)}`);
    counts.push(`published products gone: ${String(gone)}`);
    process.stdout.write(`      undo matrix · ${counts.join(' · ')}\n`);
  });

  /** Writes as if that person had made a request of their own. */
  const writeAs = (who: Name, work: (w: WriteTransaction) => Promise<unknown>) => {
    const { parts: services } = world.server;
    return services.db.write({ at: services.clock(), by: world.people[who].id, changes: [] }, work);
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
    await writeAs(kind.by ?? 'admin', (w) => kind.make(w, id, world, user));
    return id;
  };
  const isPublished = ({ datePublished }: { readonly datePublished: string | null }) =>
    datePublished !== null;
  /** Published products of the project, or the product itself, that are to be had. */
  const publishedOf = (id: string) =>
    world.server.parts.db.read(async (tx) => {
      const project = await tx.one('project', id);
      const product = await tx.one('product', id);
      if (project !== null && project.dateArchived !== null) return [];
      const all = product === null ? await tx.all('product', { project: id }) : [product];
      return all.filter(isPublished).map((one) => one.id);
    });
  const builtOn = async (kind: Kind, id: string, who: Name) => {
    await writeAs(who, async (w) => kind.buildUpon?.(w, id, world, world.people[who].id));
    published.set(id, await publishedOf(id));
  };
  const isThere = async ({ type }: Kind, id: string) => {
    const record: AnyRecord | null = await world.server.parts.db.read((tx) => tx.one(type, id));
    return record !== null && (type !== 'project' || record.dateArchived === null);
  };
  const oneVerdict = async (who: Name, operation: object) => {
    const prefer = { Prefer: 'handling=lenient' };
    const body = { operations: [operation] };
    const reply = await world.people[who].ask('POST', '/api/operations', body, prefer);
    const [verdict] = reply.body.operations ?? [];
    const error = verdict?.errors?.[0];
    return { status: verdict?.meta.status ?? reply.status, error, refusal: error?.code ?? null };
  };
  const archived = (id: string) => ({
    ...{ type: 'projects', id },
    attributes: { 'date-archived': now(world) },
  });
  const byRest = ({ type, by = 'admin' }: Kind, id: string) => {
    const address = `/api/${wireTypeOf(type)}/${id}`;
    const prefer = { Prefer: 'undo' };
    const person = world.people[by];
    if (type === 'project') return person.ask('PATCH', address, { data: archived(id) }, prefer);
    return person.ask('DELETE', address, undefined, prefer);
  };
  const byOperations = ({ type, by = 'admin' }: Kind, id: string, who: Name = by) => {
    const meta = { id: world.id(), undo: true };
    const ref = { type: wireTypeOf(type), id };
    if (type !== 'project') return oneVerdict(who, { op: 'remove', ref, meta });
    const base = { attributes: { 'date-archived': null } };
    return oneVerdict(who, { op: 'update', data: archived(id), meta: { ...meta, base } });
  };
  const count = (what: string) => {
    seen.set(what, (seen.get(what) ?? 0) + 1);
  };

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`${name}, nothing followed: it goes`, async () => {
      const [one, two] = [await made(kind), await made(kind)];
      const done = kind.type === 'project' ? 200 : 204;
      expect((await byRest(kind, one)).status).to.equal(done);
      expect((await byOperations(kind, two)).status).to.equal(done);
      expect([await isThere(kind, one), await isThere(kind, two)]).to.deep.equal([false, false]);
      count('nothing followed, gone');
    });

    if (kind.buildUpon !== undefined) {
      it(`${name}, built on by the same person: ${kind.isWork ? 'it stays' : 'it goes'}`, async () => {
        const id = await made(kind);
        await builtOn(kind, id, kind.by ?? 'admin');
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
      if (kind.type === 'project') {
        const id = await made(kind);
        await writeAs('builder', (w) => w.change('project', id, { dateArchived: now(world) }));
        expect((await byRest(kind, id)).status).to.equal(200);
        count('removed meanwhile');
        return;
      }
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

    if (resourceOf(kind.type).verbs.includes('delete') && !PARENTS.has(kind.type)) {
      it(`${name}, whose removal is undone: it comes back with its id`, async () => {
        const id = await made(kind);
        const before = await world.server.parts.db.read((tx) => tx.one(kind.type, id));
        // A person who is in nothing any more is seen by nobody, and so is not put back.
        if (kind.type === 'author' || kind.type === 'groupMembership')
          await world.write(async (w) => {
            const user = String((before as AnyRecord).user);
            const { lakeside, north } = world.ids;
            const own = { id: world.id(), user };
            await w.insert('organizationMembership', { ...own, organization: lakeside });
            if (kind.type === 'groupMembership') return;
            const [role] = await w.all('role', { roleName: 'Author' });
            await w.insert('groupMembership', { ...own, group: north });
            await w.insert('userRole', {
              ...{ ...own, organization: lakeside, role: role?.id ?? '', roleName: 'Author' },
            });
          });
        const by = kind.by ?? 'admin';
        const data = statedAgain(kind.type, before as AnyRecord);
        const ref = { type: data.type, id };
        expect((await oneVerdict(by, { op: 'remove', ref })).status).to.equal(204);
        const refused = await oneVerdict('member', { op: 'add', data, meta: { id: world.id() } });
        expect(refused.status).to.be.oneOf([403, 404, 422]);
        const { status, error } = await oneVerdict(by, {
          ...{ op: 'add', data, meta: { id: world.id() } },
        });
        if (kind.type === 'organizationMembership') {
          expect([status, error?.meta?.rule]).to.deep.equal([422, 'reference']);
          count('removals undone, refused');
          return;
        }
        expect(status).to.equal(201);
        expect(await isThere(kind, id)).to.equal(true);
        count('removals undone');
      });
    }
  }

  it('a project in which somebody published is still archived by its menu’s own command', async () => {
    const kind = KINDS['a project'];
    if (kind === undefined) throw new Error('No such kind');
    const id = await made(kind);
    await writeAs('builder', (w) =>
      w.insert('product', {
        ...{ id: world.id(), project: id, productDefinition: world.ids.definition },
      }),
    );
    expect((await byOperations(kind, id)).refusal).to.equal('in-use');
    const { status } = await oneVerdict('admin', { op: 'update', data: archived(id) });
    expect([status, await isThere(kind, id)]).to.deep.equal([200, false]);
  });

  const EDITS: Readonly<Record<string, readonly [was: unknown, wrote: unknown]>> = {
    name: ['New', 'Mine'],
    'is-public': [false, true],
    'allow-downloads': [false, true],
    'automatic-builds': [false, true],
    'date-archived': [null, '2026-02-01T00:00:00.000Z'],
  };
  for (const [field, [was, wrote]] of Object.entries(EDITS)) {
    it(`the undo of an edit of ${field} is an edit: it conflicts with what somebody wrote since`, async () => {
      const kind = KINDS['a project'];
      if (kind === undefined) throw new Error('No such kind');
      const id = await made(kind);
      const set = (who: Name, value: unknown, base: unknown) =>
        oneVerdict(who, {
          op: 'update',
          data: { type: 'projects', id, attributes: { [field]: value } },
          meta: { id: world.id(), base: { attributes: { [field]: base } } },
        });
      const { one } = await world.people.admin.get(`/api/projects/${id}`);
      expect((await set('admin', wrote, one.attributes?.[field])).status).to.equal(200);
      expect((await set('member', was, wrote)).status).to.be.oneOf([403, 404]);
      count('edits, refused');
      expect((await set('admin', was, wrote)).status).to.equal(200);
      count('edits, taken back');
      if (field !== 'name') return;
      expect((await set('admin', wrote, was)).status).to.equal(200);
      expect((await set('super', 'Theirs', wrote)).status).to.equal(200);
      expect((await set('admin', was, wrote)).refusal).to.equal('changed-elsewhere');
      count('edits, changed since');
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

  it('no published product is gone by an undo', async () => {
    let were = 0;
    for (const [id, ids] of published) {
      const left = await publishedOf(id);
      were += ids.length;
      gone += ids.filter((one) => !left.includes(one)).length;
    }
    expect(were).to.be.greaterThan(0);
    expect(gone).to.equal(0);
  });

  it('the undo mark of an operation is true, false or left out', async () => {
    const ref = { type: 'reviewers', id: world.ids.reviewer };
    const body = { operations: [{ op: 'remove', ref, meta: { undo: 'yes' } }] };
    const reply = await world.people.admin.ask('POST', '/api/operations', body);
    expect([reply.status, reply.refusal]).to.deep.equal([400, 'invalid-document']);
  });
});
