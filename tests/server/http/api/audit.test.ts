import { expect } from 'chai';
import { sql } from 'kysely';
import { auditLogFrom } from '#protocol/audit.ts';
import type { AuditLog } from '#protocol/audit.ts';
import type { ResourceObject } from '#protocol/document.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, typeNames } from '#schema/index.ts';
import { auditRefused, closeRefusals, openRefusals } from '#server/http/audit/refusal-windows.ts';
import { recordAudit } from '#server/access/audit.ts';
import { prune } from '#server/db/prune.ts';
import { performCall } from '#server/domain/writes/perform-change.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { aRecord } from '../../../support/make.ts';
import { OwnTime } from '../../../support/own-time.ts';
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
  /** Returns every event that `query` finds, however many pages there are. */
  const everyEvent = async (query = ''): Promise<Event[]> => {
    const found: Event[] = [];
    for (let page = 1; ; page += 1) {
      const more = await events(`?page[limit]=500&${query}&page[offset]=${String(page)}`);
      found.push(...more);
      if (more.length < 500) return found;
    }
  };
  /**
   * Returns the events that were written while `work` ran; the oldest first, without their dates.
   */
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

  it('tells of roles and of memberships, given and taken [R186, R194, R366]', async () => {
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
      ...['membership-ended', 'role-taken', 'group-membership-ended', 'author-removed'],
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

  it('tells which stores and product definitions an organization may use, and may no longer [R195, R298]', async () => {
    const { harbor } = world.ids;
    const { db } = world.server.parts;
    const store = await aRecord(db, 'store', { name: 'logged_store' });
    const definition = await aRecord(db, 'productDefinition', { name: 'Logged definition' });
    const organization = to('organizations', harbor);
    const written = await told(async () => {
      const both = [
        ['organization-stores', { organization, store: to('stores', store.id) }],
        [
          'organization-product-definitions',
          { organization, 'product-definition': to('product-definitions', definition.id) },
        ],
      ] as const;
      for (const [type, relationships] of both) {
        const { one } = ok(await add(as.super, type, relationships));
        ok(await as.super.ask('DELETE', `/api/${type}/${one.id}`));
      }
    });
    const common = { kind: 'settings-changed', ...by('super'), organization: harbor };
    const about = { ...common, type: 'organizations', id: harbor, subject: 'Harbor Media' };
    const values = [
      { store: store.id, 'store-name': 'logged_store' },
      { 'product-definition': definition.id, 'product-definition-name': 'Logged definition' },
    ];
    expect(written).to.deep.equal(
      values.flatMap((value) => [
        { ...about, before: null, after: value },
        { ...about, before: value, after: null },
      ]),
    );
  });

  it('tells of settings, of those alone that differ, and never a password in an address [R5, R361]', async () => {
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
      before: { 'allow-downloads': true, name: 'Öffentlich' },
      after: { 'allow-downloads': false, name: 'Renamed' },
    });
    expect(written[1]?.before).to.deep.equal({ 'public-by-default': true, 'website-url': null });
    expect(JSON.stringify(written[1])).to.include('harbor.test').and.not.include('s3cret');
  });

  /** The token of the last mail to `email`. */
  const tokenTo = (email: string) => {
    const mail = world.letters.findLast(({ to: whom }) => whom === email);
    const link = mail !== undefined && 'link' in mail.values ? mail.values.link : '';
    return new URL(link).pathname.split('/').at(-1) ?? '';
  };
  const invite = async (email: string) => {
    const { lakeside: organization, south } = world.ids;
    const attributes = { email, 'role-names': ['AppBuilder'], 'group-ids': [south] };
    const relationships = { organization: to('organizations', organization) };
    const type = 'organization-membership-invites';
    return ok(await add(as.admin, type, relationships, attributes)).one.id;
  };

  it('tells what an invitation gives, who made and who withdrew it, and never its token', async () => {
    const email = `kim@${world.id()}.test`;
    let id = '';
    const written = await told(async () => {
      id = await invite(email);
      ok(await as.super.ask('DELETE', `/api/organization-membership-invites/${id}`));
    });
    const common = { ...lakeside(), type: 'organization-membership-invites', id, subject: null };
    const [made, withdrawn] = written;
    const values = { email, 'role-names': ['AppBuilder'], 'group-ids': [world.ids.south] };
    expect(written.length).to.equal(2);
    expect(made).to.deep.include({ kind: 'invitation-made', ...by('admin'), ...common });
    expect(made?.after).to.deep.include(values);
    expect(withdrawn).to.deep.include({ kind: 'invitation-withdrawn', ...by('super'), ...common });
    expect(withdrawn?.before).to.deep.include(values);
    expect(JSON.stringify(written)).not.to.include(tokenTo(email));
  });

  it('tells of what a redeemed invitation gives who invited', async () => {
    const email = `lee@${world.id()}.test`;
    let [id, token] = ['', ''];
    const written = await told(async () => {
      id = await invite(email);
      token = tokenTo(email);
      ok(await as.nobody.ask('PATCH', `/api/organization-membership-invites/redeem/${token}`));
    });
    const inviter = { 'invited-by': as.admin.id, 'invited-by-name': 'admin person' };
    const given = written.filter(({ kind }) => kind !== 'invitation-made');
    const south = { group: world.ids.south, 'group-name': 'Lakeside South' };
    for (const one of given)
      expect(one).to.deep.include({ actor: as.nobody.id, ...lakeside(), before: null });
    expect(given.map(({ kind, id: of, after }) => ({ kind, of, after }))).to.have.deep.members([
      { kind: 'invitation-redeemed', of: id, after: inviter },
      { kind: 'membership-added', of: as.nobody.id, after: inviter },
      { kind: 'role-given', of: as.nobody.id, after: { role: 'AppBuilder', ...inviter } },
      { kind: 'group-membership-added', of: as.nobody.id, after: { ...south, ...inviter } },
    ]);
    expect(JSON.stringify(written)).not.to.include(token);
  });

  it('tells of an invitation to found an organization, of each change, and of who founded one by it', async () => {
    const ownerEmail = `ada@${world.id()}.test`;
    let id = '';
    const written = await told(async () => {
      const attributes = { name: 'Ada Books', 'owner-email': ownerEmail };
      ({ id } = ok(await add(as.super, 'organization-invites', {}, attributes)).one);
      const token = tokenTo(ownerEmail);
      ok(await patch(as.super, 'organization-invites', id, { name: 'Ada & Co' }));
      ok(
        await add(
          as.builder,
          'organizations',
          { owner: to('users', as.builder.id) },
          { token, name: 'Ada & Co' },
        ),
      );
    });
    const about = written.filter(({ type }) => type === 'organization-invites');
    expect(about.map(({ kind, actor, id: of }) => [kind, actor, of])).to.deep.equal([
      ['invitation-made', as.super.id, id],
      ['invitation-changed', as.super.id, id],
      ['invitation-redeemed', as.builder.id, id],
    ]);
    expect(about[0]?.after).to.deep.include({ name: 'Ada Books', 'owner-email': ownerEmail });
    expect(about[1]).to.deep.include({
      before: { name: 'Ada Books' },
      after: { name: 'Ada & Co' },
    });
  });

  it('shows nothing of a person to an organization whose membership they have not accepted', async () => {
    const { harbor } = world.ids;
    const { id: user } = as.member;
    const membership = { id: world.id(), user, organization: harbor, dateAccepted: null };
    const locking = async () => {
      ok(await patch(as.super, 'users', user, { 'is-locked': true }));
      ok(await patch(as.super, 'users', user, { 'is-locked': false }));
    };
    const organizations = (written: readonly Event[]) =>
      written.map(({ kind, organization }) => [kind, organization]);
    const ofMembership = await told(() =>
      world.write((w) => w.insert('organizationMembership', membership)),
    );
    expect(organizations(ofMembership)).to.deep.equal([['membership-added', harbor]]);
    expect(organizations(await told(locking))).to.deep.equal([
      ['user-locked', world.ids.lakeside],
      ['user-unlocked', world.ids.lakeside],
    ]);

    // A person of no other organization is nobody's.
    const stray = { id: world.id(), user: as.super.id, organization: harbor, dateAccepted: null };
    const subject = { type: 'user', id: as.super.id } as const;
    const facts = [{ kind: 'password-reset', subject, before: null, after: null }] as const;
    const written = await told(async () => {
      await world.write((w) => w.insert('organizationMembership', stray));
      const { db, clock } = world.server.parts;
      await db.transact((tx) => recordAudit(tx, facts, { at: clock(), by: null }));
    });
    expect(organizations(written)).to.deep.equal([
      ['membership-added', harbor],
      ['password-reset', null],
    ]);
    await world.write(async (w) => {
      await w.remove('organizationMembership', membership.id);
      await w.remove('organizationMembership', stray.id);
    });
  });

  it('tells of authors, of archiving, of automatic builds and of a move to another group [R233, R237, R362]', async () => {
    const { project, north, south } = world.ids;
    const written = await told(async () => {
      const { db, clock } = world.server.parts;
      const author = { id: world.id(), user: as.builder.id, project: world.ids.public };
      const cause = { at: clock(), by: as.admin.id, changes: [], address: '127.0.0.1' };
      await db.write(cause, (w) => w.insert('author', author));
      ok(await as.admin.ask('DELETE', `/api/authors/${author.id}`));
      ok(await patch(as.super, 'projects', project, { 'automatic-builds': false }));
      ok(
        await patch(
          as.super,
          'projects',
          project,
          {},
          {
            relationships: { group: to('groups', south) },
          },
        ),
      );
      ok(
        await patch(as.super, 'projects', project, { 'date-archived': '2026-02-01T00:00:00.000Z' }),
      );
      ok(await patch(as.super, 'projects', project, { 'date-archived': null }));
      await world.write((w) => w.change('project', project, { group: north }));
    });
    const of = { project: world.ids.public, 'project-name': 'Renamed' };
    const author = { type: 'users', id: as.builder.id, subject: 'builder person', ...lakeside() };
    expect(written[0]).to.deep.include({ kind: 'author-added', ...by('admin'), ...author });
    expect(written[0]?.after).to.deep.equal(of);
    expect(written[1]).to.deep.include({ kind: 'author-removed', ...author, before: of });
    const settings = written.slice(2);
    for (const one of settings)
      expect(one).to.deep.include({ kind: 'settings-changed', ...lakeside(), id: project });
    expect(settings.map(({ after }) => Object.keys(after as object))).to.deep.equal([
      ['automatic-builds'],
      ['group', 'group-name'],
      ['date-archived'],
      ['date-archived'],
      ['group', 'group-name'],
    ]);
    expect(settings[1]).to.deep.include({
      before: { group: north, 'group-name': 'Lakeside North' },
      after: { group: south, 'group-name': 'Lakeside South' },
    });
  });

  it('tells which properties of a product changed, and no value that may be a key to something', async () => {
    const { publicProduct } = world.ids;
    const environment = (more: object) => JSON.stringify({ environment: more });
    const needed = { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: 'latest' };
    const change = (more: object) =>
      patch(as.super, 'products', publicProduct, {
        properties: environment({ ...needed, ...more }),
      });
    const written = await told(async () => {
      ok(await change({ PACKAGE_NAME: 'org.one.app', API_KEY: 's3cret-one', KEPT: 'kept' }));
      ok(await change({ PACKAGE_NAME: 'org.two.app', API_KEY: 's3cret-two', KEPT: 'kept' }));
      const many = Object.fromEntries(
        Array.from({ length: 900 }, (_, n) => [`😀NAME_${n}`, 's3cret']),
      );
      ok(await change(many));
    });
    expect(written.length).to.equal(3);
    expect(written[1]).to.deep.include({
      ...{ kind: 'settings-changed', type: 'products', id: publicProduct },
      before: { properties: environment({ PACKAGE_NAME: 'org.one.app', API_KEY: '…' }) },
      after: { properties: environment({ PACKAGE_NAME: 'org.two.app', API_KEY: '…' }) },
    });
    const text = JSON.stringify(written);
    expect(text).not.to.include('s3cret').and.not.include('kept');
    expect((written[2]?.after as { properties: string }).properties.length).to.be.at.most(501);
  });

  it('tells of stores, store types, workflow and product definitions, made, changed and removed [R6, R202, R209, R210, R211]', async () => {
    const { storeType, bookapp, workflow } = world.ids;
    // The place where it is cut lies inside the first emoji.
    const description = `${'x'.repeat(499)}${'😀'.repeat(1_000)}`;
    const cases = [
      ['store-types', {}, {}],
      ['stores', { 'store-type': to('store-types', storeType) }, {}],
      [
        'workflow-definitions',
        { 'store-type': to('store-types', storeType) },
        { type: 1, properties: '{"token":"s3cret"}' },
      ],
      [
        'product-definitions',
        { type: to('application-types', bookapp), workflow: to('workflow-definitions', workflow) },
        {},
      ],
    ] as const;
    for (const [type, relationships, attributes] of cases) {
      const name = `logged ${type}`;
      const written = await told(async () => {
        const made = ok(await add(as.super, type, relationships, { name, ...attributes }));
        ok(await patch(as.super, type, made.one.id, { description }));
        ok(await as.super.ask('DELETE', `/api/${type}/${made.one.id}`));
      });
      expect(written.length, type).to.equal(3);
      for (const one of written)
        expect(one).to.deep.include({
          ...{ kind: 'settings-changed', ...by('super'), organization: null, type },
        });
      const [made, changed, removed] = written;
      expect([made?.before, removed?.after], type).to.deep.equal([null, null]);
      expect(made?.after).to.include({ name });
      expect(removed?.before).to.include({ name });
      expect(changed?.before).to.deep.equal({ description: null });
      expect(changed?.after).to.deep.equal({ description: `${'x'.repeat(499)}…` });
      expect(JSON.stringify(written).length, type).to.be.at.most(4_000);
      expect(JSON.stringify(written), type).not.to.include('s3cret');
    }
  });

  it('tells both organizations of a package name that a super admin moved, and neither of the other', async () => {
    const { harbor, lakeside: organization } = world.ids;
    const name = `org.moved.n${world.id().replaceAll('-', '')}`;
    await world.write((w) =>
      w.query(sql`insert into package_names (name, organization_id, since)
        values (${name}, ${organization}, now())`),
    );
    const move = (to: string) =>
      as.super.ask(
        'PUT',
        `/api/package-names/${name}`,
        { organization: to, reason: 'They were first' },
        { 'Content-Type': 'application/json' },
      );
    const written = await told(async () => {
      ok(await move(harbor));
      ok(await move(harbor));
    });
    const value = { 'package-name': name };
    const reason = { reason: 'They were first' };
    expect(written).to.deep.equal([
      {
        ...{ kind: 'package-name-taken', ...by('super'), organization },
        ...{ type: 'organizations', id: organization, subject: 'Lakeside Press' },
        ...{ before: value, after: reason },
      },
      {
        ...{ kind: 'package-name-given', ...by('super'), organization: harbor },
        ...{ type: 'organizations', id: harbor, subject: 'Harbor Media' },
        ...{ before: null, after: { ...value, ...reason } },
      },
    ]);
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
      for (const read of ['repository', 'repository/link'])
        expect((await as.member.get(`/api/projects/${project}/${read}`)).status).to.equal(403);
      await as.member.ask('HEAD', `/api/projects/${project}/repository`);
      expect((await as.member.get('/api/audit-events')).status).to.equal(403);
      // A hidden record counts as missing, and a missing one is no refusal.
      await as.stranger.get(`/api/projects/${project}/repository`);
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
      ...['GET /api/projects/:id/repository', 'GET /api/projects/:id/repository/link'].map(
        (request) => ({
          ...{ ...refused, type: 'projects', id: project, subject: 'Harvest' },
          after: { request, code },
        }),
      ),
      {
        ...{ ...refused, type: 'projects', id: project, subject: 'Harvest' },
        after: { request: 'HEAD /api/projects/:id/repository', code },
      },
      {
        ...{ ...refused, organization: null, type: null, id: null, subject: null },
        after: { request: 'GET /api/audit-events', code },
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
    const { parts: services } = world.server;
    const caller = await callerOf(services, as.super.token);
    const subject = { type: 'product', id: world.ids.product } as const;
    const written = await told(async () => {
      await performCall(services, caller, null, [], async ({ write }) => {
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

  describe('tells how many refusals of a person it left out', () => {
    const MINUTE_MS = 60_000;
    let now = 0;
    let time: OwnTime;
    let services: World['server']['parts'];

    beforeEach(() => {
      now = world.server.parts.clock();
      time = new OwnTime();
      services = { ...world.server.parts, clock: () => now };
      openRefusals(services, time);
    });

    const refuse = (who: Person, wanted: number) => {
      const fact = { kind: 'refused', subject: null, before: null, after: null } as const;
      return auditRefused(services, { by: who.id, address: '192.0.2.1' }, wanted, (_tx, some) =>
        Promise.resolve(Array.from({ length: some }, () => fact)),
      );
    };
    const left = (written: readonly Event[]) =>
      written.filter(({ kind }) => kind === 'refusals-left-out');
    const leftOut = (count: number) => ({
      ...{ kind: 'refusals-left-out', actor: as.member.id, name: 'member person' },
      ...{ address: '192.0.2.1', ...lakeside(), ...member(), before: null },
      after: { count },
    });

    it('with the next one that is written', async () => {
      const written = await told(async () => {
        await refuse(as.member, 20);
        await refuse(as.member, 20);
        await refuse(as.member, 7);
        now += MINUTE_MS;
        await refuse(as.member, 1);
        await refuse(as.member, 1);
      });
      expect(left(written)).to.deep.equal([leftOut(17)]);
      expect(written.length).to.equal(30 + 1 + 2);
    });

    it('with the next one of anybody else', async () => {
      const written = await told(async () => {
        await refuse(as.member, 31);
        now += MINUTE_MS;
        await refuse(as.stranger, 1);
      });
      expect(left(written)).to.deep.equal([leftOut(1)]);
    });

    it('when the minute ends and nobody else is refused', async () => {
      const written = await told(async () => {
        await refuse(as.member, 35);
        now += MINUTE_MS;
        time.pass(MINUTE_MS);
        await closeRefusals(services);
      });
      expect(left(written)).to.deep.equal([leftOut(5)]);
      expect(time.waiting).to.equal(0);
    });

    it('when the server stops before the minute has ended', async () => {
      const written = await told(async () => {
        await refuse(as.member, 32);
        await closeRefusals(services);
      });
      expect(left(written)).to.deep.equal([leftOut(2)]);
      expect(time.waiting).to.equal(0);
    });
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
      const only = async (query: string) => (await everyEvent(query)).length;
      const all = await everyEvent();
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
      expect(dates(await everyEvent('sort=at'))).to.deep.equal(dates(all).toSorted());
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

    it('by 20 filters at most', async () => {
      const query = (count: number) =>
        Array.from({ length: count }, () => 'filter[kind]=refused').join('&');
      ok(await as.super.get(`/api/audit-events?${query(20)}`));
      for (const count of [21, 600]) {
        const reply = await as.super.get(`/api/audit-events?${query(count)}`);
        expect([reply.status, reply.refusal]).to.deep.equal([400, 'invalid-parameter']);
      }
    });

    describe('by the page of the log', () => {
      const log = async (query = '', who: Person = as.super): Promise<AuditLog> => {
        const reply = await who.get(`/api/audit-events${query}`);
        expect(reply.status, reply.text).to.equal(200);
        const read = auditLogFrom(reply.body);
        if (read === null) throw new Error('It is not the form of a page');
        return read;
      };

      it('as it reads them from the list', async () => {
        const listed = await as.super.get('/api/audit-events?page[limit]=5');
        const { events: found, total, isMore } = await log('?page[limit]=5');
        expect(found.map(({ id }) => id)).to.deep.equal(listed.many.map(({ id }) => id));
        expect(found.map(({ subjectName }) => subjectName)).to.deep.equal(
          listed.many.map(({ attributes }) => attributes?.['subject-name']),
        );
        expect(total).to.equal(listed.body.meta?.['total-records']);
        const { more } = listed.body.meta?.page as { readonly more?: boolean };
        expect(isMore).to.equal(more ?? false);
      });

      it('by nobody who is no admin, and not of an organization that one is no admin of', async () => {
        for (const who of [as.author, as.member, as.nobody])
          expect((await who.get('/api/audit-events')).refusal).to.equal('forbidden');
        expect((await fetch(`${world.server.url}/api/audit-events`)).status).to.equal(401);
        const { harbor, lakeside: own } = world.ids;
        const of = (id: string) => `?filter[organization-id]=eq:${id}`;
        expect((await log(of(harbor), as.stranger)).total).to.be.greaterThan(0);
        expect(await log(of(harbor), as.admin)).to.deep.equal({
          events: [],
          total: 0,
          isMore: false,
        });
        // Whatever else is asked for, the others' events are left out.
        const { events: seen } = await log('?page[limit]=500', as.admin);
        expect(new Set(seen.map(({ organizationId }) => organizationId))).to.deep.equal(
          new Set([own]),
        );
        for (const { address, actorId } of seen)
          expect(address === null || actorId === as.admin.id).to.equal(true);
      });

      it('of some time, from one moment to another', async () => {
        const all = await log('?page[limit]=500');
        const [newest] = all.events;
        const at = newest?.at ?? '';
        const same = all.events.filter((one) => one.at === at).length;
        const found = await log(`?filter[at]=ge:${at}&filter[at]=le:${at}`);
        expect([found.total, found.events[0]?.id]).to.deep.equal([same, newest?.id]);
      });

      it('of no page and by no filter that is none', async () => {
        const beyond = await log('?page[offset]=999999999999&page[limit]=500');
        expect(beyond.events).to.deep.equal([]);
        for (const query of [
          ...['page[offset]=0', 'page[offset]=-1', 'page[offset]=1e9', 'page[limit]=9999999999999'],
          ...[
            "filter[actor-id]=eq:1' or '1'='1",
            'filter[actor-id]=in:',
            'filter[at]=ge:0000-00-00',
          ],
          ...["filter[kind'] or 1=1 --]=x", 'filter[kind]=isnull:', 'filter[n]=1', 'sort=-at,kind'],
        ]) {
          const reply = await as.super.get(`/api/audit-events?${encodeURI(query)}`);
          expect([reply.status, query]).to.deep.equal([400, query]);
        }
        // Compared as it is, and so found nowhere.
        const kind = encodeURIComponent("eq:x' or true; drop table audit_events; --");
        expect((await log(`?filter[kind]=${kind}`)).total).to.equal(0);
        expect((await log()).total).to.be.greaterThan(0);
      });
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
