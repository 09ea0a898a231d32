// Covers rules/saved-view.ts, rules/valid/saved-view.ts and what becomes of views when people leave.
import { expect } from 'chai';
import { VIEWS_MOST } from '#rules/valid/saved-view.ts';
import { Copy } from '../../feed/copy.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, Person, World } from './world.ts';

interface Draft {
  readonly name?: string;
  readonly shows?: string;
  readonly list?: string;
  readonly query?: string;
  readonly 'is-shared'?: boolean;
  readonly organization?: string | null;
}

describe('saved views', () => {
  let world: World;

  beforeEach(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const save = (who: Person, { organization = world.ids.lakeside, ...stated }: Draft = {}) =>
    who.ask('POST', '/api/saved-views', {
      data: {
        type: 'saved-views',
        attributes: { name: 'Failed builds', list: 'all', ...stated },
        relationships: {
          organization: {
            data: organization === null ? null : { type: 'organizations', id: organization },
          },
        },
      },
    });
  const saved = async (who: Person, draft: Draft = {}): Promise<string> => {
    const made = await save(who, draft);
    expect(made.status, made.text).to.equal(201);
    return made.one.id;
  };
  const change = (who: Person, id: string, attributes: object) =>
    who.ask('PATCH', `/api/saved-views/${id}`, { data: { type: 'saved-views', id, attributes } });
  const remove = (who: Person, id: string) => who.ask('DELETE', `/api/saved-views/${id}`);
  const statusFor = async (who: Person, id: string) =>
    (await who.get(`/api/saved-views/${id}`)).status;
  const listed = async (who: Person, headers = {}) =>
    (await who.get('/api/saved-views', headers)).many.map(({ id }) => id);
  const stored = (id: string) => world.server.parts.db.read((tx) => tx.one('savedView', id));
  const membershipOf = (name: Name) =>
    world.server.parts.db.read(async (w) => {
      const user = world.people[name].id;
      const [membership] = await w.all('organizationMembership', { user });
      return membership?.id ?? '';
    });
  /** Opens somebody's copy of everything, and returns what reads the names of the views in it. */
  const copyOf = (who: Person) => {
    const copy = new Copy(who);
    return async () => {
      const { records } = await copy.catchUp();
      const views = [...records.values()].filter(({ type }) => type === 'saved-views');
      return views.map(({ attributes }) => attributes?.name);
    };
  };

  it('are made in one’s own name by members of their organization, and without one by everyone', async () => {
    const { member, super: superAdmin, stranger, nobody } = world.people;
    for (const who of [member, superAdmin]) {
      const made = await save(who);
      expect(made.status, made.text).to.equal(201);
      expect(made.one.relationships?.owner?.data).to.deep.include({ id: who.id });
      expect(made.one.attributes).to.include({ query: '', 'is-shared': false });
    }
    expect((await save(stranger)).refusal).to.equal('forbidden');
    // Whether there is such an organization is not told to who does not see it.
    for (const organization of [world.ids.harbor, world.id()])
      expect((await save(nobody, { organization })).refusal).to.equal('invalid/reference');
    for (const who of [stranger, nobody])
      expect((await save(who, { organization: null })).status).to.equal(201);
  });

  it('are seen by their owner alone, by no admin and no super admin, until they are shared', async () => {
    const { member, admin, builder, stranger, super: superAdmin } = world.people;
    const [forAdmin, forBuilder, forOwner, forStranger] = [admin, builder, member, stranger].map(
      (who) => copyOf(who),
    );
    const id = await saved(member, { name: 'Nobody’s business' });
    for (const who of [admin, builder, superAdmin, stranger]) {
      expect(await statusFor(who, id)).to.equal(404);
      expect(await listed(who)).not.to.include(id);
      expect((await change(who, id, { name: 'Mine' })).status).to.equal(404);
    }
    for (const read of [forAdmin, forBuilder, forStranger])
      expect(await read?.()).to.deep.equal([]);
    expect(await forOwner?.()).to.deep.equal(['Nobody’s business']);

    expect((await change(member, id, { 'is-shared': true })).status).to.equal(200);
    for (const who of [admin, builder, superAdmin]) expect(await statusFor(who, id)).to.equal(200);
    expect(await forBuilder?.()).to.deep.equal(['Nobody’s business']);
    const organization = { Organization: world.ids.lakeside };
    expect(await listed(superAdmin, organization)).to.deep.equal([id]);
    expect(await statusFor(stranger, id)).to.equal(404);
    expect(await forStranger?.()).to.deep.equal([]);

    expect((await change(member, id, { 'is-shared': false })).status).to.equal(200);
    expect(await statusFor(builder, id)).to.equal(404);
    expect(await forBuilder?.()).to.deep.equal([]);
    expect(await forOwner?.()).to.deep.equal(['Nobody’s business']);
  });

  it('are changed and removed by their owner, and shared ones by an admin too, who can stop the sharing', async () => {
    const { member, admin, builder, super: superAdmin } = world.people;
    const id = await saved(member, { 'is-shared': true });
    for (const who of [builder, world.people.author]) {
      expect((await change(who, id, { name: 'Other' })).status).to.equal(403);
      expect((await remove(who, id)).status).to.equal(403);
    }
    for (const who of [member, admin, superAdmin])
      expect((await change(who, id, { name: `By ${who.email}` })).status).to.equal(200);
    expect((await change(admin, id, { 'is-shared': false })).status).to.equal(200);
    expect(await statusFor(admin, id)).to.equal(404);
    expect(await statusFor(member, id)).to.equal(200);
    expect((await change(admin, id, { 'is-shared': true })).status).to.equal(404);
    expect((await remove(member, id)).status).to.equal(204);
    const another = await saved(member, { 'is-shared': true });
    expect((await remove(admin, another)).status).to.equal(204);
  });

  it('are shared only with an organization, and by whoever belongs there', async () => {
    const { member, super: superAdmin } = world.people;
    expect((await save(member, { organization: null, 'is-shared': true })).refusal).to.equal(
      'invalid/mismatch',
    );
    const id = await saved(superAdmin);
    await world.write(async (w) => {
      for (const role of await w.all('userRole', { user: superAdmin.id }))
        await w.remove('userRole', role.id);
    });
    expect((await change(superAdmin, id, { 'is-shared': true })).status).to.equal(403);
    expect((await change(superAdmin, id, { name: 'Still mine' })).status).to.equal(200);
  });

  it('keep list and organization, and a query in its normal form', async () => {
    const { member } = world.people;
    const query = `status=failed%2Cbuilding&owner=me%2C${member.id}&search=blue+lake&sort=-dateUpdated`;
    const id = await saved(member, { query });
    expect((await stored(id))?.query).to.equal(query);
    for (const other of [
      'owner=me&status=failed',
      'status=failed&status=building',
      'status=',
      'status=failed%2Cfailed',
      'pageOffset=2',
      '?status=failed',
      'status=failed,building',
      `search=${'x'.repeat(251)}`,
      `language=${Array.from({ length: 21 }, (_, n) => `x${n}`).join('%2C')}`,
    ]) {
      expect((await save(member, { query: other })).refusal, other).to.equal('invalid/shape');
      expect((await change(member, id, { query: other })).refusal, other).to.equal('invalid/shape');
    }
    const long = await save(member, { query: `language=${'x'.repeat(2_000)}` });
    expect(long.refusal).to.equal('invalid/too-long');
    expect((await save(member, { list: 'tasks' })).refusal).to.equal('invalid/choice');
    expect((await save(member, { name: ' ' })).refusal).to.equal('invalid/required');
    expect((await change(member, id, { list: 'own' })).refusal).to.equal('invalid/immutable');
  });

  it('of tasks say so, and have a list for clients that do not know of them', async () => {
    const { member } = world.people;
    expect(await stored(await saved(member))).to.include({ shows: 'projects' });
    const query = 'status=to-approve&owner=me';
    const id = await saved(member, { shows: 'tasks', query });
    expect(await stored(id)).to.include({ shows: 'tasks', list: 'all', query });
    expect((await save(member, { shows: 'tasks', list: 'own' })).refusal).to.equal(
      'invalid/mismatch',
    );
    expect((await save(member, { shows: 'builds' })).refusal).to.equal('invalid/choice');
    expect((await change(member, id, { shows: 'projects' })).refusal).to.equal('invalid/immutable');
  });

  it('are fifty of each person, and fifty shared ones of each organization', async () => {
    const { member, builder, admin } = world.people;
    const insert = (who: Person, isShared: boolean, count: number) =>
      world.write(async (w) => {
        for (let n = 0; n < count; n += 1)
          await w.insert('savedView', {
            ...{ id: world.id(), name: `View ${n}`, list: 'all', isShared, owner: who.id },
            organization: world.ids.lakeside,
          });
      });
    await insert(member, false, VIEWS_MOST - 1);
    const last = await saved(member);
    const refused = await save(member, { organization: null });
    expect(refused.refusal).to.equal('invalid/range');
    expect(refused.body.errors?.[0]).to.deep.include({
      source: { pointer: '/data/attributes/name' },
      meta: { rule: 'range', min: 0, max: VIEWS_MOST },
    });
    expect((await change(member, last, { name: 'Renamed' })).status).to.equal(200);

    await insert(builder, true, VIEWS_MOST);
    const shared = await change(member, last, { 'is-shared': true });
    expect(shared.refusal).to.equal('invalid/range');
    expect(shared.body.errors?.[0]?.source).to.deep.equal({
      pointer: '/data/attributes/is-shared',
    });
    expect((await save(admin, { 'is-shared': true })).refusal).to.equal('invalid/range');
    expect((await save(admin)).status).to.equal(201);
  });

  it('of who leaves go with the membership; the shared ones stay without an owner, and an admin renames them', async () => {
    const { member, admin } = world.people;
    const own = await saved(member);
    const everywhere = await saved(member, { organization: null });
    const shared = await saved(member, { 'is-shared': true, name: 'Ours' });
    const forOwner = copyOf(member);
    const forColleague = copyOf(world.people.builder);
    expect(await forOwner()).to.have.length(3);
    const membership = await membershipOf('member');
    const gone = await admin.ask('DELETE', `/api/organization-memberships/${membership}`);
    expect(gone.status, gone.text).to.equal(204);

    expect(await stored(own)).to.equal(null);
    expect(await stored(everywhere)).to.include({ owner: member.id });
    expect(await stored(shared)).to.include({ owner: null, isShared: true });
    expect(await statusFor(member, shared)).to.equal(404);
    expect(await forOwner()).to.deep.equal(['Failed builds']);
    expect(await forColleague()).to.deep.equal(['Ours']);
    expect((await change(admin, shared, { name: 'Still ours' })).status).to.equal(200);
    expect((await change(admin, shared, { 'is-shared': false })).refusal).to.equal(
      'invalid/mismatch',
    );
  });

  it('go with their organization, and tell no audit log', async () => {
    const { super: superAdmin } = world.people;
    const organization = world.id();
    await world.write((w) =>
      w.insert('organization', { id: organization, name: 'Brief', owner: superAdmin.id }),
    );
    const id = await saved(superAdmin, { organization, 'is-shared': true });
    const audited = await superAdmin.get(`/api/audit-events?organization=${organization}`);
    expect(audited.text).not.to.include(id);
    expect((await superAdmin.ask('DELETE', `/api/organizations/${organization}`)).status).to.equal(
      204,
    );
    expect(await stored(id)).to.equal(null);
  });
});
