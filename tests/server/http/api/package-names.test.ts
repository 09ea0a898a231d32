import { expect } from 'chai';
import { sql } from 'kysely';
import { limits } from '#protocol/limits.ts';
import type { PackageName, PackageNames } from '#protocol/package-names.ts';
import { claim } from '#server/domain/builds/package-names.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, Reply, World } from './world.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

describe('the package names of an installation', () => {
  let world: World;
  let as: World['people'];
  let lakeside: string;
  let harbor: string;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    as = world.people;
    ({ lakeside, harbor } = world.ids);
  });

  /** Names of this suite alone; those of other suites are on the same server. */
  const nameOf = (word: string) => `org.${word}.n${world.id().replaceAll('-', '')}`;
  const claimed = async (name: string, holder: string, since = '2026-02-03T04:05:06.000Z') => {
    await world.write((w) =>
      w.query(sql`insert into package_names (name, organization_id, since)
        values (${name}, ${holder}, ${since}::timestamptz)`),
    );
    return name;
  };
  /** A product of a new project of `organization` that has published under `name`. */
  const published = async (name: string, organization: string, dateCreated: string) => {
    const [project, product, productBuild, id] = [world.id(), world.id(), world.id(), world.id()];
    await world.write(async (w) => {
      const { bookapp: type, north, pier, definition: productDefinition, store } = world.ids;
      const group = organization === lakeside ? north : pier;
      const owner = as.builder.id;
      const named = { name: `Of ${project}`, language: 'en', type, owner, group, organization };
      await w.insert('project', { id: project, ...named });
      await w.insert('product', { id: product, project, productDefinition, store });
      await w.insert('productBuild', { id: productBuild, product, success: true });
      const release = { product, productBuild, success: true, package: name };
      await w.insert('productPublication', { id, ...release });
      await w.query(sql`update product_publications set date_created = ${dateCreated}::timestamptz
        where id = ${id}`);
    });
    return product;
  };
  const list = async (query: string, who: Person = as.super): Promise<PackageNames> => {
    const reply = await who.get(`/api/package-names${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return reply.body as unknown as PackageNames;
  };
  const find = async (name: string, who: Person = as.super): Promise<PackageName | undefined> =>
    (await list(`?filter[search-term]=${name}`, who)).packageNames[0];
  const namesIn = ({ packageNames }: PackageNames) => packageNames.map(({ name }) => name);
  const move = (name: string, body: unknown, who: Person = as.super, headers = {}) =>
    who.ask('PUT', `/api/package-names/${name}`, body, { ...JSON_BODY, ...headers });
  const moved = (reply: Reply) => {
    expect(reply.status, reply.text).to.equal(200);
  };
  const notificationsOf = async (who: Person, name: string) =>
    (await who.get('/api/notifications?page[limit]=500')).many
      .map(({ attributes = {} }) => attributes)
      .filter(({ 'message-values': values }) => JSON.stringify(values).includes(name))
      .map(({ 'message-id': id, 'message-values': values, 'link-url': link, message }) => ({
        ...{ id, values, link, message },
      }));

  it('are listed for super admins with holder, products, and since when', async () => {
    const name = await claimed(nameOf('listed'), lakeside);
    const older = await published(name, lakeside, '2026-03-01T00:00:00.000Z');
    const newer = await published(name, lakeside, '2026-03-02T00:00:00.000Z');
    const found = await find(name);
    expect(found).to.deep.include({
      ...{ name, reason: null, isOfProduct: false, productsTotal: 2 },
      organization: { id: lakeside, name: 'Lakeside Press' },
    });
    expect(new Date(found?.since ?? '').toISOString()).to.equal('2026-02-03T04:05:06.000Z');
    expect(found?.products.map(({ id }) => id)).to.deep.equal([newer, older]);
    expect(found?.products[0]).to.deep.include({
      name: 'Android App',
      organization: { id: lakeside, name: 'Lakeside Press' },
    });
    expect(new Date(found?.products[0]?.lastPublished ?? '').toISOString()).to.equal(
      '2026-03-02T00:00:00.000Z',
    );
  });

  it('that nothing was published under have no product', async () => {
    const name = await claimed(nameOf('unused'), harbor);
    expect(await find(name)).to.deep.include({ products: [], productsTotal: 0 });
  });

  it('are found by parts of the name and of the holder’s name, whatever the case, and nothing else', async () => {
    const name = await claimed(nameOf('sought'), harbor);
    expect(
      namesIn(await list(`?filter[search-term]=${name.slice(5, -3).toUpperCase()}`)),
    ).to.include(name);
    const ofHolder = await list('?filter[search-term]=hARBOR%20med&page[limit]=500');
    expect(namesIn(ofHolder)).to.include(name);
    expect(
      new Set(ofHolder.packageNames.map(({ organization }) => organization.name)),
    ).to.deep.equal(new Set(['Harbor Media']));
    for (const word of ['%25', '_%25', 'no.such.name'])
      expect((await list(`?filter[search-term]=${word}`)).packageNames, word).to.deep.equal([]);
  });

  it('come in pages and in the order that is asked for', async () => {
    const word = world.id().replaceAll('-', '');
    const names = [1, 2, 3].map((n) => `org.paged.n${word}.p${n}`);
    for (const [n, name] of names.entries())
      await claimed(name, lakeside, `2026-01-0${String(3 - n)}T00:00:00.000Z`);
    const page = (more: string) => list(`?filter[search-term]=${word}&page[limit]=2${more}`);
    const first = await page('&page[offset]=1');
    expect([namesIn(first), first.total]).to.deep.equal([names.slice(0, 2), 3]);
    expect(namesIn(await page('&page[offset]=2'))).to.deep.equal(names.slice(2));
    const [a, b, c] = names;
    expect(namesIn(await page('&sort=-name'))).to.deep.equal([c, b]);
    expect(namesIn(await page('&sort=since'))).to.deep.equal([c, b]);
    expect(namesIn(await page('&sort=-since'))).to.deep.equal([a, b]);
  });

  it('are asked for by nothing that there is not', async () => {
    for (const [query, refusal] of [
      ['?search=x', 'unknown-parameter'],
      ['?filter[name]=x', 'unknown-parameter'],
      ['?sort=owner', 'invalid-parameter'],
      ['?filter[organization-id]=eq:x', 'invalid-parameter'],
      ['?filter[search-term]=%00', 'invalid-parameter'],
      ['?page[offset]=0', 'invalid-parameter'],
      ['?sort=name&sort=since', 'invalid-parameter'],
    ] as const)
      expect((await as.super.get(`/api/package-names${query}`)).refusal, query).to.equal(refusal);
  });

  it('show the admins of an organization its own, without the products of others, and nobody else any', async () => {
    const name = await claimed(nameOf('own'), lakeside);
    const theirs = await claimed(nameOf('theirs'), harbor);
    const own = await published(name, lakeside, '2026-03-01T00:00:00.000Z');
    await published(name, harbor, '2026-03-02T00:00:00.000Z');
    const seen = await list('?page[limit]=500', as.admin);
    expect(namesIn(seen)).to.include(name).and.not.include(theirs);
    const found = await find(name, as.admin);
    expect(found?.products.map(({ id }) => id)).to.deep.equal([own]);
    expect(JSON.stringify(seen)).not.to.include('Harbor');
    const asked = `/api/package-names?filter[organization-id]=eq:${harbor}`;
    expect((await as.admin.get(asked)).refusal).to.equal('forbidden');
    expect((await find(name))?.productsTotal).to.equal(2);
    expect(namesIn(await list(`?filter[organization-id]=${harbor}&page[limit]=500`))).to.include(
      theirs,
    );
    for (const who of [as.builder, as.author, as.member, as.nobody])
      expect((await who.get('/api/package-names')).refusal).to.equal('forbidden');
    const signedOut = await fetch(`${world.server.url}/api/package-names`);
    expect(signedOut.status).to.equal(401);
  });

  it(`say how many products there are beyond the ${String(limits.packageNameProducts)} that are listed`, async () => {
    const name = await claimed(nameOf('many'), lakeside);
    for (let day = 1; day <= limits.packageNameProducts + 2; day += 1)
      await published(name, lakeside, `2026-04-0${String(day)}T00:00:00.000Z`);
    const found = await find(name);
    expect([found?.products.length, found?.productsTotal]).to.deep.equal([
      limits.packageNameProducts,
      limits.packageNameProducts + 2,
    ]);
  });

  it('are moved by a super admin: the list has the new holder, why, and the products of the old one', async () => {
    const name = await claimed(nameOf('moved'), lakeside);
    const product = await published(name, lakeside, '2026-03-01T00:00:00.000Z');
    moved(await move(name, { organization: harbor, reason: 'Sold', from: lakeside }));
    const found = await find(name);
    expect(found).to.deep.include({
      ...{ reason: 'Sold', productsTotal: 1 },
      organization: { id: harbor, name: 'Harbor Media' },
    });
    expect(found?.products[0]).to.deep.include({
      id: product,
      organization: { id: lakeside, name: 'Lakeside Press' },
    });
    expect(Date.parse(found?.since ?? '')).to.be.greaterThan(Date.parse('2026-02-04'));
    expect(await find(name, as.admin)).to.equal(undefined);
    expect((await find(name, as.stranger))?.products).to.deep.equal([]);
    moved(await move(name, { organization: lakeside, reason: 'It was a mistake' }));
    expect(await find(name, as.admin)).to.deep.include({ name, reason: 'It was a mistake' });
  });

  it('are moved by nobody but a super admin', async () => {
    const name = await claimed(nameOf('kept'), lakeside);
    for (const who of [as.admin, as.stranger, as.builder, as.member, as.nobody])
      for (const one of [name, nameOf('unknown')])
        expect((await move(one, { organization: harbor, reason: 'x' }, who)).refusal).to.equal(
          'forbidden',
        );
    expect((await find(name))?.organization.id).to.equal(lakeside);
  });

  it('tell the admins of both organizations that one was moved and why, each once, and of neither the other', async () => {
    const name = await claimed(nameOf('told'), lakeside);
    moved(await move(name, { organization: harbor, reason: 'Sold to you' }));
    moved(await move(name, { organization: harbor, reason: 'Sold to you' }));
    const [away, ...more] = await notificationsOf(as.admin, name);
    const [here, ...others] = await notificationsOf(as.stranger, name);
    expect([more, others]).to.deep.equal([[], []]);
    expect(away).to.deep.include({
      id: 'packageNameMovedAway',
      values: { packageName: name, orgName: 'Lakeside Press', reason: 'Sold to you' },
      link: `/organizations/${lakeside}/settings/products`,
    });
    expect(here).to.deep.include({
      id: 'packageNameMovedHere',
      values: { packageName: name, orgName: 'Harbor Media', reason: 'Sold to you' },
      link: `/organizations/${harbor}/settings/products`,
    });
    expect(away?.message).to.include(name).and.include('Sold to you');
    for (const who of [as.builder, as.member, as.super])
      expect(await notificationsOf(who, name)).to.deep.equal([]);
  });

  it('below app.slipway are their product’s for ever', async () => {
    const name = `app.slipway.p${world.id().replaceAll('-', '')}`;
    await claimed(name, lakeside);
    expect(await find(name)).to.deep.include({ isOfProduct: true });
    const reply = await move(name, { organization: harbor, reason: 'x' });
    expect([reply.status, reply.refusal, reply.body.errors?.[0]?.meta]).to.deep.equal([
      409,
      'action-not-allowed',
      { reason: 'product-name' },
    ]);
    expect((await find(name))?.organization.id).to.equal(lakeside);
  });

  it('are moved for no reason that cannot be stored', async () => {
    const name = await claimed(nameOf('reason'), lakeside);
    for (const reason of ['a\0b', 'a\ud83d', `e${'\u0301'.repeat(40)}`])
      expect(
        (await move(name, { organization: harbor, reason })).refusal,
        JSON.stringify(reason),
      ).to.equal('invalid/type');
    expect((await find(name))?.organization.id).to.equal(lakeside);
  });

  it('are moved from the holder that the person saw, or not at all', async () => {
    const name = await claimed(nameOf('seen'), harbor);
    const reply = await move(name, { organization: lakeside, reason: 'x', from: world.id() });
    expect([reply.status, reply.refusal]).to.deep.equal([409, 'changed-elsewhere']);
    expect(reply.body.errors?.[0]?.meta?.current).to.deep.equal({
      organization: { id: harbor, name: 'Harbor Media' },
    });
    expect((await move(name, { organization: lakeside, reason: 'x', from: 7 })).refusal).to.equal(
      'invalid/type',
    );
    expect((await find(name))?.organization.id).to.equal(harbor);
  });

  it('that two people move at the same time go to one of the two, and the other is told so', async () => {
    const name = await claimed(nameOf('raced'), lakeside);
    const third = world.id();
    await world.write((w) =>
      w.insert('organization', { id: third, name: 'Third', owner: as.stranger.id }),
    );
    const replies = await Promise.all(
      [harbor, third].map((organization) =>
        move(name, { organization, reason: 'x', from: lakeside }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    const winner = [harbor, third][replies.findIndex(({ status }) => status === 200)];
    expect((await find(name))?.organization.id).to.equal(winner);
  });

  it('that are claimed while they are moved are nobody’s but the new holder’s after it', async () => {
    const at = '2026-05-01T00:00:00.000Z';
    const maker = { product: world.ids.product, organization: lakeside };
    for (let n = 0; n < 6; n += 1) {
      const name = await claimed(nameOf('claimed'), lakeside);
      const { db } = world.server.parts;
      const [reply] = await Promise.all([
        move(name, { organization: harbor, reason: 'x', from: lakeside }),
        db.transact((tx) => claim(tx, name, maker, at)),
      ]);
      moved(reply);
      expect(await db.transact((tx) => claim(tx, name, maker, at))).to.equal(false);
      const other = { product: world.id(), organization: harbor };
      expect(await db.transact((tx) => claim(tx, name, other, at))).to.equal(true);
    }
  });

  it('are moved once for the same request, and an answer that was lost can be asked for again', async () => {
    const name = await claimed(nameOf('again'), lakeside);
    const body = { organization: harbor, reason: 'x', from: lakeside };
    const key = { 'Idempotency-Key': world.id() };
    moved(await move(name, body, as.super, key));
    moved(await move(name, { organization: lakeside, reason: 'back' }));
    const again = await move(name, body, as.super, key);
    expect(again.headers.get('Idempotency-Replayed')).to.equal('true');
    expect((await find(name))?.organization.id).to.equal(lakeside);
    expect((await notificationsOf(as.stranger, name)).map(({ id }) => id).sort()).to.deep.equal([
      'packageNameMovedAway',
      'packageNameMovedHere',
    ]);
  });

  it('are told in the audit log of both organizations, before and after', async () => {
    const name = await claimed(nameOf('audited'), lakeside);
    moved(await move(name, { organization: harbor, reason: 'Sold' }));
    const events = async (who: Person) =>
      (
        await who.get('/api/audit-events?filter[kind]=in:package-name-given,package-name-taken')
      ).many
        .map(({ attributes = {} }) => attributes)
        .filter((one) => JSON.stringify(one).includes(name))
        .map(({ kind, before, after }) => ({ kind, before, after }));
    expect(await events(as.admin)).to.deep.equal([
      {
        kind: 'package-name-taken',
        before: { 'package-name': name },
        after: { reason: 'Sold' },
      },
    ]);
    expect(await events(as.stranger)).to.deep.equal([
      {
        kind: 'package-name-given',
        before: null,
        after: { 'package-name': name, reason: 'Sold' },
      },
    ]);
    expect((await events(as.super)).length).to.equal(2);
  });
});
