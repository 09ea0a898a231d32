import { expect } from 'chai';
import fastify from 'fastify';
import { wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { resourceOf, typeNames } from '#schema/index.ts';
import { apiRoutes } from '#server/http/api/api-routes.ts';
import type { OpenApi } from '#server/http/reference/openapi.ts';
import { createdTypes, documentOf } from './api/drafts.ts';
import { wrongIn } from './api/described.ts';
import { makeWorld, START_WITHIN_MS } from './api/world.ts';
import type { World } from './api/world.ts';

describe('the description of the API [R319]', () => {
  let world: World;
  let described: OpenApi;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const answer = await fetch(`${world.server.url}${paths.openApi}`);
    expect([answer.status, answer.headers.get('Content-Type')]).to.deep.equal([
      200,
      'application/json; charset=utf-8',
    ]);
    described = (await answer.json()) as OpenApi;
  });

  const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answerOf = (path: string, status = '200') => {
    const operation = described.paths[path]?.get;
    const content = operation?.responses[status]?.content as Record<string, { schema: object }>;
    const [first] = Object.values(content);
    if (first === undefined) throw new Error(`GET ${path} has no answer`);
    return first.schema;
  };

  it('has every address of the server with its methods, and no other', async () => {
    const served = new Set<string>();
    const app = fastify();
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat())
        if (each !== 'HEAD') served.add(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`);
    });
    await apiRoutes(app, world.server.parts, () => false);
    await app.close();
    const known = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(known.sort()).to.deep.equal([...served].sort());
  });

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(described);
    const refs = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
        ([, part = '', name = '']) => `${part}/${name}`,
      ),
    );
    const there = Object.entries(described.components).flatMap(([part, all]) =>
      Object.keys(all).map((name) => `${part}/${name}`),
    );
    expect([...refs].filter((name) => !there.includes(name))).to.deep.equal([]);
  });

  for (const type of typeNames.filter((each) => resourceOf(each).verbs.includes('list')))
    it(`says what a list of ${wireTypeOf(type)} looks like`, async () => {
      const path = paths.list(type);
      const reply = await world.people.super.get(`${path}?page[limit]=50`);
      expect(reply.status, reply.text).to.equal(200);
      expect(wrongIn(answerOf(path), reply.body)).to.equal(null);
    });

  for (const type of createdTypes)
    it(`says what creates one of ${wireTypeOf(type)}`, async () => {
      const { data } = await documentOf(world, type, world.id());
      expect(wrongIn(schemaOf(`${wireTypeOf(type)}.create`), data)).to.equal(null);
      const wrong = { ...data, type: 'nothing' };
      expect(wrongIn(schemaOf(`${wireTypeOf(type)}.create`), wrong)).not.to.equal(null);
    });

  it('says what refusals, verdicts and the feed look like', async () => {
    const { member } = world.people;
    const refused = await member.get('/api/projects?sort=nothing');
    expect(refused.status).to.equal(400);
    expect(wrongIn(schemaOf('Errors'), refused.body)).to.equal(null);
    const feed = await member.get(paths.changes);
    expect(wrongIn(schemaOf('Feed'), feed.body)).to.equal(null);
    const operation = {
      op: 'update',
      data: { type: 'users', id: member.id, attributes: { phone: '12' } },
      meta: { id: world.id() },
    };
    expect(wrongIn(schemaOf('Operation'), operation)).to.equal(null);
    const done = await member.ask('POST', paths.operations, { operations: [operation] });
    expect(done.body.operations).to.have.length(1);
    for (const verdict of done.body.operations ?? [])
      expect(wrongIn(schemaOf('Verdict'), verdict)).to.equal(null);
  });

  it('can be read by people, with every request and every attribute', async () => {
    const answer = await fetch(`${world.server.url}${paths.reference}`);
    const page = await answer.text();
    expect(answer.status).to.equal(200);
    expect(page).to.include('GET /api/projects/{id}');
    expect(page).to.include('<code>allow-downloads</code>');
    expect(page).not.to.include('undefined');
  });
});
