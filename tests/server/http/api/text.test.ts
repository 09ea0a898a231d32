import { expect } from 'chai';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { World } from './world.ts';

/** A text nested so deeply that functions which call themselves run out of stack. */
const DEEP = '['.repeat(9_000) + ']'.repeat(9_000);

describe('what strangers send as text', () => {
  let world: World;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const groupOf = (name: unknown, id = world.id(), owner = world.ids.lakeside) => ({
    data: {
      type: 'groups',
      id,
      attributes: { name, abbreviation: 'N' },
      relationships: { owner: { data: { type: 'organizations', id: owner } } },
    },
  });
  const sendAsText = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${world.server.url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.people.admin.token}`,
        'Content-Type': 'application/vnd.api+json',
        ...headers,
      },
      body: new TextEncoder().encode(body),
    });
    const { errors } = (await answer.json()) as { errors?: readonly { code: string }[] };
    return [answer.status, errors?.[0]?.code];
  };

  it('is refused before permission when it is far longer than its field, all fields at once [F1]', async () => {
    const { nobody } = world.people;
    const { data } = groupOf(`a${' '.repeat(200_000)}b`);
    const long = {
      ...data,
      attributes: { name: data.attributes.name, abbreviation: '.'.repeat(9_000) },
    };
    const reply = await nobody.ask('POST', '/api/groups', { data: long });
    expect(reply.status, reply.text).to.equal(422);
    expect(reply.body.errors?.map(({ source, meta }) => [source?.pointer, meta])).to.deep.equal([
      ['/data/attributes/name', { rule: 'too-long', limit: 250 }],
      ['/data/attributes/abbreviation', { rule: 'too-long', limit: 20 }],
    ]);
  });

  it('does not hold up whoever is added by an address full of dots [F1]', async () => {
    const reply = await world.people.nobody.ask('POST', '/api/organization-memberships', {
      data: {
        type: 'organization-memberships',
        attributes: { email: `a@${'.'.repeat(900_000)}@` },
        relationships: {
          organization: { data: { type: 'organizations', id: world.ids.lakeside } },
        },
      },
    });
    expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/too-long']);
  });

  it('does not hold up whoever is asked for access with a name full of spaces [F1]', async () => {
    const reply = await world.people.nobody.ask('POST', '/api/organization-invite-requests', {
      data: {
        type: 'organization-invite-requests',
        attributes: {
          name: `a${' '.repeat(900_000)}b`,
          orgAdminEmail: 'a@b.test',
          websiteUrl: 'https://b.test',
        },
      },
    });
    expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/too-long']);
  });

  it('is refused as the wrong kind when no database could keep it unchanged [issue 14-10]', async () => {
    const { admin } = world.people;
    for (const name of ['a\0b', 'a\ud83d', `e${'\u0301\u0323'.repeat(20)}`]) {
      const reply = await admin.ask('POST', '/api/groups', groupOf(name));
      expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/type']);
      expect(reply.body.errors?.[0]?.source?.pointer).to.equal('/data/attributes/name');
    }
    const kept = await admin.ask('POST', '/api/groups', groupOf('😀'));
    expect([kept.status, kept.one.attributes?.name]).to.deep.equal([201, '😀']);
  });

  it('is refused when it is nested more than 50 deep, with a change id and in an operation too [F17]', async () => {
    const key = { 'Idempotency-Key': world.id() };
    const record = JSON.stringify(groupOf(0)).replace('"name":0', `"name":${DEEP}`);
    const operation = `{"operations":[{"op":"remove","ref":{"type":"groups","id":${DEEP}}}]}`;
    const lenient = { Prefer: 'handling=lenient' };

    const refusal = [400, 'invalid-document'];
    expect(await sendAsText('/api/groups', record, key)).to.deep.equal(refusal);
    expect(await sendAsText('/api/operations', operation, lenient)).to.deep.equal(refusal);
    const flat = JSON.stringify(groupOf(JSON.parse('['.repeat(47) + ']'.repeat(47))));
    expect((await sendAsText('/api/groups', flat, key))[0]).to.equal(422);
  });

  it('is no JSON to a product when it is nested too deeply, new or changed [F17]', async () => {
    const { super: superAdmin } = world.people;
    const reply = await superAdmin.ask('PATCH', `/api/products/${world.ids.product}`, {
      data: { type: 'products', id: world.ids.product, attributes: { properties: DEEP } },
    });
    expect([reply.status, reply.refusal]).to.deep.equal([422, 'invalid/json']);
  });

  it('as an id in use tells nothing of a record that the caller does not see [F18]', async () => {
    const { admin, stranger } = world.people;
    const { north, harbor } = world.ids;
    const reply = await stranger.ask('POST', '/api/groups', groupOf('Mine', north, harbor));
    expect([reply.status, reply.refusal]).to.deep.equal([409, 'id-taken']);
    const [error] = reply.body.errors ?? [];
    expect([error?.meta, error?.source, error?.detail]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(reply.text).not.to.include(north).and.not.to.include('Lakeside');

    // A person who may not make one at all learns not even that.
    const refused = [
      await world.people.nobody.ask('POST', '/api/groups', groupOf('Mine', north, harbor)),
      await world.people.nobody.ask('POST', '/api/groups', groupOf('Mine', world.id(), harbor)),
    ];
    const [taken, free] = refused.map(({ status, refusal }) => [status, refusal]);
    expect(taken).to.deep.equal(free);
    expect((await admin.get(`/api/groups/${north}`)).one.attributes?.name).to.equal(
      'Lakeside North',
    );
  });
});
