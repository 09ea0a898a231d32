import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, storedTypes, toManysOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { groupsOf } from '../../../support/groups.ts';
import { changeOf } from '../../../support/sample.ts';
import { resourceObject } from '../../../support/resource-object.ts';
import { createdTypes, documentOf } from './drafts.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, World } from './world.ts';

describe('every resource', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  for (const type of createdTypes) {
    const { verbs } = resourceOf(type);
    const url = `/api/${wireTypeOf(type)}`;

    it(`${type}: a stranger cannot make, change or remove one; who may can [R356, R358, R363, R364, R365, R366]`, async () => {
      const { nobody } = world.people;
      const id = world.id();
      const document = await documentOf(world, type, id);

      const strange = await nobody.ask('POST', url, document);
      expect(strange.status, strange.text).to.be.oneOf([403, 404, 422]);
      const { who, created } = await createdBySomeone(url, document);
      expect(created.status, created.text).to.equal(201);
      expect(created.headers.get('Location')).to.equal(`${url}/${id}`);
      const again = await who.ask('POST', url, document);
      expect([again.status, again.refusal]).to.deep.equal([409, 'id-taken']);
      expect(again.body.errors?.[0]?.meta?.existing).to.deep.equal({ type: wireTypeOf(type), id });

      const read = await who.get(`${url}/${id}`);
      expect([read.status, read.one.id]).to.deep.equal([200, id]);
      expect(created.one).to.deep.equal(read.one);
      const listed = await who.get(`${url}?sort=-date-created&page[limit]=500`);
      expect(listed.many.map((one) => one.id)).to.include(id);

      const change = resourceObject(type, id, changeOf(type));
      const data = { type: change.type, id, attributes: change.attributes };
      if (verbs.includes('update')) {
        const denied = await nobody.ask('PATCH', `${url}/${id}`, { data });
        expect(denied.status, denied.text).to.be.oneOf([403, 404]);
      }
      if (type === 'organizationMembership') {
        // Only the person it belongs to changes it (domain 2.8).
        const refused = await who.ask('PATCH', `${url}/${id}`, { data });
        expect(refused.refusal).to.equal('forbidden');
      } else if (verbs.includes('update')) {
        const changed = await who.ask('PATCH', `${url}/${id}`, { data });
        expect(changed.status, changed.text).to.equal(200);
        expect(changed.one.attributes).to.include(change.attributes);
        expect(changed.one.meta?.version).to.be.greaterThan(read.one.meta?.version ?? 0);
      } else {
        const unknown = await who.ask('PATCH', `${url}/${id}`, { data });
        expect(unknown.status).to.equal(405);
        expect(unknown.headers.get('Allow')).not.to.match(/PATCH/);
      }
      if (!verbs.includes('delete')) return;
      expect((await nobody.ask('DELETE', `${url}/${id}`)).status).to.be.oneOf([403, 404]);
      expect((await who.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      expect((await who.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      expect((await who.get(`${url}/${id}`)).status).to.equal(404);
    });
  }

  for (const type of storedTypes) {
    const { verbs } = resourceOf(type);
    const url = `/api/${wireTypeOf(type)}`;

    it(`${type}: every record is read, related and linked by a super admin, and filtered and sorted by every field`, async function () {
      this.timeout(START_WITHIN_MS);
      const { super: superAdmin } = world.people;
      const reader = ['userTask', 'notification'].includes(type)
        ? world.people.builder
        : superAdmin;
      await everyAddress(reader, type, url);
      await everyParameter(reader, type, url);
    });

    if (!verbs.includes('create')) {
      it(`${type}: cannot be created by anyone`, async () => {
        const data = { type: wireTypeOf(type), attributes: {} };
        const reply = await world.people.super.ask('POST', url, { data });
        expect([reply.status, reply.refusal]).to.deep.equal([405, 'method-not-allowed']);
        expect(reply.headers.get('Allow')).to.match(/GET/);
      });
    }
  }

  /** Asks the person with the fewest rights first. */
  async function createdBySomeone(url: string, document: unknown) {
    const { builder, admin, super: superAdmin } = world.people;
    for (const who of [builder, admin]) {
      const created = await who.ask('POST', url, document);
      if (created.status === 201) return { who, created };
      expect(created.status, created.text).to.be.oneOf([403, 404, 422]);
    }
    return { who: superAdmin, created: await superAdmin.ask('POST', url, document) };
  }

  async function everyAddress(reader: Person, type: TypeName, url: string): Promise<void> {
    const list = await reader.get(`${url}?page[limit]=1&page[offset]=1`);
    expect(list.status, list.text).to.equal(200);
    const [first] = list.many;
    if (first === undefined) return;
    expect((await reader.get(`${url}/${first.id}`)).one).to.deep.equal(first);
    const names = [...toOnesOf(type), ...toManysOf(type)].map(([name]) => wireFieldOf(type, name));
    for (const name of names) {
      const linkage = await reader.get(`${url}/${first.id}/relationships/${name}`);
      expect(linkage.status, `${name} ${linkage.text}`).to.equal(200);
      const related = await reader.get(`${url}/${first.id}/${name}`);
      expect(related.status, `${name} ${related.text}`).to.be.oneOf([200, 404]);
    }
    if (names.length === 0) return;
    const included = await reader.get(`${url}/${first.id}?include=${names.join(',')}`);
    expect(included.status, included.text).to.equal(200);
  }

  async function everyParameter(reader: Person, type: TypeName, url: string): Promise<void> {
    const fields = attributesOf(type)
      .filter(
        ([, field]) => !['text', 'json', 'list', 'map'].includes(field.kind) && !field.isWriteOnly,
      )
      .map(([name]) => wireFieldOf(type, name));
    const toOnes = toOnesOf(type).map(([name]) => wireFieldOf(type, name));
    for (const keys of groupsOf(['date-created', ...fields], limits.sortKeys)) {
      const sorted = await reader.get(`${url}?sort=${keys.join(',')}`);
      expect(sorted.status, sorted.text).to.equal(200);
    }
    const filters = [
      ...fields.map((name) => `filter[${name}]=isnotnull:`),
      ...toOnes.map((name) => `filter[${name}]=isnotnull:`),
      ...toOnes.map((name) => `filter[${name}.date-created]=ge:2020-01-01`),
    ];
    for (const filter of filters) {
      const reply = await reader.get(`${url}?${filter}&page[limit]=1&page[offset]=1`);
      expect(reply.status, `${filter} ${reply.text}`).to.equal(200);
    }
  }
});
