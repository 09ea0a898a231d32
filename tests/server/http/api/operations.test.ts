import { expect } from 'chai';
import type { Verdict } from '#protocol/operations.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, Reply, World } from './world.ts';

const LENIENT = { Prefer: 'handling=lenient' };

describe('[wire 8] operations', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const send = (operations: readonly unknown[], headers = {}, who: Person = world.people.builder) =>
    who.ask('POST', '/api/operations', { operations }, headers);
  const verdicts = (reply: Reply): readonly Verdict[] => reply.body.operations ?? [];
  const statuses = (reply: Reply) => verdicts(reply).map(({ meta }) => meta.status);
  const codes = (reply: Reply) => verdicts(reply).map(({ errors }) => errors?.[0]?.code ?? null);

  const newProject = (name: string, id = world.id()) => ({
    type: 'projects',
    id,
    attributes: { name, language: 'en' },
    relationships: {
      organization: { data: { type: 'organizations', id: world.ids.lakeside } },
      group: { data: { type: 'groups', id: world.ids.north } },
      type: { data: { type: 'application-types', id: world.ids.bookapp } },
    },
  });
  const newReviewer = (project: string, id = world.id()) => ({
    type: 'reviewers',
    id,
    attributes: { name: 'Ana', email: 'ana@example.org' },
    relationships: { project: { data: { type: 'projects', id: project } } },
  });
  const rename = (id: string, name: unknown, meta = {}) => ({
    op: 'update',
    ref: { type: 'projects', id },
    data: { type: 'projects', id, attributes: { name } },
    meta,
  });
  const nameOf = async (id: string) =>
    (await world.people.builder.get(`/api/projects/${id}`)).one.attributes?.name;
  const versionOf = async (id: string) =>
    (await world.people.builder.get(`/api/projects/${id}`)).one.meta?.version;

  it('[8.2] does all in one transaction, in order, and answers each [R332]', async () => {
    const project = newProject('Batch');
    const reply = await send([
      { op: 'add', data: project },
      { op: 'add', data: newReviewer(project.id) },
      rename(project.id, 'Batch 2'),
      { op: 'get', ref: { type: 'projects', id: project.id } },
      { op: 'get', ref: { type: 'projects', id: project.id, relationship: 'owner' } },
    ]);
    expect([reply.status, statuses(reply)]).to.deep.equal([200, [201, 201, 200, 200, 200]]);
    expect(verdicts(reply)[4]?.data).to.deep.equal({
      type: 'users',
      id: world.people.builder.id,
    });
  });

  it('[8.2] changes nothing when one fails, and says which', async () => {
    const project = newProject('Never');
    const reply = await send([{ op: 'add', data: project }, rename(world.ids.project, '')]);
    expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/required']);
    const [error] = reply.body.errors ?? [];
    expect(error?.source?.pointer).to.equal('/operations/1/data/attributes/name');
    expect(error?.meta?.operation).to.equal(1);
    expect((await world.people.builder.get(`/api/projects/${project.id}`)).status).to.equal(404);
  });

  it('reads PATCH as POST, and an empty array as nothing to do', async () => {
    const { builder } = world.people;
    const reply = await builder.ask('PATCH', '/api/operations', { operations: [] }, LENIENT);
    expect([reply.status, reply.body.operations]).to.deep.equal([200, []]);
    expect(reply.headers.get('Preference-Applied')).to.equal('handling=lenient');
  });

  it('[8.3] refuses one and goes on with the others [R332]', async () => {
    const project = newProject('Lenient');
    const broken = newProject('');
    const reply = await send(
      [
        { op: 'add', data: broken },
        { op: 'add', data: newReviewer(broken.id) },
        { op: 'jump' },
        { op: 'add', data: project },
        rename(world.ids.pierProject, 'Not mine'),
      ],
      LENIENT,
    );
    expect(reply.status).to.equal(200);
    expect(statuses(reply)).to.deep.equal([422, 424, 400, 201, 404]);
    expect(codes(reply)).to.deep.equal([
      'invalid',
      'not-tried',
      'invalid-document',
      null,
      'not-found',
    ]);
    expect(verdicts(reply)[1]?.errors?.[0]?.meta).to.deep.equal({ because: { operation: 0 } });
    expect(verdicts(reply)[2]?.errors?.[0]?.detail).to.equal('op is not a valid operation');
  });

  it('[8.1] takes neighbours with one id as one change, in both modes', async () => {
    const id = world.id();
    const project = newProject('Twofold');
    const reply = await send(
      [
        { op: 'add', data: project, meta: { id } },
        { ...rename(project.id, ''), meta: { id } },
      ],
      LENIENT,
    );
    expect(statuses(reply)).to.deep.equal([424, 422]);
    expect(verdicts(reply)[0]?.errors?.[0]?.meta).to.deep.equal({ because: { operation: 1 } });
    expect((await world.people.builder.get(`/api/projects/${project.id}`)).status).to.equal(404);
  });

  it('[8.1] refuses one id in two places that are not neighbours', async () => {
    const id = world.id();
    const operations = [
      rename(world.ids.project, 'One', { id }),
      rename(world.ids.public, 'Other', {}),
      rename(world.ids.project, 'Two', { id }),
    ];
    const strict = await send(operations);
    expect([strict.status, strict.refusal]).to.deep.equal([400, 'invalid-document']);
  });

  it('[8] refuses more than 100, and a body without operations', async () => {
    const many = Array.from({ length: 101 }, () => rename(world.ids.project, 'X'));
    expect((await send(many)).refusal).to.equal('too-large');
    const { builder } = world.people;
    expect((await builder.ask('POST', '/api/operations', {})).refusal).to.equal('invalid-document');
  });

  describe('[7.3] a change id', () => {
    it('[fault 1] is answered from the record the second time, over any way in', async () => {
      const id = world.id();
      const operation = rename(world.ids.project, 'Once', { id });
      const first = await send([operation]);
      const version = await versionOf(world.ids.project);
      const second = await send([operation], LENIENT);
      const third = await world.people.builder.ask(
        'PATCH',
        `/api/projects/${world.ids.project}`,
        { data: operation.data },
        { 'Idempotency-Key': `"${id}"` },
      );
      expect([first.status, statuses(second), third.status]).to.deep.equal([200, [200], 200]);
      expect(verdicts(second)[0]?.meta.replayed).to.equal(true);
      for (const reply of [second, third]) {
        expect(reply.headers.get('Idempotency-Replayed')).to.equal('true');
      }
      expect(await versionOf(world.ids.project)).to.equal(version);
    });

    it('keeps its refusal, whatever has become possible since', async () => {
      const id = world.id();
      const { member } = world.people;
      const operation = rename(world.ids.project, 'Refused', { id });
      expect(statuses(await send([operation], LENIENT, member))).to.deep.equal([403]);
      const membership = world.id();
      await world.write((w) =>
        w.insert('groupMembership', { id: membership, user: member.id, group: world.ids.north }),
      );
      const again = await send([operation], LENIENT, member);
      expect(statuses(again)).to.deep.equal([403]);
      expect(verdicts(again)[0]?.meta.replayed).to.equal(true);
      expect((await send([operation], {}, member)).refusal).to.equal('forbidden');
      const fresh = rename(world.ids.project, 'Allowed', { id: world.id() });
      expect(statuses(await send([fresh], LENIENT, member))).to.deep.equal([200]);
      await world.write((w) => w.remove('groupMembership', membership));
    });

    it('is not worn out by a failed strict batch', async () => {
      const id = world.id();
      const strict = await send([
        rename(world.ids.project, 'Tried', { id }),
        rename(world.ids.project, ''),
      ]);
      expect(strict.status).to.equal(422);
      expect(statuses(await send([rename(world.ids.project, 'Tried', { id })]))).to.deep.equal([
        200,
      ]);
    });

    it('may not be used for something else', async () => {
      const id = world.id();
      await send([rename(world.ids.project, 'First', { id })]);
      const other = await send([rename(world.ids.project, 'Second', { id })]);
      expect([other.status, other.refusal]).to.deep.equal([422, 'change-id-reused']);
      expect(await nameOf(world.ids.project)).to.equal('First');
    });

    it('belongs to its author', async () => {
      const id = world.id();
      await send([rename(world.ids.project, 'By builder', { id })]);
      const reply = await send(
        [rename(world.ids.project, 'By admin', { id })],
        {},
        world.people.admin,
      );
      expect(statuses(reply)).to.deep.equal([200]);
    });

    it('shows the record as it is now, or null when it is gone', async () => {
      const id = world.id();
      const reviewer = newReviewer(world.ids.project);
      const operation = { op: 'add', data: reviewer, meta: { id } };
      await send([operation]);
      await world.people.builder.ask('DELETE', `/api/reviewers/${reviewer.id}`);
      const [verdict] = verdicts(await send([operation], LENIENT));
      expect([verdict?.meta.status, verdict?.data]).to.deep.equal([201, null]);
    });

    it('[fault 3] applies a change once when copies arrive at the same time', async () => {
      const id = world.id();
      const project = newProject('Copies');
      const operation = { op: 'add', data: project, meta: { id } };
      const replies = await Promise.all([1, 2, 3, 4].map(() => send([operation], LENIENT)));
      expect(replies.map((reply) => statuses(reply)[0])).to.deep.equal([201, 201, 201, 201]);
      const replayed = replies.filter((reply) => verdicts(reply)[0]?.meta.replayed === true);
      expect(replayed).to.have.length(3);
    });
  });

  describe('[7.4] the base check', () => {
    const { parse } = JSON;
    const withBase = (id: string, name: string, base: unknown) =>
      rename(id, name, { id: world.id(), base: { attributes: { name: base } } });

    it('lets pass what is based on the present value, or wants what is there', async () => {
      const { id } = newProject('Base');
      await send([{ op: 'add', data: newProject('Base', id) }]);
      const passing = [withBase(id, 'Base 2', ' Base '), withBase(id, 'Base 2', 'never')];
      expect(statuses(await send(passing, LENIENT))).to.deep.equal([200, 200]);
    });

    it('refuses what someone else changed, and names them, the value and the moment', async () => {
      const { id } = newProject('Base');
      await send([{ op: 'add', data: newProject('Base', id) }]);
      await send([rename(id, 'Theirs')], {}, world.people.admin);
      const [verdict] = verdicts(await send([withBase(id, 'Mine', 'Base')], LENIENT));
      const [error] = verdict?.errors ?? [];
      expect(error?.code).to.equal('changed-elsewhere');
      const meta = parse(JSON.stringify(error?.meta)) as Record<string, unknown>;
      expect(meta.fields).to.deep.equal(['name']);
      expect(meta.current).to.deep.equal({ attributes: { name: 'Theirs' }, relationships: {} });
      expect(meta.by).to.deep.equal({
        type: 'users',
        id: world.people.admin.id,
        name: 'admin person',
      });
      expect(meta.version).to.equal(await versionOf(id));
      expect(await nameOf(id)).to.equal('Theirs');
    });

    it('never lets different fields of one record conflict', async () => {
      const { id } = newProject('Fields');
      await send([{ op: 'add', data: newProject('Fields', id) }]);
      await send([rename(id, 'Theirs')], {}, world.people.admin);
      const description = {
        op: 'update',
        data: { type: 'projects', id, attributes: { description: 'Mine' } },
        meta: { base: { attributes: { description: null, name: 'Fields' } } },
      };
      expect(statuses(await send([description]))).to.deep.equal([200]);
    });
  });

  describe('[7.4] what is gone', () => {
    it('is 410 to update or to build upon, for who could see it, and removed twice in peace', async () => {
      const reviewer = newReviewer(world.ids.project);
      await send([{ op: 'add', data: reviewer }]);
      const remove = { op: 'remove', ref: { type: 'reviewers', id: reviewer.id } };
      expect(statuses(await send([remove, remove], LENIENT))).to.deep.equal([204, 204]);
      const group = world.id();
      const { admin } = world.people;
      const to = { owner: { data: { type: 'organizations', id: world.ids.lakeside } } };
      const attributes = { name: 'Gone', abbreviation: 'G' };
      await send(
        [{ op: 'add', data: { type: 'groups', id: group, attributes, relationships: to } }],
        {},
        admin,
      );
      await send([{ op: 'remove', ref: { type: 'groups', id: group } }], {}, admin);
      const update = {
        op: 'update',
        data: { type: 'groups', id: group, attributes: { name: 'X' } },
      };
      const seen = await send([update], {}, admin);
      expect([seen.status, seen.refusal]).to.deep.equal([410, 'gone']);
      expect(seen.body.errors?.[0]?.meta?.ref).to.deep.equal({ type: 'groups', id: group });
      const hidden = await send([update], {}, world.people.stranger);
      expect(hidden.status).to.equal(404);
      const member = {
        type: 'group-memberships',
        relationships: {
          user: { data: { type: 'users', id: world.people.member.id } },
          group: { data: { type: 'groups', id: group } },
        },
      };
      expect((await send([{ op: 'add', data: member }], {}, admin)).refusal).to.equal('gone');
      expect((await admin.get(`/api/groups/${group}`)).status).to.equal(404);
    });
  });
});
