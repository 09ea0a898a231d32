import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import {
  attributesOf,
  resourceOf,
  storedTypes,
  toManysOf,
  toOnesOf,
  typeNames,
} from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { groupsOf } from '../../../support/groups.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, Person, World } from './world.ts';

interface Sample {
  /** The person who may create it. */
  readonly by: Name;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, string>>;
  /** The change that someone entitled then makes. */
  readonly change: Readonly<Record<string, unknown>>;
}

type Samples = Readonly<Partial<Record<TypeName, (world: World) => Sample>>>;

const SUPER: Pick<Sample, 'by' | 'relationships' | 'change'> = {
  by: 'super',
  relationships: {},
  change: {},
};

/** A new record of every type that can be created and read, by someone who may. */
const samples: Samples = {
  userRole: ({ people, ids }) => ({
    by: 'admin',
    attributes: {},
    relationships: { user: people.member.id, organization: ids.lakeside, role: 'AppBuilder' },
    change: {},
  }),
  organization: ({ people }) => ({
    ...SUPER,
    attributes: { name: 'Hill Press' },
    relationships: { owner: people.stranger.id },
    change: { name: 'Hill Press 2' },
  }),
  organizationInvite: () => ({
    ...SUPER,
    attributes: { 'owner-email': 'hill@x.test' },
    change: { name: 'Hill' },
  }),
  organizationMembership: ({ people, ids }) => ({
    by: 'admin',
    attributes: { email: people.stranger.email },
    relationships: { organization: ids.lakeside },
    change: {},
  }),
  organizationMembershipInvite: ({ ids }) => ({
    by: 'admin',
    attributes: { email: 'new@x.test' },
    relationships: { organization: ids.lakeside },
    change: {},
  }),
  group: ({ ids }) => ({
    by: 'admin',
    attributes: { name: 'East', abbreviation: 'E' },
    relationships: { owner: ids.lakeside },
    change: { name: 'Far East' },
  }),
  groupMembership: ({ people, ids }) => ({
    by: 'admin',
    attributes: {},
    relationships: { user: people.member.id, group: ids.south },
    change: {},
  }),
  organizationStore: ({ ids }) => ({
    ...SUPER,
    attributes: {},
    relationships: { organization: ids.harbor, store: ids.store },
  }),
  organizationProductDefinition: ({ ids }) => ({
    ...SUPER,
    attributes: {},
    relationships: { organization: ids.harbor, 'product-definition': ids.definition },
  }),
  storeType: () => ({ ...SUPER, attributes: { name: 'kiosk' }, change: { name: 'kiosks' } }),
  store: ({ ids }) => ({
    ...SUPER,
    attributes: { name: 'kiosk 1' },
    relationships: { 'store-type': ids.storeType },
    change: { name: 'kiosk 2' },
  }),
  workflowDefinition: ({ ids }) => ({
    ...SUPER,
    attributes: { name: 'w', type: 2 },
    relationships: { 'store-type': ids.storeType },
    change: { name: 'w2' },
  }),
  productDefinition: ({ ids }) => ({
    ...SUPER,
    attributes: { name: 'd' },
    relationships: { type: ids.bookapp, workflow: ids.workflow },
    change: { name: 'd2' },
  }),
  project: ({ ids }) => ({
    by: 'builder',
    attributes: { name: 'p', language: 'en' },
    relationships: { organization: ids.lakeside, group: ids.north, type: ids.bookapp },
    change: { name: 'p2' },
  }),
  reviewer: ({ ids }) => ({
    by: 'builder',
    attributes: { name: 'r', email: 'r@x.test' },
    relationships: { project: ids.project },
    change: {},
  }),
  author: ({ people, ids }) => ({
    by: 'builder',
    attributes: {},
    relationships: { user: people.author.id, project: ids.public },
    change: {},
  }),
};

/** Created by nobody yet, with the refusal that says so. */
const REFUSED: ReadonlySet<TypeName> = new Set([
  'product',
  'projectImport',
  'productActionRun',
  'taskCommand',
]);

describe('every resource', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  async function documentOf(type: TypeName, sample: Sample, id: string) {
    const [role] = await world.server.parts.db.read((tx) =>
      tx.all('role', { roleName: 'AppBuilder' }),
    );
    const relationships = Object.entries(sample.relationships).map(([name, to]) => {
      const field = toOnesOf(type).find(([known]) => wireFieldOf(type, known) === name)?.[1];
      const target = to === 'AppBuilder' ? (role?.id ?? '') : to;
      return [name, { data: { type: wireTypeOf(field?.to ?? type), id: target } }];
    });
    const data = {
      type: wireTypeOf(type),
      id,
      attributes: sample.attributes,
      relationships: Object.fromEntries(relationships) as unknown,
    };
    return { data };
  }

  it('is created here in every type that clients create', () => {
    const creatable = typeNames.filter((type) => resourceOf(type).verbs.includes('create'));
    const known = [...Object.keys(samples), ...REFUSED, 'organizationInviteRequest'];
    expect(creatable.filter((type) => !known.includes(type))).to.deep.equal([]);
  });

  for (const [type, sampleOf] of Object.entries(samples) as [TypeName, (w: World) => Sample][]) {
    const { verbs } = resourceOf(type);
    const url = `/api/${wireTypeOf(type)}`;

    it(`${type}: a stranger cannot make, change or remove one; who may can`, async () => {
      const sample = sampleOf(world);
      const who = world.people[sample.by];
      const { nobody } = world.people;
      const id = world.id();
      const document = await documentOf(type, sample, id);

      const strange = await nobody.ask('POST', url, document);
      expect(strange.status, strange.text).to.be.oneOf([403, 404, 422]);
      const created = await who.ask('POST', url, document);
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

      const data = { type: wireTypeOf(type), id, attributes: sample.change };
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
        expect(changed.one.attributes).to.include(sample.change);
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
