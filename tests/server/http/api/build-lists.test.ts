import { expect } from 'chai';
import { sql } from 'kysely';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { World } from './world.ts';

const COUNT = 600;

describe('a list of builds [wire 5.2]', () => {
  let world: World;
  /** The ids of the builds of Harvest's product, oldest first. */
  let ids: string[];

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const { product, build } = world.ids;
    ids = [build, ...Array.from({ length: COUNT - 1 }, () => world.id())];
    await world.write(async (w) => {
      for (const [n, id] of ids.entries()) {
        const fields = {
          success: n === COUNT - 1 ? null : n % 3 !== 0,
          triggeredBy: n % 2 === 0 ? 'rebuild' : 'person',
          startedBy: world.people[n % 2 === 0 ? 'admin' : 'builder'].id,
        } as const;
        if (n === 0) await w.change('productBuild', id, fields);
        else await w.insert('productBuild', { id, product, ...fields });
      }
      await w.query(sql`update product_builds build
        set date_created = '2026-01-01T00:00:00Z'::timestamptz + listed.n * interval '1 hour'
        from unnest(${ids}::uuid[]) with ordinality as listed (id, n)
        where listed.id = build.id`);
    });
  });

  const idsOf = async (who: 'builder' | 'stranger' | 'super', query: string) => {
    const reply = await world.people[who].get(`/api/product-builds?sort=-date-created&${query}`);
    expect(reply.status, query).to.equal(200);
    return { ids: reply.many.map(({ id }) => id), total: reply.body.meta?.['total-records'] };
  };
  const page = 'page[limit]=20&page[offset]=1';

  it('has the newest first, page by page, of a product, of a project and of all that is one’s own', async () => {
    const { product, project } = world.ids;
    const newestFirst = ids.toReversed();
    for (const filter of [`filter[product-id]=${product}`, `filter[project-id]=${project}`, ''])
      for (const number of [1, 2, 30]) {
        const query = `${filter}&page[limit]=20&page[offset]=${number}`;
        expect(await idsOf('builder', query), query).to.deep.equal({
          ids: newestFirst.slice((number - 1) * 20, number * 20),
          total: COUNT,
        });
      }
    expect((await idsOf('super', `filter[project-id]=${project}&${page}`)).total).to.equal(COUNT);
  });

  it('is narrowed by how they ended, by what began them, by whom and since when', async () => {
    const { admin } = world.people;
    const total = async (filter: string) => (await idsOf('builder', `${filter}&${page}`)).total;
    expect(await total('filter[status]=failed')).to.equal(COUNT / 3);
    expect(await total('filter[status]=building')).to.equal(1);
    expect(await total('filter[status]=in:failed,building')).to.equal(COUNT / 3 + 1);
    expect(await total('filter[status]=in:failed,building,built')).to.equal(COUNT);
    expect(await total('filter[triggered-by]=rebuild')).to.equal(COUNT / 2);
    expect(await total(`filter[started-by]=${admin.id}`)).to.equal(COUNT / 2);
    expect(await total('filter[date-created]=ge:2026-01-25')).to.equal(COUNT - 575);
  });

  it('has nothing of a project that one does not see, and of others’ at all', async () => {
    const { product, project } = world.ids;
    for (const filter of [`filter[project-id]=${project}`, `filter[product-id]=${product}`, ''])
      expect((await idsOf('stranger', filter)).ids, filter).to.deep.equal([]);
    expect((await idsOf('builder', `filter[project-id]=${world.id()}`)).ids).to.deep.equal([]);
  });

  it('is refused for a word that is no status, and for what is no id', async () => {
    for (const [name, value] of [
      ['status', 'published'],
      ['status', 'in:failed,lost'],
      ['status', 'isnull:'],
      ['project-id', 'harvest'],
      ['product-id', 'harvest'],
      ['started-by', 'ana'],
      ['triggered-by', 'nobody'],
    ] as const) {
      const reply = await world.people.builder.get(`/api/product-builds?filter[${name}]=${value}`);
      expect([reply.status, reply.refusal], `${name} ${value}`).to.deep.equal([
        400,
        'invalid-parameter',
      ]);
      expect(reply.body.errors?.[0]?.source?.parameter).to.equal(`filter[${name}]`);
    }
  });
});
