import { expect } from 'chai';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { World } from './world.ts';

describe('[wire 7.1] resource addresses', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const projectUrl = () => `/api/projects/${world.ids.project}`;
  const patch = (attributes: Readonly<Record<string, unknown>>, headers = {}) =>
    world.people.builder.ask(
      'PATCH',
      projectUrl(),
      { data: { type: 'projects', id: world.ids.project, attributes } },
      headers,
    );

  it('answers a known tag with 304, and another caller with another tag', async () => {
    const { builder, admin } = world.people;
    const first = await builder.get(projectUrl());
    const tag = first.headers.get('ETag') ?? '';
    const again = await builder.get(projectUrl(), { 'If-None-Match': tag });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect((await admin.get(projectUrl())).headers.get('ETag')).not.to.equal(tag);
  });

  it('honours If-Match, and does not take a stale version for a verdict', async () => {
    const { builder } = world.people;
    const tag = (await builder.get(projectUrl())).headers.get('ETag') ?? '';
    expect((await patch({ description: 'a' }, { 'If-Match': tag })).status).to.equal(200);
    const key = { 'Idempotency-Key': world.id() };
    const stale = await patch({ description: 'b' }, { 'If-Match': tag, ...key });
    expect([stale.status, stale.refusal]).to.deep.equal([412, 'precondition-failed']);
    expect((await patch({ description: 'b' }, key)).status).to.equal(200);
    expect((await patch({ description: 'c' }, { 'If-Match': '*' })).status).to.equal(200);
  });

  it('[7.2] ignores what the server sets and what stays equal, and refuses what is fixed', async () => {
    const ignored = await patch({ 'workflow-project-url': 'x', 'date-created': 'y' });
    expect(ignored.one.attributes?.['workflow-project-url']).to.equal(null);
    expect((await patch({ 'organization-id': world.ids.lakeside })).status).to.equal(200);
    const moved = await patch({ 'organization-id': world.ids.harbor });
    expect([moved.status, moved.refusal]).to.deep.equal([422, 'invalid/immutable']);
    expect((await patch({ titel: 'x' })).refusal).to.equal('invalid/unknown');
  });

  it('[3] reads the id spelling of a to-one, and refuses two that differ', async () => {
    const { builder } = world.people;
    const data = {
      type: 'projects',
      id: world.ids.project,
      attributes: { 'owner-id': builder.id },
      relationships: { owner: { data: null } },
    };
    const reply = await builder.ask('PATCH', projectUrl(), { data });
    expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/mismatch']);
  });

  it('refuses documents that do not fit the address', async () => {
    const { builder } = world.people;
    const send = (body: unknown) => builder.ask('PATCH', projectUrl(), body);
    expect((await send({})).refusal).to.equal('invalid-document');
    expect((await send({ data: [] })).refusal).to.equal('invalid-document');
    const other = { type: 'groups', id: world.ids.project };
    expect((await send({ data: other })).refusal).to.equal('wrong-target');
    const elsewhere = { type: 'projects', id: world.ids.public };
    expect((await send({ data: elsewhere })).refusal).to.equal('wrong-target');
    const made = await builder.ask('POST', '/api/projects', {
      data: { type: 'projects', id: 'x' },
    });
    expect(made.status).to.equal(422);
    expect((await builder.get('/api/projects/x')).status).to.equal(404);
  });

  it('refuses linkage of a to-many in a body unless it states what is', async () => {
    const { builder } = world.people;
    const send = (data: readonly unknown[]) =>
      builder.ask('PATCH', projectUrl(), {
        data: { type: 'projects', id: world.ids.project, relationships: { reviewers: { data } } },
      });
    expect((await send([{ type: 'reviewers', id: world.ids.reviewer }])).status).to.equal(200);
    const emptied = await send([]);
    expect([emptied.status, emptied.refusal]).to.deep.equal([403, 'forbidden']);
    expect(emptied.body.errors?.[0]?.source?.pointer).to.equal('/data/relationships/reviewers');
  });

  describe('relationships', () => {
    it('write a to-one as PATCH of the record does [R362]', async () => {
      const { builder, stranger } = world.people;
      const url = `${projectUrl()}/relationships/owner`;
      expect((await builder.get(url)).body.data).to.deep.equal({ type: 'users', id: builder.id });
      const data = { type: 'users', id: world.people.author.id };
      expect((await builder.ask('PATCH', url, { data })).status).to.equal(204);
      expect((await builder.get(url)).body.data).to.deep.equal(data);
      expect((await stranger.ask('PATCH', url, { data })).status).to.equal(404);
      const base = { relationships: { owner: { data: { type: 'users', id: builder.id } } } };
      const stale = { data: { type: 'users', id: world.people.admin.id }, meta: { base } };
      expect((await builder.ask('PATCH', url, stale)).refusal).to.equal('changed-elsewhere');
      const back = { data: { type: 'users', id: builder.id } };
      expect((await builder.ask('PATCH', url, back)).status).to.equal(204);
    });

    it('write a to-many as the mirror of its to-one', async () => {
      const { super: superAdmin } = world.people;
      const url = `/api/store-types/${world.ids.storeType}/relationships/stores`;
      const id = world.id();
      const store = { type: 'stores', id, attributes: { name: 'new' } };
      expect((await superAdmin.ask('POST', '/api/stores', { data: store })).status).to.equal(201);
      const data = [{ type: 'stores', id }];
      const stores = async () => (await superAdmin.get(url)).many.map((one) => one.id);
      expect((await superAdmin.ask('POST', url, { data })).status).to.equal(204);
      expect((await superAdmin.ask('POST', url, { data })).status).to.equal(204);
      expect(await stores()).to.include(id);
      expect((await superAdmin.ask('DELETE', url, { data })).status).to.equal(204);
      expect(await stores()).not.to.include(id);
      const { one } = await superAdmin.get(`/api/stores/${id}`);
      expect(one.relationships?.['store-type']?.data).to.equal(null);
      const ordinary = await world.people.builder.ask('POST', url, { data });
      expect([ordinary.status, ordinary.refusal]).to.deep.equal([403, 'forbidden']);
    });

    it('never clear what is required or set at creation only', async () => {
      const { builder } = world.people;
      const url = `${projectUrl()}/relationships/reviewers`;
      const there = [{ type: 'reviewers', id: world.ids.reviewer }];
      expect((await builder.ask('POST', url, { data: there })).status).to.equal(204);
      const cleared = await builder.ask('DELETE', url, { data: there });
      expect([cleared.status, cleared.refusal]).to.deep.equal([403, 'forbidden']);
      expect((await builder.ask('PATCH', url, { data: [] })).refusal).to.equal('forbidden');
    });
  });

  it('[wire 1.1] says which methods an address knows', async () => {
    const { builder } = world.people;
    const put = await builder.ask('PUT', projectUrl());
    expect([put.status, put.headers.get('Allow')]).to.deep.equal([
      405,
      'GET, HEAD, PATCH, OPTIONS',
    ]);
    expect((await builder.ask('DELETE', projectUrl())).status).to.equal(405);
    expect((await builder.get('/api/task-commands')).status).to.equal(405);
    expect((await builder.get('/api/nothing')).status).to.equal(404);
    expect((await builder.ask('OPTIONS', '/api/projects')).status).to.equal(204);
  });

  it('[6.3] is 404 before it is 403', async () => {
    const { stranger, member } = world.people;
    const data = { type: 'projects', id: world.ids.project, attributes: { name: '' } };
    expect((await stranger.ask('PATCH', projectUrl(), { data })).status).to.equal(404);
    expect((await member.ask('PATCH', projectUrl(), { data })).status).to.equal(403);
    expect((await world.people.builder.ask('PATCH', projectUrl(), { data })).status).to.equal(422);
  });
});
