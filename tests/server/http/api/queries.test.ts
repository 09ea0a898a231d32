import { expect } from 'chai';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Reply, World } from './world.ts';

const namesIn = (reply: Reply) => reply.many.map(({ attributes }) => attributes?.name);

describe('[wire 5] asking for a list', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  describe('filters', () => {
    it('compares text by the fold: case and marks do not count [R349]', async () => {
      const reply = await world.people.builder.get('/api/projects?filter[name]=like:OFFENT');
      expect(namesIn(reply)).to.deep.equal(['Öffentlich']);
      expect(
        namesIn(await world.people.builder.get('/api/projects?filter[name]=offentlich')),
      ).to.deep.equal(['Öffentlich']);
    });

    it('takes % and _ as plain characters', async () => {
      const reply = await world.people.builder.get('/api/projects?filter[name]=like:%25');
      expect(namesIn(reply)).to.deep.equal([]);
    });

    it('holds all of several filters [R349]', async () => {
      const path = '/api/projects?filter[date-archived]=isnull:&filter[is-public]=false&sort=name';
      expect(namesIn(await world.people.builder.get(path))).to.deep.equal(['Harvest']);
    });

    it('finds by a to-one, by its id spelling, and one level behind it', async () => {
      const { builder } = world.people;
      const { north } = world.ids;
      for (const filter of [
        `filter[group]=${north}`,
        `filter[group-id]=in:${north}`,
        'filter[group.name]=lakeside north',
      ]) {
        const reply = await builder.get(`/api/projects?${filter}&sort=name`);
        expect(namesIn(reply), filter).to.deep.equal(['Harvest', 'Öffentlich', 'Old']);
      }
    });

    it('includes null in ne and leaves it out of comparisons', async () => {
      const { builder } = world.people;
      const other = await builder.get(
        '/api/projects?filter[date-archived]=ne:2026-01-01&sort=name',
      );
      expect(namesIn(other)).to.deep.equal(['Harvest', 'Öffentlich']);
      const later = await builder.get('/api/projects?filter[date-archived]=ge:2020-01-01');
      expect(namesIn(later)).to.deep.equal(['Old']);
    });

    it('searches name, language, owner, organization and group, each word for itself [R73, R223]', async () => {
      for (const words of ['harv', 'BUILDER per', 'side press', 'north', 'press harv']) {
        const reply = await world.people.builder.get(
          `/api/projects?filter[search-term]=${encodeURIComponent(words)}`,
        );
        expect(namesIn(reply), words).to.include('Harvest');
      }
    });

    it('finds projects by their products [R349]', async () => {
      const { definition } = world.ids;
      const { builder } = world.people;
      const byId = await builder.get(
        `/api/projects?filter[any-product-definition-id]=${definition}`,
      );
      expect(byId.many).to.have.length(2);
      const byName = await builder.get('/api/projects?filter[any-product-name]=android');
      expect(byName.many).to.have.length(2);
    });

    it('finds projects by the status that a product has for the caller, and no others [domain 5.4]', async () => {
      const { builder, stranger, super: superAdmin } = world.people;
      const by = async (who: typeof builder, status: string) =>
        namesIn(await who.get(`/api/projects?sort=name&filter[status]=${status}`));
      expect(await by(builder, 'failed')).to.deep.equal(['Öffentlich']);
      expect(await by(superAdmin, 'failed')).to.include('Öffentlich');
      expect(await by(builder, 'waiting')).to.deep.equal([]);
      // One has a product that nobody began, and one has none.
      expect(await by(builder, 'not-started')).to.deep.equal(['Harvest', 'Old']);
      expect(await by(builder, 'in:failed,building,not-started')).to.have.length(3);
      const directory = '&filter[is-public]=true&filter[date-archived]=isnull:';
      expect(await by(builder, `failed${directory}`)).to.deep.equal(['Öffentlich']);
      expect(await by(stranger, `failed${directory}`)).to.deep.equal([]);
      expect(await by(stranger, `not-started${directory}`)).to.include('Öffentlich');
      for (const wrong of ['lost', 'in:failed,lost', 'ne:failed', 'in:', '']) {
        const reply = await builder.get(`/api/projects?filter[status]=${wrong}`);
        expect([reply.status, reply.refusal], wrong).to.deep.equal([400, 'invalid-parameter']);
        expect(reply.body.errors?.[0]?.source?.parameter).to.equal('filter[status]');
      }
    });

    it('takes one filter by status, of projects and of builds [wire 5.2]', async () => {
      for (const [type, status] of [
        ['projects', 'filter[status]=failed&filter[status]=in:waiting,failed'],
        ['product-builds', 'filter[status]=failed&filter[status]=built'],
      ] as const) {
        const reply = await world.people.builder.get(`/api/${type}?${status}`);
        expect([reply.status, reply.refusal], type).to.deep.equal([400, 'invalid-parameter']);
        expect(reply.body.errors?.[0]?.source?.parameter).to.equal('filter[status]');
      }
    });

    it('takes the last moment of a bare date for le, the first for ge [R349]', async () => {
      const day = new Date(world.server.parts.clock()).toISOString().slice(0, 10);
      const reply = await world.people.builder.get(
        `/api/projects?filter[project-updated-date]=ge:${day}&filter[project-updated-date]=le:${day}`,
      );
      expect(reply.many).to.have.length(3);
    });

    it('knows people by their display name [R218]', async () => {
      const reply = await world.people.builder.get(
        '/api/users?filter[name]=like:PERSON&sort=-name',
      );
      expect(namesIn(reply)).to.deep.equal([
        'member person',
        'builder person',
        'author person',
        'admin person',
      ]);
    });

    it('lists the members of an organization by filter and by address', async () => {
      const { lakeside } = world.ids;
      const { builder } = world.people;
      const filtered = await builder.get(`/api/users?filter[organization-id]=${lakeside}`);
      const addressed = await builder.get(`/api/organizations/${lakeside}/users`);
      expect(filtered.many).to.have.length(4);
      expect(addressed.many.map(({ id }) => id)).to.deep.equal(filtered.many.map(({ id }) => id));
    });

    it('lists to people the organizations that are theirs, to super admins all [R297, R299, R320]', async () => {
      const { builder, stranger, super: superAdmin } = world.people;
      const { lakeside, harbor } = world.ids;
      const listed = async (who: typeof builder) =>
        (await who.get('/api/organizations?sort=-date-created&page[limit]=500')).many.map(
          ({ id }) => id,
        );
      expect(await listed(builder)).to.deep.equal([lakeside]);
      expect(await listed(stranger)).to.deep.equal([harbor]);
      expect(await listed(superAdmin)).to.include.members([lakeside, harbor]);
    });

    it('keeps a super admin to their own organizations when asked to [R187, R297, R320, R354]', async () => {
      const { builder } = world.people;
      const reply = await builder.get('/api/organizations?filter[scope-to-current-user]=isnull:');
      expect(namesIn(reply)).to.deep.equal(['Lakeside Press']);
      const own = await world.people.super.get('/api/organizations?filter[scope-to-current-user]=');
      expect(own.many).to.deep.equal([]);
    });
  });

  describe('the organizations of the directory', () => {
    it('are those with a public project that is not archived, whoever asks', async () => {
      const { builder } = world.people;
      const reply = await builder.get(
        '/api/organizations?filter[with-public-projects]=&page[limit]=500',
      );
      const shown = await builder.get(
        '/api/projects?filter[is-public]=true&filter[date-archived]=isnull:&include=organization&page[limit]=500',
      );
      const organizations = new Set(
        shown.many.map(({ relationships }) => {
          const { data } = relationships?.organization as { data: { id: string } };
          return data.id;
        }),
      );
      expect(reply.many.map(({ id }) => id).sort()).to.deep.equal([...organizations].sort());
      expect(organizations.size).to.be.greaterThan(0);
      const all = await world.people.super.get('/api/organizations?page[limit]=500');
      expect(all.many.length).to.be.greaterThan(organizations.size);
    });
  });

  describe('what may not be asked', () => {
    const refused: readonly (readonly [string, string])[] = [
      ['search=x', 'unknown-parameter'],
      ['filter[nothing]=x', 'invalid-parameter'],
      ['filter[description]=x', 'invalid-parameter'],
      ['filter[is-public]=yes', 'invalid-parameter'],
      ['filter[owner-id]=someone', 'invalid-parameter'],
      ['filter[date-archived]=ge:soon', 'invalid-parameter'],
      ['filter[is-public]=like:t', 'invalid-parameter'],
      ['sort=description', 'invalid-parameter'],
      ['sort=owner.group-memberships', 'invalid-parameter'],
      ['include=', 'invalid-parameter'],
      ['include=owner.nothing', 'invalid-parameter'],
      ['include=name', 'invalid-parameter'],
      ['include=products.project.products.project.products.project.products', 'invalid-parameter'],
      ['fields[projects]=nothing', 'invalid-parameter'],
      ['fields[nothing]=name', 'invalid-parameter'],
      ['page[offset]=0', 'invalid-parameter'],
      ['page[limit]=-1', 'invalid-parameter'],
      ['page[limit]=x', 'invalid-parameter'],
      ['page[size]=4&page[limit]=3', 'invalid-parameter'],
      ['page[cursor]=4', 'invalid-parameter'],
    ];
    for (const [query, code] of refused) {
      it(`answers 400 ${code} to ?${query}`, async () => {
        const reply = await world.people.builder.get(`/api/projects?${query}`);
        expect([reply.status, reply.refusal]).to.deep.equal([400, code]);
        expect(reply.body.errors?.[0]?.source?.parameter).to.equal(query.split('=')[0]);
      });
    }

    const times = (count: number, text: string): string[] =>
      Array.from({ length: count }, () => text);
    const many: readonly (readonly [string, number, (count: number) => string])[] = [
      ['sort', 5, (count) => `sort=${times(count, 'owner.name').join(',')}`],
      ['filter[name]', 20, (count) => times(count, 'filter[name]=like:a').join('&')],
      ['filter[search-term]', 20, (count) => times(count, 'filter[search-term]=a').join('&')],
      ['include', 40, (count) => `include=${times(count, 'owner').join(',')}`],
    ];
    for (const [parameter, most, queryOf] of many)
      it(`takes ${most} of ${parameter} in one query, and refuses one more [F11] [wire 15.2]`, async () => {
        const { builder } = world.people;
        expect((await builder.get(`/api/projects?${queryOf(most)}`)).status).to.equal(200);
        const reply = await builder.get(`/api/projects?${queryOf(most + 1)}`);
        expect([reply.status, reply.refusal]).to.deep.equal([400, 'invalid-parameter']);
        expect(reply.body.errors?.[0]?.source?.parameter).to.equal(parameter);
      });

    it('counts the include paths of a single record too [F11]', async () => {
      const path = `/api/projects/${world.ids.project}?include=${times(41, 'owner').join(',')}`;
      expect((await world.people.builder.get(path)).refusal).to.equal('invalid-parameter');
    });

    it('takes no list parameters on a single record', async () => {
      const reply = await world.people.builder.get(`/api/projects/${world.ids.project}?sort=name`);
      expect(reply.refusal).to.equal('unknown-parameter');
    });
  });

  describe('order and pages', () => {
    it('puts null last in both directions [R350]', async () => {
      for (const sort of ['date-archived', '-date-archived']) {
        const reply = await world.people.builder.get(`/api/projects?sort=${sort},name`);
        expect(namesIn(reply)[0], sort).to.equal('Old');
      }
    });

    it('counts pages from 1 and links the neighbours, with every parameter kept [R417]', async () => {
      const path = '/api/projects?sort=name&page[offset]=2&page[limit]=1';
      const reply = await world.people.builder.get(path);
      expect(reply.body.meta).to.deep.equal({
        'total-records': 3,
        page: { offset: 2, limit: 1, pages: 3 },
      });
      const { links } = reply.body;
      expect(links?.self).to.equal(path);
      const next = await world.people.builder.get(links?.next ?? '');
      expect(namesIn(next)).to.deep.equal(['Old']);
      expect(next.body.links?.next).to.equal(null);
      expect(namesIn(await world.people.builder.get(links?.prev ?? ''))).to.deep.equal(['Harvest']);
    });

    it('has 20 on a page when only its number is asked for, and takes more than 500 as 500 [R417]', async () => {
      const { builder } = world.people;
      const numbered = await builder.get('/api/projects?page[offset]=1');
      expect(numbered.body.meta?.page).to.deep.equal({ offset: 1, limit: 20, pages: 1 });
      const large = await builder.get('/api/projects?page[size]=900&page[number]=1');
      expect(large.body.meta?.page).to.deep.equal({
        offset: 1,
        limit: 500,
        pages: 1,
        clamped: true,
      });
    });

    it('answers an empty page beyond the end', async () => {
      const reply = await world.people.builder.get('/api/projects?page[offset]=9&page[limit]=20');
      expect([reply.status, reply.many.length]).to.deep.equal([200, 0]);
    });
  });

  describe('included records', () => {
    it('brings each once, and to-manys only where they were included [R351]', async () => {
      const path = `/api/projects/${world.ids.project}?include=organization.owner,owner,products.product-definition.workflow,authors.user`;
      const { one, body } = await world.people.builder.get(path);
      const keys = (body.included ?? []).map(({ type, id }) => `${type}/${id}`);
      expect(keys).to.deep.equal([...new Set(keys)]);
      expect(one.relationships?.products?.data).to.deep.equal([
        { type: 'products', id: world.ids.product },
      ]);
      expect(one.relationships).not.to.have.property('reviewers');
      expect(one.relationships?.organization?.data).to.deep.include({ type: 'organizations' });
    });

    it('leaves out what the caller does not see, and still names it [R352]', async () => {
      const path = `/api/projects/${world.ids.public}?include=group,organization,owner,reviewers`;
      const { one, body } = await world.people.stranger.get(path);
      const types = (body.included ?? []).map(({ type }) => type).sort();
      expect(types).to.deep.equal(['organizations', 'users']);
      expect(one.relationships?.group?.data).to.deep.equal({ type: 'groups', id: world.ids.north });
    });

    it('shows the fields asked for alone', async () => {
      const path = `/api/projects/${world.ids.project}?fields[projects]=name,owner`;
      const { one } = await world.people.builder.get(path);
      expect(Object.keys(one.attributes ?? {})).to.deep.equal(['name']);
      expect(Object.keys(one.relationships ?? {})).to.deep.equal(['owner']);
      expect(one.meta?.version).to.be.greaterThan(0);
    });
  });

  describe('[wire 4] the organization header', () => {
    it('narrows lists, and refuses organizations of others [R317]', async () => {
      const { super: superAdmin, stranger } = world.people;
      const { lakeside, harbor } = world.ids;
      const all = await superAdmin.get('/api/projects', { Organization: harbor });
      expect(namesIn(all)).to.deep.equal(['Tides']);
      const foreign = await stranger.get('/api/projects', { Organization: lakeside });
      expect([foreign.status, foreign.refusal]).to.deep.equal([403, 'not-a-member']);
      const wrong = await stranger.get('/api/projects', { Organization: 'mine' });
      expect([wrong.status, wrong.refusal]).to.deep.equal([400, 'invalid-header']);
      expect(wrong.body.errors?.[0]?.source?.header).to.equal('Organization');
      expect((await stranger.get('/api/projects', { Organization: 'null' })).status).to.equal(200);
    });

    it('opens the directory only without it [R7, R12, R20]', async () => {
      const { stranger } = world.people;
      const path = `/api/projects?filter[is-public]=true&filter[organization-id]=${world.ids.lakeside}`;
      expect(namesIn(await stranger.get(path))).to.deep.equal(['Öffentlich']);
      const narrowed = await stranger.get(path, { Organization: world.ids.harbor });
      expect(narrowed.many).to.deep.equal([]);
      const plain = await stranger.get(
        `/api/projects?filter[organization-id]=${world.ids.lakeside}`,
      );
      expect(plain.many).to.deep.equal([]);
    });
  });

  describe('[wire 14.2] hidden fields', () => {
    it('read null, and neither match nor order', async () => {
      const { stranger } = world.people;
      const { publicProduct } = world.ids;
      const { one } = await stranger.get(`/api/products/${publicProduct}`);
      expect(one.attributes?.['workflow-state']).to.equal(null);
      const base = `/api/projects/${world.ids.public}/products?`;
      for (const filter of [
        'filter[workflow-state]=Approval',
        'filter[workflow-state]=isnull:',
        'filter[workflow-state]=ne:x',
      ]) {
        expect((await stranger.get(base + filter)).many, filter).to.deep.equal([]);
      }
      const { builder } = world.people;
      expect((await builder.get(`${base}filter[workflow-state]=approval`)).many).to.have.length(1);
      expect((await stranger.get(`${base}sort=workflow-state`)).many).to.have.length(1);
    });

    it('say neither whom a product waits for nor what failed, nor find it by them [domain 2.4]', async () => {
      const { stranger, builder } = world.people;
      const { publicProduct } = world.ids;
      const read = async (who: typeof stranger) => {
        const { one } = await who.get(`/api/products/${publicProduct}?include=assigned`);
        const { attributes = {}, relationships = {} } = one;
        return [
          attributes['waiting-for'],
          attributes.failure,
          attributes['failure-reason'],
          (relationships.assigned?.data as { readonly id: string } | null)?.id ?? null,
        ];
      };
      expect(await read(stranger)).to.deep.equal([null, null, null, null]);
      expect(await read(builder)).to.deep.equal(['owner', 'build', 'It is broken', builder.id]);
      const base = `/api/projects/${world.ids.public}/products?`;
      for (const filter of [
        'filter[waiting-for]=owner',
        'filter[failure]=build',
        `filter[assigned-id]=${builder.id}`,
      ]) {
        expect((await stranger.get(base + filter)).many, filter).to.deep.equal([]);
        expect((await builder.get(base + filter)).many, filter).to.have.length(1);
      }
    });

    it('do not show by the mirror of a to-one who it leads to [wire 16.2]', async () => {
      const { stranger, builder } = world.people;
      const { publicProduct } = world.ids;
      const build = world.id();
      await world.write((w) =>
        w.insert('productBuild', { id: build, product: publicProduct, startedBy: builder.id }),
      );
      for (const [mirror, type, id] of [
        ['assigned-products', 'products', publicProduct],
        ['started-builds', 'product-builds', build],
      ] as const) {
        const user = `/api/users/${builder.id}`;
        const ref = { type: 'users', id: builder.id, relationship: mirror };
        const texts = async (who: typeof stranger) => [
          (await who.get(`${user}/${mirror}`)).text,
          (await who.get(`${user}/relationships/${mirror}`)).text,
          (await who.get(`${user}?include=${mirror}`)).text,
          (await who.ask('POST', '/api/operations', { operations: [{ op: 'get', ref }] })).text,
        ];
        for (const text of await texts(stranger)) expect(text, mirror).not.to.include(id);
        for (const text of await texts(builder)) expect(text, mirror).to.include(id);
        // To add a member again is no error, so the answer would tell that it is one.
        const add = (who: typeof stranger) =>
          who.ask('POST', `${user}/relationships/${mirror}`, { data: [{ type, id }] });
        expect((await add(stranger)).status, mirror).to.equal(403);
        expect((await add(builder)).status, mirror).to.equal(204);
      }
    });

    it('do not leak through a to-one', async () => {
      const { stranger, builder } = world.people;
      const path = `/api/projects?filter[is-public]=true&filter[date-archived]=isnull:&filter[owner.email]=${builder.email}`;
      expect((await stranger.get(path)).many).to.deep.equal([]);
      expect((await builder.get(path)).many).to.have.length(1);
    });
  });
});
