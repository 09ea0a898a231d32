import { expect } from 'chai';
import { sql } from 'kysely';
import type { ResourceObject } from '#protocol/document.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, typeNames } from '#schema/index.ts';
import { recordAudit } from '#server/database/audit.ts';
import { prune } from '#server/database/prune.ts';
import { settleOnce } from '#server/api/change.ts';
import { callerOf } from '#server/identity/caller.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, Reply, World } from './world.ts';

type Event = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;

describe('the audit log', () => {
  let world: World;
  let as: World['people'];

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    as = world.people;
  });

  const events = async (query = '', who: Person = as.super): Promise<Event[]> => {
    const reply = await who.get(`/api/audit-events${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return reply.many.map(({ attributes }) => attributes ?? {});
  };
  /** What was written down while `work` was at work; the oldest first, without its date. */
  const told = async (work: () => Promise<unknown>): Promise<Event[]> => {
    const [last] = await world.server.parts.db.read((tx) =>
      tx.query(sql<{ readonly n: number }>`select coalesce(max(n), 0) as n from audit_events`),
    );
    await work();
    return world.server.parts.db.read((tx) =>
      tx.query<Event>(sql`select kind, actor_id as actor, actor_name as name, address,
        organization_id as organization, subject_type as type, subject_id as id,
        subject_name as subject, before, after from audit_events where n > ${last?.n ?? 0}
        order by n`),
    );
  };
  const patch = (who: Person, type: string, id: string, attributes: object, more = {}) =>
    who.ask('PATCH', `/api/${type}/${id}`, { data: { type, id, attributes, ...more } });
  const to = (type: string, id: string) => ({ data: { type, id } });
  const add = (who: Person, type: string, relationships: object, attributes = {}) =>
    who.ask('POST', `/api/${type}`, {
      data: { type, id: world.id(), attributes, relationships },
    });
  const ok = (reply: Reply) => {
    expect(reply.status, reply.text).to.be.lessThan(300);
    return reply;
  };
  const by = (who: 'super' | 'admin' | 'member') => ({
    actor: as[who].id,
    name: `${who} person`,
    address: '127.0.0.1',
  });
  const lakeside = () => ({ organization: world.ids.lakeside });
  const member = () => ({ type: 'users', id: as.member.id, subject: 'member person' });

  it('tells who locked and unlocked whom, from where, and what was before', async () => {
    const written = await told(async () => {
      ok(await patch(as.admin, 'users', as.member.id, { 'is-locked': true }));
      ok(await patch(as.super, 'users', as.member.id, { 'is-locked': false }));
    });
    const [locked, free] = [{ 'is-locked': true }, { 'is-locked': false }];
    expect(written).to.deep.equal([
      {
        kind: 'user-locked',
        ...by('admin'),
        ...lakeside(),
        ...member(),
        before: free,
        after: locked,
      },
      {
        kind: 'user-unlocked',
        ...by('super'),
        ...lakeside(),
        ...member(),
        before: locked,
        after: free,
      },
    ]);
  });

  it('tells of roles and of memberships, given and taken', async () => {
    const { db } = world.server.parts;
    const [role] = await db.read((tx) => tx.all('role', { roleName: 'Author' }));
    const { lakeside: organization, south } = world.ids;
    const user = to('users', as.member.id);
    const written = await told(async () => {
      const whole = { user, organization: to('organizations', organization) };
      const given = ok(
        await add(as.admin, 'user-roles', { ...whole, role: to('roles', role?.id ?? '') }),
      );
      const group = ok(
        await add(as.admin, 'group-memberships', { user, group: to('groups', south) }),
      );
      ok(await as.admin.ask('DELETE', `/api/user-roles/${given.one.id}`));
      ok(await as.admin.ask('DELETE', `/api/group-memberships/${group.one.id}`));
      const [membership] = await db.read((tx) =>
        tx.all('organizationMembership', { organization, user: as.author.id }),
      );
      ok(await as.admin.ask('DELETE', `/api/organization-memberships/${membership?.id ?? ''}`));
    });
    const common = { ...by('admin'), ...lakeside(), ...member() };
    const inSouth = { group: south, 'group-name': 'Lakeside South' };
    expect(written.slice(0, 4)).to.deep.equal([
      { kind: 'role-given', ...common, before: null, after: { role: 'Author' } },
      { kind: 'group-membership-added', ...common, before: null, after: inSouth },
      { kind: 'role-taken', ...common, before: { role: 'Author' }, after: null },
      { kind: 'group-membership-ended', ...common, before: inSouth, after: null },
    ]);
    const author = { type: 'users', id: as.author.id, subject: 'author person' };
    const ended = written.slice(4);
    expect(ended.map(({ kind }) => kind)).to.have.members([
      ...['membership-ended', 'role-taken', 'group-membership-ended'],
    ]);
    for (const one of ended)
      expect(one).to.deep.include({ ...by('admin'), ...lakeside(), ...author });
  });

  it('tells whose a project and an organization were, and whose they are', async () => {
    const { project, lakeside: organization } = world.ids;
    const owner = (id: string) => ({ owner: to('users', id) });
    const written = await told(async () => {
      ok(await patch(as.admin, 'projects', project, {}, { relationships: owner(as.admin.id) }));
      ok(
        await patch(
          as.super,
          'organizations',
          organization,
          {},
          { relationships: owner(as.builder.id) },
        ),
      );
    });
    const named = (who: 'admin' | 'builder') => ({
      owner: as[who].id,
      'owner-name': `${who} person`,
    });
    const owners = written.filter(({ kind }) => kind === 'owner-changed');
    expect(owners).to.deep.equal([
      {
        ...{ kind: 'owner-changed', ...by('admin'), ...lakeside() },
        ...{ type: 'projects', id: project, subject: 'Harvest' },
        ...{ before: named('builder'), after: named('admin') },
      },
      {
        ...{ kind: 'owner-changed', ...by('super'), ...lakeside() },
        ...{ type: 'organizations', id: organization, subject: 'Lakeside Press' },
        ...{ before: named('admin'), after: named('builder') },
      },
    ]);
  });

  it('tells of settings, of those alone that differ, and never a password in an address', async () => {
    const { public: project, harbor } = world.ids;
    const written = await told(async () => {
      ok(await patch(as.admin, 'projects', project, { 'allow-downloads': false, name: 'Renamed' }));
      ok(
        await patch(as.stranger, 'organizations', harbor, {
          'public-by-default': false,
          'website-url': 'https://ana:s3cret@harbor.test/',
        }),
      );
    });
    expect(written.map(({ kind }) => kind)).to.deep.equal(['settings-changed', 'settings-changed']);
    expect(written[0]).to.deep.include({
      ...{ type: 'projects', id: project, subject: 'Renamed' },
      ...{ before: { 'allow-downloads': true }, after: { 'allow-downloads': false } },
    });
    expect(written[1]?.before).to.deep.equal({ 'public-by-default': true, 'website-url': null });
    expect(JSON.stringify(written[1])).to.include('harbor.test').and.not.include('s3cret');
  });

  it('tells that a secret was set, replaced or cleared, and nothing of it', async () => {
    const { harbor } = world.ids;
    const tokens = ['first-engine-token', 'other-engine-token', null, null];
    const written = await told(async () => {
      for (const token of tokens)
        ok(
          await patch(as.stranger, 'organizations', harbor, {
            'build-engine-api-access-token': token,
          }),
        );
    });
    expect(written.map(({ kind }) => kind)).to.deep.equal([
      ...['secret-set', 'secret-replaced', 'secret-cleared'],
    ]);
    for (const one of written)
      expect(one).to.deep.include({
        ...{ type: 'organizations', id: harbor, before: null },
        after: { secret: 'build-engine-api-access-token' },
      });
  });

  const writeOnly = typeNames.flatMap((type) =>
    attributesOf(type).flatMap(([field, { isWriteOnly }]) =>
      isWriteOnly ? [{ type, field }] : [],
    ),
  );
  it('there is no write-only field without a test', () => {
    expect(writeOnly.map(({ field }) => field)).to.include.members([
      ...['buildEngineApiAccessToken', 'token', 'email'],
    ]);
  });
  for (const { type, field } of writeOnly) {
    it(`holds nothing of what was written into ${field} of ${type}, done or refused`, async () => {
      const secret = `${field}-${world.id()}@secret.test`.toLowerCase();
      const attributes = { [wireFieldOf(type, field)]: secret };
      const wire = wireTypeOf(type);
      const id = world.ids.lakeside;
      const operation = (op: string, data: object) => ({ op, data: { type: wire, ...data } });
      for (const who of [as.super, as.admin, as.member]) {
        await add(who, wire, { organization: to('organizations', id) }, attributes);
        await patch(who, wire, id, attributes);
        await who.ask('POST', '/api/operations', {
          operations: [operation('add', { attributes }), operation('update', { id, attributes })],
        });
      }
      const rows = await world.server.parts.db.read((tx) =>
        tx.query(sql<{ readonly text: string }>`select a::text as text from audit_events a`),
      );
      expect(rows.map(({ text }) => text).join('\n')).not.to.include(secret);
    });
  }

  it('tells who was refused what, by request, by batch and by call', async () => {
    const { lakeside: organization, project, product } = world.ids;
    const url = `/api/organizations/${organization}`;
    const update = {
      op: 'update',
      data: { type: 'organizations', id: organization, attributes: { name: 'Mine' } },
    };
    const written = await told(async () => {
      expect(
        (await patch(as.member, 'organizations', organization, { name: 'Mine' })).status,
      ).to.equal(403);
      for (const prefer of ['handling=lenient', 'handling=strict'])
        await as.member.ask(
          'POST',
          '/api/operations',
          { operations: [update] },
          { Prefer: prefer },
        );
      const body = { state: 'Approval', from: null, comment: '' };
      const json = { 'Content-Type': 'application/json' };
      await as.member.ask('POST', `/api/products/${product}/workflow/state`, body, json);
      await as.member.ask('POST', `${url}/build-engine/check`, {}, json);
      // Reading what one may not is no change.
      await as.member.get(`/api/projects/${project}/repository`);
    });
    const refused = { kind: 'refused', ...by('member'), ...lakeside(), before: null };
    const press = { type: 'organizations', id: organization, subject: 'Lakeside Press' };
    const code = 'forbidden';
    expect(written).to.deep.equal([
      { ...refused, ...press, after: { request: 'PATCH /api/organizations/:id', code } },
      { ...refused, ...press, after: { request: 'update organizations', code } },
      { ...refused, ...press, after: { request: 'update organizations', code } },
      {
        ...{ ...refused, type: 'products', id: product, subject: 'Harvest' },
        after: { request: 'POST /api/products/:id/workflow/state', code },
      },
      {
        ...refused,
        ...press,
        after: { request: 'POST /api/organizations/:id/build-engine/check', code },
      },
    ]);
  });

  it('tells of a change that was rolled back its refusal alone', async () => {
    const lock = (id: string) => ({
      op: 'update',
      data: { type: 'users', id, attributes: { 'is-locked': true } },
    });
    const give = {
      op: 'update',
      data: {
        type: 'organizations',
        id: world.ids.lakeside,
        relationships: { owner: to('users', as.member.id) },
      },
    };
    const written = await told(async () => {
      const operations = [lock(as.member.id), give];
      const reply = await as.admin.ask('POST', '/api/operations', { operations });
      expect(reply.status).to.equal(403);
    });
    expect(written.map(({ kind }) => kind)).to.deep.equal(['refused']);
    expect(await world.server.parts.db.read((tx) => tx.one('user', as.member.id))).to.include({
      isLocked: false,
    });
  });

  it('is written in the transaction of the change: what fails after it leaves neither', async () => {
    const { parts } = world.server;
    const caller = await callerOf(parts, as.super.token);
    const subject = { type: 'product', id: world.ids.product } as const;
    const written = await told(async () => {
      await settleOnce(parts, caller, null, [], async ({ write }) => {
        write.audit({ kind: 'workflow-moved', subject, before: null, after: null });
        await write.change('user', as.member.id, { isLocked: true });
        throw new Error('The disk is full');
      }).catch(() => null);
    });
    expect(written).to.deep.equal([]);
  });

  it('is not filled by one who is refused again and again', async () => {
    const operations = Array.from({ length: 100 }, () => ({
      op: 'remove',
      ref: { type: 'organizations', id: world.ids.lakeside },
    }));
    const written = await told(() =>
      as.author.ask('POST', '/api/operations', { operations }, { Prefer: 'handling=lenient' }),
    );
    expect(written.length).to.be.at.most(30);
  });

  describe('is read', () => {
    it('by super admins whole, by admins of their organizations, and by nobody else', async () => {
      const all = await events('?filter[kind]=settings-changed');
      const harbors = await events('?page[limit]=500', as.stranger);
      expect(new Set(all.map((one) => one['organization-id'])).size).to.be.greaterThan(1);
      expect(new Set(harbors.map((one) => one['organization-id']))).to.deep.equal(
        new Set([world.ids.harbor]),
      );
      for (const who of [as.author, as.member, as.nobody])
        expect((await who.get('/api/audit-events')).refusal).to.equal('forbidden');
      expect((await fetch(`${world.server.url}/api/audit-events`)).status).to.equal(401);
    });

    it('with an address only by super admins and by who it is of', async () => {
      const seen = await events('?page[limit]=500', as.admin);
      expect(seen.length).to.be.greaterThan(3);
      for (const { address, 'actor-id': actor } of seen)
        expect(address).to.equal(actor === as.admin.id ? '127.0.0.1' : null);
      const [own] = await events(`?filter[actor-id]=${as.admin.id}`);
      expect(own?.address).to.equal('127.0.0.1');
    });

    it('in the form of the specification, and changed by no request', async () => {
      const reply = await as.super.get('/api/audit-events?page[limit]=1');
      const [event] = reply.many as readonly [ResourceObject];
      expect(event.type).to.equal('audit-events');
      expect(Object.keys(event.attributes ?? {}).sort()).to.deep.equal([
        ...['actor-id', 'actor-name', 'address', 'after', 'at', 'before', 'kind'],
        ...['organization-id', 'subject-id', 'subject-name', 'subject-type'],
      ]);
      expect(reply.body.meta).to.have.nested.property('page.limit', 1);
      for (const method of ['POST', 'PATCH', 'DELETE', 'PUT'])
        expect((await as.super.ask(method, '/api/audit-events', {})).status, method).to.equal(405);
      expect((await as.super.get(`/api/audit-events/${event.id}`)).status).to.equal(404);
      const operations = [{ op: 'remove', ref: { type: 'audit-events', id: event.id } }];
      expect((await as.super.ask('POST', '/api/operations', { operations })).status).to.equal(404);
    });

    it('by filters, by sort and by pages, and by no others', async () => {
      const who = as.member.id;
      const only = async (query: string) => (await events(`?${query}&page[limit]=500`)).length;
      const all = await events('?page[limit]=500');
      const count = (test: (one: Event) => boolean) => all.filter(test).length;
      expect(await only('filter[kind]=in:user-locked,user-unlocked')).to.equal(
        count(({ kind }) => String(kind).startsWith('user-')),
      );
      expect(await only(`filter[subject-id]=${who}`)).to.equal(
        count((one) => one['subject-id'] === who),
      );
      expect(await only(`filter[actor-id]=${who}`)).to.equal(
        count((one) => one['actor-id'] === who),
      );
      expect(await only('filter[subject-type]=products')).to.equal(
        count((one) => one['subject-type'] === 'products'),
      );
      const { harbor } = world.ids;
      expect(await only(`filter[organization-id]=${harbor}`)).to.equal(
        count((one) => one['organization-id'] === harbor),
      );
      expect(await only('filter[at]=ge:2999-01-01')).to.equal(0);
      expect(await only('filter[at]=le:2999-01-01')).to.equal(all.length);
      const dates = (list: readonly Event[]) => list.map(({ at }) => String(at));
      expect(dates(all)).to.deep.equal(dates(all).toSorted().reverse());
      expect(dates(await events('?sort=at&page[limit]=500'))).to.deep.equal(dates(all).toSorted());
      const second = await as.super.get('/api/audit-events?page[limit]=2&page[offset]=2');
      expect(second.many.map(({ attributes }) => attributes)).to.deep.equal(all.slice(2, 4));

      for (const [query, code] of [
        ['filter[address]=127.0.0.1', 'invalid-parameter'],
        ['filter[before]=x', 'invalid-parameter'],
        ['filter[actor-id]=nobody', 'invalid-parameter'],
        ['filter[kind]=like:user', 'invalid-parameter'],
        ['filter[at]=2999-01-01', 'invalid-parameter'],
        ['filter[toString]=x', 'invalid-parameter'],
        ['sort=kind', 'invalid-parameter'],
        ['page[limit]=0', 'invalid-parameter'],
        ['page[size-of]=1', 'invalid-parameter'],
        ['include=actor', 'unknown-parameter'],
        ['search=x', 'unknown-parameter'],
      ] as const) {
        const reply = await as.super.get(`/api/audit-events?${query}`);
        expect([reply.status, reply.refusal], query).to.deep.equal([400, code]);
      }
    });

    it('counted to 10,000, and then told that there is more', async () => {
      const organization = world.ids.pier;
      const { db } = world.server.parts;
      const fill = (rows: number) =>
        db.transact((tx) =>
          tx.query(sql`insert into audit_events (kind, at, organization_id)
            select 'refused', now(), ${organization}::uuid from generate_series(1, ${rows}::int)`),
        );
      const meta = async () =>
        (
          await as.super.get(
            `/api/audit-events?page[limit]=20&filter[organization-id]=${organization}`,
          )
        ).body.meta;
      await fill(10_000);
      const page = { offset: 1, limit: 20, pages: 500 };
      expect(await meta()).to.deep.equal({ 'total-records': 10_000, page });
      await fill(1);
      expect(await meta()).to.deep.equal({
        'total-records': 10_000,
        page: { ...page, more: true },
      });
    });
  });

  it('is no part of the feed', async () => {
    const feed = await world.server.parts.db.read((tx) =>
      tx.query(sql<{ readonly type: string }>`select distinct type from feed`),
    );
    expect(feed.map(({ type }) => type)).not.to.include('auditEvent');
    const reply = await as.super.get('/api/changes');
    expect(reply.text).not.to.include('audit').and.not.include('settings-changed');
  });

  it('only grows: the database itself refuses to change or remove what is younger than 400 days', async () => {
    const { db, clock } = world.server.parts;
    const attempt = (statement: string) =>
      db
        .transact((tx) => tx.query(sql.raw(statement)))
        .then(
          () => 'done',
          (error: unknown) => String(error),
        );
    for (const statement of [
      'delete from audit_events',
      `update audit_events set actor_name = 'Somebody else'`,
      'update audit_events set before = null, after = null, address = null',
      'truncate audit_events',
    ])
      expect(await attempt(statement), statement).to.match(/kept as they are for 400 days/);

    const subject = { type: 'organization', id: world.ids.pier } as const;
    const facts = [{ kind: 'keys-rotated', subject, before: null, after: null }] as const;
    const writtenAt = (days: number) =>
      db.transact((tx) => recordAudit(tx, facts, { at: clock() - days * DAY_MS, by: null }));
    const ages = async () =>
      (await events('?filter[kind]=keys-rotated&sort=at')).map(({ at }) =>
        Math.round((clock() - Date.parse(String(at))) / DAY_MS),
      );
    await writtenAt(401);
    await writtenAt(399);
    expect(await ages()).to.deep.equal([401, 399]);
    expect((await prune(db, clock())).auditEvents).to.equal(1);
    expect(await ages()).to.deep.equal([399]);
    expect((await prune(db, clock() + 300 * DAY_MS)).auditEvents).to.equal(0);
  });
});
