import { expect } from 'chai';
import { sql } from 'kysely';
import { limits } from '#protocol/limits.ts';
import { MENTIONS_MOST, mentionOf } from '#rules/mention.ts';
import type { Of } from '#schema/index.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, Person, World } from './world.ts';

describe('comments on a product', () => {
  let world: World;

  beforeEach(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const comment = (who: Person, text: string, product = world.ids.product) =>
    who.ask('POST', '/api/product-comments', {
      data: {
        type: 'product-comments',
        attributes: { text },
        relationships: { product: { data: { type: 'products', id: product } } },
      },
    });
  const edit = (who: Person, id: string, text: string) =>
    who.ask('PATCH', `/api/product-comments/${id}`, {
      data: { type: 'product-comments', id, attributes: { text } },
    });
  const mention = (name: Name) => mentionOf(world.people[name].id);
  const notificationsOf = (name: Name): Promise<readonly Of<'notification'>[]> =>
    world.server.parts.db.read((tx) => tx.all('notification', { user: world.people[name].id }));
  const told = async (name: Name) =>
    (await notificationsOf(name)).flatMap(({ messageId }) =>
      messageId?.startsWith('comment') === true ? [messageId] : [],
    );

  it('are made by the people of the project, in their own name, and by nobody else', async () => {
    const { builder, admin, author, super: superAdmin, member, stranger } = world.people;
    for (const who of [builder, admin, author, superAdmin]) {
      const made = await comment(who, 'Fine by me');
      expect(made.status, made.text).to.equal(201);
      expect(made.one.relationships?.user?.data).to.deep.include({ id: who.id });
    }
    expect((await comment(member, 'Hello')).status).to.equal(403);
    // Whether there is such a product is not told to who does not see it.
    for (const product of [world.ids.product, world.id()])
      expect((await comment(stranger, 'Hello', product)).refusal).to.equal('invalid/reference');
  });

  it('are read by members, and not by outsiders, of a public project either', async () => {
    const { member, stranger, builder } = world.people;
    const { publicProduct } = world.ids;
    const made = await comment(builder, 'Between us', publicProduct);
    const path = `/api/product-comments/${made.one.id}`;

    expect((await member.get(path)).status).to.equal(200);
    expect((await stranger.get(path)).status).to.equal(404);
    const product = `/api/products/${publicProduct}?include=product-comments`;
    expect((await member.get(product)).body.included).to.have.length(1);
    const seen = await stranger.get(product);
    expect(seen.status).to.equal(200);
    expect(seen.text).not.to.include('Between us').and.not.to.include(made.one.id);
  });

  it('are edited by their author alone, and removed by who answers for the project too', async () => {
    const { builder, admin, author, super: superAdmin } = world.people;
    const { one } = await comment(author, 'Frist');

    for (const who of [builder, admin, superAdmin])
      expect((await edit(who, one.id, 'Other words')).status).to.equal(403);
    const edited = await edit(author, one.id, 'First');
    expect(edited.one.attributes).to.include({ text: 'First' });
    expect((await builder.ask('DELETE', `/api/product-comments/${one.id}`)).status).to.equal(204);
    const own = await comment(builder, 'Mine');
    expect((await author.ask('DELETE', `/api/product-comments/${own.one.id}`)).status).to.equal(
      403,
    );
  });

  it('have words, and not too many', async () => {
    const { builder } = world.people;
    expect((await comment(builder, ' \n ')).refusal).to.equal('invalid/required');
    const longest = limits.commentCharacters;
    expect((await comment(builder, 'x'.repeat(longest))).status).to.equal(201);
    expect((await comment(builder, 'x'.repeat(longest + 1))).refusal).to.equal('invalid/too-long');
  });

  it('mention people of the project; of all others the refusal is the same', async () => {
    const { builder, stranger, super: superAdmin } = world.people;
    expect((await comment(builder, `Look, ${mention('author')}`)).status).to.equal(201);
    for (const id of [stranger.id, superAdmin.id, world.people.member.id, world.id()]) {
      const refused = await comment(builder, `Look, ${mentionOf(id)}`);
      expect(refused.status).to.equal(422);
      expect(refused.body.errors?.[0]).to.deep.include({
        code: 'invalid',
        source: { pointer: '/data/attributes/text' },
        meta: { rule: 'reference', mentions: [id] },
      });
    }
  });

  it('mention ten people at most, of whom those who stood there before are not asked about', async () => {
    const { builder, author } = world.people;
    const eleven = Array.from({ length: MENTIONS_MOST + 1 }, () => mentionOf(world.id()));
    const refused = await comment(builder, eleven.join(' '));
    expect(refused.refusal).to.equal('invalid/range');
    expect(refused.body.errors?.[0]?.meta).to.include({ limit: MENTIONS_MOST });

    const { one } = await comment(builder, `With ${mention('author')}`);
    await world.write(async (write) => {
      for (const { id } of await write.all('author', { user: author.id }))
        await write.remove('author', id);
      for (const { id } of await write.all('groupMembership', { user: author.id }))
        await write.remove('groupMembership', id);
    });
    expect((await edit(builder, one.id, `Without, ${mention('author')}`)).status).to.equal(200);
    expect((await comment(builder, `Again ${mention('author')}`)).refusal).to.equal(
      'invalid/reference',
    );
  });

  it('are told to whom they mention anew, and new ones to the owner, without their words', async () => {
    const { author, builder } = world.people;
    const { one } = await comment(author, `The secret plan of ${mention('admin')}`);
    expect([await told('admin'), await told('builder'), await told('author')]).to.deep.equal([
      ['commentMentioned'],
      ['commentAdded'],
      [],
    ]);
    await edit(author, one.id, `The plan of ${mention('admin')} and ${mention('builder')}`);
    expect(await told('admin')).to.have.length(1);
    expect(await told('builder')).to.have.members(['commentAdded', 'commentMentioned']);
    // A new one that mentions the owner tells them once.
    await comment(author, mention('builder'));
    expect(await told('builder')).to.have.length(3);
    await comment(builder, `To myself: ${mention('builder')}`);
    expect(await told('builder')).to.have.length(3);

    const [first] = await notificationsOf('admin');
    const { project, product } = world.ids;
    expect(first).to.include({
      linkUrl: `/projects/${project}/activity?product=${product}#comment-${one.id}`,
      sendEmail: true,
    });
    expect(JSON.stringify(first)).not.to.include('secret plan');
  });

  it('are mailed to nobody who silenced them, and of an archived project they tell nobody', async () => {
    const { author, admin } = world.people;
    await world.write((write) => write.change('user', admin.id, { silencedMails: ['comments'] }));
    await comment(author, mention('admin'));
    expect((await notificationsOf('admin')).map(({ sendEmail }) => sendEmail)).to.deep.equal([
      false,
    ]);

    const dateArchived = '2026-01-31T09:30:00.000Z';
    await world.write((write) => write.change('project', world.ids.project, { dateArchived }));
    expect((await comment(author, mention('admin'))).status).to.equal(201);
    expect(await told('admin')).to.have.length(1);
  });

  it('are 60 an hour of each person; an edit counts if it mentions somebody anew', async () => {
    const { author } = world.people;
    const { one } = await comment(author, 'First');
    for (let n = 1; n < 60; n += 1) expect((await comment(author, `${n}`)).status).to.equal(201);

    const refused = await comment(author, 'One too many');
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).not.to.equal(null);
    expect((await edit(author, one.id, 'The first')).status).to.equal(200);
    expect((await edit(author, one.id, mention('admin'))).status).to.equal(429);
    expect((await comment(world.people.builder, 'Another person')).status).to.equal(201);
  });

  it('are 500 on one product', async () => {
    const { builder } = world.people;
    const { product, publicProduct } = world.ids;
    const missing = limits.commentsOfProduct - 1;
    await world.write((write) =>
      write.query(sql`insert into product_comments
          (id, version, date_created, date_updated, text, user_id, product_id)
        select gen_random_uuid(), 1, now(), now(), 'x', ${builder.id}, ${product}
        from generate_series(1, ${missing - 1})`),
    );
    expect((await comment(builder, 'The last')).status).to.equal(201);
    const refused = await comment(builder, 'One more');
    expect(refused.refusal).to.equal('action-not-allowed');
    expect(refused.body.errors?.[0]?.meta).to.include({ reason: 'comments-full' });
    expect((await comment(builder, 'Elsewhere', publicProduct)).status).to.equal(201);
  });

  it('go with their product', async () => {
    const { builder } = world.people;
    const { one } = await comment(builder, 'Short-lived');
    await world.write((write) => write.remove('product', world.ids.product));
    expect((await edit(builder, one.id, 'Longer')).status).to.equal(410);
  });
});
