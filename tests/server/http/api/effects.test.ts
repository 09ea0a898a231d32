import { expect } from 'chai';
import { wireTypeOf } from '#protocol/names.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { newId } from '../../../support/make.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, World } from './world.ts';

describe('what a write brings with it', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const create = (
    who: Person,
    type: TypeName,
    attributes: Readonly<Record<string, unknown>>,
    toOnes: Readonly<Record<string, string>> = {},
  ) => {
    const relationships = Object.fromEntries(
      Object.entries(toOnes).map(([name, id]) => {
        const to = toOnesOf(type).find(
          ([field]) => field === name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase()),
        )?.[1].to;
        return [name, { data: { type: wireTypeOf(to ?? type), id } }];
      }),
    );
    const data = { type: wireTypeOf(type), attributes, relationships };
    return who.ask('POST', `/api/${wireTypeOf(type)}`, { data });
  };
  const patch = (
    who: Person,
    type: TypeName,
    id: string,
    attributes: Readonly<Record<string, unknown>>,
    relationships: Readonly<Record<string, unknown>> = {},
  ) => {
    const data = { type: wireTypeOf(type), id, attributes, relationships };
    return who.ask('PATCH', `/api/${wireTypeOf(type)}/${id}`, { data });
  };

  /** The token in the newest mail to `email`. */
  function tokenMailedTo(email: string): string {
    const mail = world.letters.filter(({ to }) => to === email).at(-1);
    const link = mail?.values.link ?? '';
    return new URL(link).pathname.split('/').at(-1) ?? '';
  }

  describe('[J1, J2] a new project', () => {
    const place = () => ({
      organization: world.ids.lakeside,
      group: world.ids.north,
      type: world.ids.bookapp,
    });

    it('is owned by its maker and as public as the organization says [R90, R359, R416]', async () => {
      const { builder, admin } = world.people;
      await patch(admin, 'organization', world.ids.lakeside, { 'public-by-default': false });
      const made = await create(
        builder,
        'project',
        { name: ' N\u0065\u0301 ', language: 'fr' },
        place(),
      );
      expect(made.status, made.text).to.equal(201);
      expect(made.one.attributes).to.include({
        name: 'Né',
        'is-public': false,
        'allow-downloads': true,
      });
      expect(made.one.relationships?.owner?.data).to.deep.equal({ type: 'users', id: builder.id });
      await patch(admin, 'organization', world.ids.lakeside, { 'public-by-default': true });
    });

    it('is made by app builders, in a group of their own, for themselves', async () => {
      const { builder, member, author } = world.people;
      const fields = { name: 'P', language: 'en' };
      const refusals = [
        await create(member, 'project', fields, place()),
        await create(builder, 'project', fields, { ...place(), group: world.ids.south }),
        await create(builder, 'project', fields, { ...place(), owner: author.id }),
      ];
      expect(refusals.map(({ refusal }) => refusal)).to.deep.equal(Array(3).fill('forbidden'));
    });

    it('names all its mistakes at once [R265]', async () => {
      const { builder } = world.people;
      const reply = await create(
        builder,
        'project',
        { name: ' ', language: 5, nonsense: 1 },
        place(),
      );
      const found = reply.body.errors?.map(({ source, meta }) => [source?.pointer, meta?.rule]);
      expect(found).to.have.deep.members([
        ['/data/attributes/name', 'required'],
        ['/data/attributes/language', 'type'],
        ['/data/attributes/nonsense', 'unknown'],
      ]);
    });
  });

  describe('[J4] archiving', () => {
    it('reads the plain form of a moment as UTC, and the future as now [R233]', async () => {
      const { builder } = world.people;
      const { project } = world.ids;
      const plain = await patch(builder, 'project', project, {
        'date-archived': '2026-01-31 09:30:00',
      });
      expect(plain.one.attributes?.['date-archived']).to.equal('2026-01-31T09:30:00.000Z');
      const late = await patch(builder, 'project', project, {
        'date-archived': '2999-01-01T00:00:00Z',
      });
      expect(Date.parse(String(late.one.attributes?.['date-archived']))).to.be.at.most(Date.now());
      const again = await patch(builder, 'project', project, { 'date-archived': null });
      expect(again.one.attributes?.['date-archived']).to.equal(null);
    });

    it('is not for someone who only shares the group [R81, R303]', async () => {
      const { author } = world.people;
      const reply = await patch(author, 'project', world.ids.project, {
        'date-archived': '2026-01-31 09:30:00',
      });
      expect([reply.status, reply.refusal]).to.deep.equal([403, 'forbidden']);
      expect(reply.body.errors?.[0]?.source?.pointer).to.equal('/data/attributes/date-archived');
    });
  });

  it('[J6] tells the new owner and the former of a change they did not make [R119, R362]', async () => {
    const { admin, author, builder } = world.people;
    const { project } = world.ids;
    const owner = (id: string) => ({ owner: { data: { type: 'users', id } } });
    const given = await patch(admin, 'project', project, {}, owner(author.id));
    expect(given.status, given.text).to.equal(200);
    const told = async (who: Person) =>
      (await who.get('/api/notifications?sort=-date-created')).many[0]?.attributes?.['message-id'];
    expect(await told(author)).to.equal('projectOwnershipReceived');
    expect(await told(builder)).to.equal('projectOwnershipPassed');
    expect((await patch(builder, 'project', project, {}, owner(builder.id))).status).to.equal(200);
    const outside = await patch(admin, 'project', project, {}, owner(world.people.member.id));
    expect(outside.refusal).to.equal('invalid/no-membership');
  });

  describe('[9.3] an organization', () => {
    it('comes to who has the token, with all that its owner needs [R14, R162, R189, R321, R357]', async () => {
      const { super: superAdmin, nobody } = world.people;
      const invited = await create(superAdmin, 'organizationInvite', {
        'owner-email': 'hill@x.test',
        name: 'Hill',
      });
      expect(invited.text).not.to.include('token');
      const token = tokenMailedTo('hill@x.test');
      const without = await create(nobody, 'organization', { name: 'Hill Press' });
      expect(without.refusal).to.equal('forbidden');
      const wrong = await create(nobody, 'organization', { name: 'Hill', token: 'x'.repeat(43) });
      expect([wrong.status, wrong.refusal]).to.deep.equal([404, 'invite-not-found']);
      const made = await create(nobody, 'organization', { name: 'Hill Press', token });
      expect(made.status, made.text).to.equal(201);
      const path =
        '/api/users/current-user?include=organization-memberships,user-roles,group-memberships.group';
      const me = await nobody.get(path);
      const included = me.body.included ?? [];
      const roles = included
        .map(({ attributes }) => attributes?.['role-name'])
        .filter((name) => name);
      expect(roles).to.have.members(['OrganizationAdmin', 'AppBuilder']);
      const group = included.find(({ type }) => type === 'groups');
      expect(group?.attributes).to.include({ name: 'Hill Press', abbreviation: 'HP' });
      const twice = await create(nobody, 'organization', { name: 'Hill Press', token });
      expect([twice.status, twice.refusal]).to.deep.equal([403, 'invite-redeemed']);
      expect((await superAdmin.ask('DELETE', `/api/organizations/${made.one.id}`)).status).to.equal(
        204,
      );
    });

    it('[14.1] never shows the token of its engine, and forgets it when the address changes [R161, R187]', async () => {
      const { admin, member } = world.people;
      const { lakeside } = world.ids;
      const hint = (reply: { one: { attributes?: Readonly<Record<string, unknown>> } }) =>
        reply.one.attributes?.['build-engine-api-access-token-hint'];
      const secret = 'secret-token-of-many-letters-1234';
      const set = await patch(admin, 'organization', lakeside, {
        'build-engine-url': 'engine.example.org',
        'build-engine-api-access-token': secret,
      });
      expect(set.text).not.to.include(secret);
      expect(set.one.attributes?.['build-engine-url']).to.equal('https://engine.example.org');
      expect(hint(set)).to.equal('1234');
      expect(hint(await member.get(`/api/organizations/${lakeside}`))).to.equal(null);
      const moved = await patch(admin, 'organization', lakeside, {
        'build-engine-url': 'https://other.example.org',
      });
      expect(hint(moved)).to.equal(null);
      const inside = await patch(admin, 'organization', lakeside, {
        'build-engine-url': 'http://10.0.0.1/',
      });
      expect(inside.refusal).to.equal('invalid/url');
    });
  });

  describe('[9.2] an invitation', () => {
    it('makes a member with roles and groups, once, and tells the inviter [R7, R14, R164, R248, R324, R368]', async () => {
      const { admin, stranger } = world.people;
      const { lakeside, south } = world.ids;
      const attributes = {
        email: 'someone@x.test',
        'role-names': ['AppBuilder'],
        'group-ids': [south],
      };
      const invite = await create(admin, 'organizationMembershipInvite', attributes, {
        organization: lakeside,
      });
      expect(invite.status, invite.text).to.equal(201);
      const token = tokenMailedTo('someone@x.test');
      const path = `/api/organization-membership-invites/redeem/${token}`;
      const redeemed = await stranger.ask('PATCH', path);
      expect([redeemed.status, redeemed.one.attributes?.redeemed]).to.deep.equal([200, true]);
      const seen = await stranger.get('/api/projects?sort=name');
      expect(seen.many.map(({ attributes: of }) => of?.name)).to.include('Harvest');
      expect((await stranger.get(`/api/groups/${south}`)).status).to.equal(200);
      const twice = await stranger.ask('PATCH', path);
      expect([twice.status, twice.refusal]).to.deep.equal([403, 'invite-redeemed']);
      const none = await stranger.ask('PATCH', `${path.slice(0, -4)}aaaa`);
      expect([none.status, none.refusal]).to.deep.equal([404, 'invite-not-found']);
      const told = await admin.get('/api/notifications?sort=-date-created');
      expect(told.many[0]?.attributes?.['message-id']).to.equal('membershipInviteRedeemed');
      const [membership] = await world.server.parts.db.read((tx) =>
        tx.all('organizationMembership', { user: stranger.id, organization: lakeside }),
      );
      const gone = await admin.ask(
        'DELETE',
        `/api/organization-memberships/${membership?.id ?? ''}`,
      );
      expect(gone.status, gone.text).to.equal(204);
      expect((await stranger.get(`/api/groups/${south}`)).status).to.equal(404);
    });

    it('refuses who is a member already, ends too late, or is given more than an organization has [R192]', async () => {
      const { admin, member } = world.people;
      const to = { organization: world.ids.lakeside };
      const invite = (attributes: Readonly<Record<string, unknown>>) =>
        create(admin, 'organizationMembershipInvite', { email: 'x@x.test', ...attributes }, to);
      expect((await invite({ email: member.email })).refusal).to.equal('invalid/already-member');
      expect((await invite({ 'expires-at': '2999-01-01T00:00:00Z' })).refusal).to.equal(
        'invalid/range',
      );
      expect((await invite({ 'role-names': ['SuperAdmin'] })).refusal).to.equal('invalid/choice');
      expect((await invite({ 'group-ids': [world.ids.pier] })).refusal).to.equal(
        'invalid/reference',
      );
      expect((await invite({ 'group-ids': 'x' })).refusal).to.equal('invalid/type');
    });
  });

  describe('people', () => {
    it('are added by the address they sign in with [R143, R282]', async () => {
      const { admin, member } = world.people;
      const organization = world.ids.lakeside;
      const add = (email: string) =>
        create(admin, 'organizationMembership', { email }, { organization });
      expect((await add('nobody-has@this.test')).refusal).to.equal('invalid/no-such-user');
      const twice = await add(member.email.toUpperCase());
      expect([twice.status, twice.refusal]).to.deep.equal([409, 'already-exists']);
    });

    it('[2.7] stay while they own a project there', async () => {
      const { admin, builder } = world.people;
      const [membership] = await world.server.parts.db.read((tx) =>
        tx.all('organizationMembership', { user: builder.id }),
      );
      const reply = await admin.ask(
        'DELETE',
        `/api/organization-memberships/${membership?.id ?? ''}`,
      );
      expect([reply.status, reply.refusal]).to.deep.equal([409, 'in-use']);
      expect(reply.body.errors?.[0]?.meta?.by).to.have.property('projects');
    });

    it('get no role from themselves, and SuperAdmin from none but super admins [R185, R284, R300]', async () => {
      const { admin, member, super: superAdmin } = world.people;
      const roles = await admin.get('/api/roles');
      const idOf = (name: string) =>
        roles.many.find(({ attributes }) => attributes?.['role-name'] === name)?.id ?? '';
      const organization = world.ids.lakeside;
      const own = { user: admin.id, role: idOf('Author'), organization };
      expect((await create(admin, 'userRole', {}, own)).refusal).to.equal('forbidden');
      const high = { user: member.id, role: idOf('SuperAdmin') };
      expect((await create(admin, 'userRole', {}, high)).refusal).to.equal('forbidden');
      const wrong = { user: member.id, role: idOf('SuperAdmin'), organization };
      expect((await create(superAdmin, 'userRole', {}, wrong)).refusal).to.equal(
        'invalid/mismatch',
      );
    });

    it('are locked out at once [R22, R240, R322, R367]', async () => {
      const { super: superAdmin, nobody } = world.people;
      expect((await patch(superAdmin, 'user', nobody.id, { 'is-locked': true })).status).to.equal(
        200,
      );
      const reply = await nobody.get('/api/users/current-user');
      expect([reply.status, reply.refusal]).to.deep.equal([403, 'user-locked']);
      expect((await patch(superAdmin, 'user', nobody.id, { 'is-locked': false })).status).to.equal(
        200,
      );
      expect(
        (await patch(superAdmin, 'user', superAdmin.id, { 'is-locked': true })).refusal,
      ).to.equal('forbidden');
    });
  });

  describe('what is done by workflows', () => {
    it('refuses a product that cannot begin, with what is wrong [R115, R245, R290]', async () => {
      const { builder } = world.people;
      const { archived, public: open, workflow, definition, store } = world.ids;
      const product = { project: archived, 'product-definition': definition };
      expect((await create(builder, 'product', {}, product)).refusal).to.equal('invalid/required');
      const unknown = await create(builder, 'product', {}, { ...product, store });
      expect(unknown.refusal).to.equal('invalid/not-enabled');

      const workflowScheme = 'AppBuilders_Default_Html_Cloud';
      await world.write((w) => w.change('workflowDefinition', workflow, { workflowScheme }));
      const away = await create(builder, 'product', {}, { ...product, store });
      expect([away.status, away.refusal]).to.deep.equal([409, 'action-not-allowed']);
      expect(away.body.errors?.[0]?.meta?.reason).to.equal('archived');
      await world.write((w) => w.remove('product', world.ids.publicProduct));
      const early = await create(builder, 'product', {}, { ...product, project: open, store });
      expect([early.status, early.refusal]).to.deep.equal([409, 'not-ready']);
      await world.write(async (w) => {
        await w.change('workflowDefinition', workflow, { workflowScheme: null });
        await w.insert('product', {
          id: world.ids.publicProduct,
          project: open,
          productDefinition: definition,
          store,
          workflowState: 'Approval',
        });
      });
      const removal = await builder.ask('DELETE', `/api/products/${world.ids.product}`);
      expect([removal.status, removal.refusal]).to.deep.equal([409, 'not-ready']);
    });

    it('[7] names the first reason against an action [R207, R327, R328, R428]', async () => {
      const { builder, member, stranger } = world.people;
      const url = `/api/products/${world.ids.product}/actions`;
      expect((await builder.get(url)).one.attributes).to.deep.equal({ actions: [], types: [] });
      const refusal = async (who: Person, name: string) => {
        const reply = await who.ask('POST', `${url}/${name}`);
        return [reply.status, reply.refusal, reply.body.errors?.[0]?.meta?.reason ?? null];
      };
      expect(await refusal(stranger, 'rebuild')).to.deep.equal([404, 'not-found', null]);
      expect(await refusal(builder, 'jump')).to.deep.equal([404, 'not-found', null]);
      expect(await refusal(member, 'rebuild')).to.deep.equal([403, 'forbidden', null]);
      expect(await refusal(builder, 'Rebuild')).to.deep.equal([
        409,
        'action-not-allowed',
        'no-workflow',
      ]);
      expect(await refusal(builder, 'cancel')).to.deep.equal([
        409,
        'action-not-allowed',
        'not-running',
      ]);
      const named = await create(
        builder,
        'productActionRun',
        { action: 'jump' },
        { product: world.ids.product },
      );
      expect(named.refusal).to.equal('invalid/choice');
    });

    it('lists and refuses bulk runs as JSON [R330, R331]', async () => {
      const { builder } = world.people;
      const list = await builder.ask('POST', '/api/product-actions', {
        projects: [world.ids.project],
      });
      expect([list.status, list.body]).to.deep.equal([200, {}]);
      const body = { action: 'rebuild', products: [world.ids.product] };
      const run = await builder.ask('POST', '/api/product-actions/run', body);
      expect([run.status, run.refusal]).to.deep.equal([409, 'action-not-allowed']);
      expect(run.body.errors?.[0]?.meta?.refused).to.deep.equal([
        { id: world.ids.product, code: 'action-not-allowed', reason: 'no-workflow' },
      ]);
    });

    it('[11.6] reads history, for members alone [R326, R329]', async () => {
      const { builder, stranger } = world.people;
      const url = `/api/products/${world.ids.product}/transitions`;
      expect((await builder.get(url)).many.map(({ id }) => id)).to.deep.equal([
        world.ids.transition,
      ]);
      expect((await builder.get(`${url}/active`)).one.id).to.equal(world.ids.transition);
      const open = `/api/products/${world.ids.publicProduct}/transitions`;
      expect((await stranger.get(open)).many).to.deep.equal([]);
      expect((await stranger.get(`${open}/active`)).status).to.equal(404);
    });

    it('[11.6] calls active the first transition that is not done [R329]', async () => {
      const { builder } = world.people;
      const { product, transition } = world.ids;
      const [next, last] = [newId(), newId()];
      const dated = (dateTransition: string | null) =>
        world.write((w) => w.change('productTransition', transition, { dateTransition }));
      const active = () => builder.get(`/api/products/${product}/transitions/active`);
      await dated('2026-03-01T10:00:00.000Z');
      expect((await active()).status).to.equal(404);
      await world.write(async (w) => {
        for (const [id, initialState, destinationState] of [
          [last, 'App Builder Configuration', 'Synchronize Data'],
          [next, 'Approval', 'App Builder Configuration'],
        ] as const) {
          const states = { initialState, destinationState };
          await w.insert('productTransition', { id, product, transitionType: 1, ...states });
        }
      });
      expect((await active()).one.id).to.equal(next);
      await world.write(async (w) => {
        for (const id of [next, last]) await w.remove('productTransition', id);
      });
      await dated(null);
    });

    it('[11.7] takes no command for a state that has passed, nor for another’s task', async () => {
      const { builder, member } = world.people;
      const command = { command: 'Continue', state: 'Approval' };
      const task = { 'user-task': world.ids.task };
      const moved = await create(builder, 'taskCommand', command, task);
      expect([moved.status, moved.refusal]).to.deep.equal([409, 'workflow-state-changed']);
      expect((await create(member, 'taskCommand', command, task)).status).to.equal(404);
    });

    it('checks an import in full before it is accepted [R360]', async () => {
      const { admin } = world.people;
      const { lakeside, north, bookapp } = world.ids;
      const to = { organization: lakeside, group: north, type: bookapp };
      const bad = await create(admin, 'projectImport', { 'import-data': '{' }, to);
      expect(bad.refusal).to.equal('invalid/json');
      const data = JSON.stringify({ Projects: [{ Name: 'A', Language: 'en' }] });
      const good = await create(admin, 'projectImport', { 'import-data': data }, to);
      expect([good.status, good.refusal]).to.deep.equal([201, null]);
    });
  });

  it('[11.8] reads and removes all notifications of the caller at once', async () => {
    const { builder } = world.people;
    expect((await builder.ask('POST', '/api/notifications/read-all')).status).to.equal(204);
    const unread = await builder.get('/api/notifications?filter[date-read]=isnull:');
    expect(unread.many).to.deep.equal([]);
    expect((await builder.ask('DELETE', '/api/notifications/all')).status).to.equal(204);
    expect((await builder.get('/api/notifications')).many).to.deep.equal([]);
  });
});
