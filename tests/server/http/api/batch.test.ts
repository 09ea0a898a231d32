import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import type { ResourceObject } from '#protocol/document.ts';
import type { Verdict } from '#protocol/operations.ts';
import type { FeedRow } from '#server/db/feed-row.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, World } from './world.ts';

describe('[8.3] the changes of a lenient batch', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const send = async (
    operations: readonly unknown[],
    who: Person = world.people.builder,
  ): Promise<readonly Verdict[]> => {
    const headers = { Prefer: 'handling=lenient' };
    const reply = await who.ask('POST', '/api/operations', { operations }, headers);
    expect(reply.status, reply.text).to.equal(200);
    return reply.body.operations ?? [];
  };
  const statuses = (verdicts: readonly Verdict[]) => verdicts.map(({ meta }) => meta.status);

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
  const newReviewer = (name: string, id = world.id(), project = world.ids.project) => ({
    type: 'reviewers',
    id,
    attributes: { name, email: 'ana@example.org' },
    relationships: { project: { data: { type: 'projects', id: project } } },
  });
  const newGroup = (name: string, id = world.id()) => ({
    type: 'groups',
    id,
    attributes: { name, abbreviation: 'G' },
    relationships: { owner: { data: { type: 'organizations', id: world.ids.lakeside } } },
  });
  const add = (data: unknown, id = world.id()) => ({ op: 'add', data, meta: { id } });
  const remove = (type: string, id: string) => ({ op: 'remove', ref: { type, id } });
  const rename = (id: string, name: unknown, meta: object = {}) => ({
    op: 'update',
    data: { type: 'projects', id, attributes: { name } },
    meta: { id: world.id(), ...meta },
  });
  const renameGroup = (id: string, name: string) => ({
    op: 'update',
    data: { type: 'groups', id, attributes: { name } },
    meta: { id: world.id() },
  });
  const based = (name: string) => ({ base: { attributes: { name } } });
  const someProjects = async (names: readonly string[]) => {
    const all = names.map((name) => newProject(name));
    await send(all.map((data) => add(data)));
    return all.map(({ id }) => id);
  };
  const nameOf = async (id: string) =>
    (await world.people.builder.get(`/api/projects/${id}`)).one.attributes?.name;
  const rowsOf = (id: string) =>
    world.server.parts.db.read((tx) =>
      tx.query(sql<FeedRow>`select * from feed where id = ${id} order by n, k`),
    );

  it('are one commit, told of each record with the changes that touched it alone', async () => {
    const [one = '', two = ''] = await someProjects(['One', 'Two']);
    const operations = [rename(one, 'One 2'), rename(two, 'Two 2'), rename(one, 'One 3')];
    const verdicts = await send(operations);

    expect(statuses(verdicts)).to.deep.equal([200, 200, 200]);
    const [first, second, third] = operations.map(({ meta }) => meta.id);
    const [toldOne, toldTwo] = [(await rowsOf(one)).at(-1), (await rowsOf(two)).at(-1)];
    expect(toldOne?.changes).to.deep.equal([first, third]);
    expect(toldTwo?.changes).to.deep.equal([second]);
    expect(toldOne?.n).to.equal(toldTwo?.n);
    expect(await nameOf(one)).to.equal('One 3');
  });

  it('are told so too when they are all or nothing', async () => {
    const [one = '', two = ''] = await someProjects(['One', 'Two']);
    const operations = [rename(one, 'One 2'), rename(two, 'Two 2')];
    const reply = await world.people.builder.ask('POST', '/api/operations', { operations });

    expect(reply.status).to.equal(200);
    const told = [(await rowsOf(one)).at(-1), (await rowsOf(two)).at(-1)];
    expect(told.map((row) => row?.changes)).to.deep.equal(operations.map(({ meta }) => [meta.id]));
    expect(told[0]?.n).to.equal(told[1]?.n);
  });

  it('ask little of the database, however many they are', async () => {
    const ids = await someProjects(Array.from({ length: 40 }, (_, n) => `Many ${n}`));
    // The effects of making them would be counted too.
    await world.server.parts.jobs.untilIdle();
    const counting = countStatements();
    try {
      await send(ids.map((id, n) => rename(id, `More ${n}`, based(`Many ${n}`))));
    } finally {
      counting.stop();
    }

    // Two for each, a savepoint and the update; the rest is the same for one and for a hundred.
    expect(counting.statements()).to.be.lessThan(40 * 2 + 40);
  });

  it('leave nothing of one that is refused, not even its name in the news', async () => {
    const [id = ''] = await someProjects(['Kept']);
    const [good, bad, last] = [
      rename(id, 'Good'),
      rename(id, 'Bad'),
      rename(id, 'Last', based('Good')),
    ];
    const refused = { ...rename(id, ''), meta: bad.meta };
    const verdicts = await send([good, bad, refused, last]);

    expect(statuses(verdicts)).to.deep.equal([200, 424, 422, 200]);
    expect((await rowsOf(id)).at(-1)?.changes).to.deep.equal([good.meta.id, last.meta.id]);
    expect(await nameOf(id)).to.equal('Last');
  });

  it('have their base checked against what those before them left', async () => {
    const [id = ''] = await someProjects(['Base']);
    const verdicts = await send([
      rename(id, 'Mine', based('Base')),
      rename(id, 'Mine 2', based('Mine')),
      rename(id, 'Theirs', based('Base')),
    ]);

    expect(statuses(verdicts)).to.deep.equal([200, 200, 409]);
    const { meta } = verdicts[2]?.errors?.[0] ?? {};
    expect(meta?.current).to.deep.equal({ attributes: { name: 'Mine 2' }, relationships: {} });
    expect(meta?.by).to.deep.include({ id: world.people.builder.id });
  });

  it('find 410 where one before them removed a record, also one that was made in the batch', async () => {
    const { admin } = world.people;
    const [old, made] = [newGroup('Old'), newGroup('Made')];
    await send([add(old)], admin);
    const verdicts = await send(
      [
        remove('groups', old.id),
        renameGroup(old.id, 'Late'),
        remove('groups', old.id),
        add(made),
        remove('groups', made.id),
        renameGroup(made.id, 'Late'),
      ],
      admin,
    );

    expect(statuses(verdicts)).to.deep.equal([204, 410, 204, 201, 204, 410]);
    expect(verdicts[1]?.errors?.[0]?.meta?.by).to.deep.include({ id: admin.id });
    const later = await send([renameGroup(made.id, 'Later'), remove('groups', made.id)], admin);
    expect(statuses(later)).to.deep.equal([410, 204]);
  });

  it('lose at once the rights that one before them gave away', async () => {
    const { super: person } = world.people;
    const { parts: services } = world.server;
    const held = await services.db.read((tx) => tx.all('userRole', { user: person.id }));
    const group = world.ids.pier;
    // The last super admin could not give it away.
    const other = { ...held[0], id: world.id(), user: world.people.nobody.id };
    await world.write((w) => w.insert('userRole', other));
    const verdicts = await send(
      [
        renameGroup(group, 'Pier 2'),
        remove('user-roles', held[0]?.id ?? ''),
        renameGroup(group, 'Pier 3'),
      ],
      person,
    );

    expect(statuses(verdicts)).to.deep.equal([200, 204, 404]);
    await world.write((w) => w.insert('userRole', { ...held[0], id: world.id() }));
    await world.write((w) => w.remove('userRole', other.id));
  });

  it('are each done once when a longer batch brings some of them again', async () => {
    const [id = ''] = await someProjects(['Again']);
    const first = [rename(id, 'Again 1'), rename(id, 'Again 2')];
    await send(first);
    const verdicts = await send([...first, rename(id, 'Again 3', based('Again 2'))]);

    expect(verdicts.map(({ meta }) => meta.replayed ?? false)).to.deep.equal([true, true, false]);
    expect(statuses(verdicts)).to.deep.equal([200, 200, 200]);
  });

  it('tell the version in which they left a record, beside the record as it is now', async () => {
    const [id = ''] = await someProjects(['Left']);
    const change = rename(id, 'Left 1', based('Left'));
    const versions = ([verdict]: readonly Verdict[]) => [
      verdict?.meta.version,
      (verdict?.data as ResourceObject).meta?.version,
    ];
    const [left, shown] = versions(await send([change]));
    expect(left).to.be.a('number').that.equals(shown);

    const same = await send([rename(id, 'Left 1')]);
    expect(versions(same), 'a change of nothing').to.deep.equal([left, left]);
    await send([rename(id, 'Left 2')], world.people.admin);
    const [leftAgain, shownAgain] = versions(await send([change]));
    expect(leftAgain).to.equal(left);
    expect(shownAgain).to.be.above(left ?? 0);
  });

  for (const [when, timing] of [
    ['as it is done', ''],
    ['at the commit', 'deferrable initially deferred'],
  ] as const)
    it(`get their verdicts although another of them breaks ${when}; that one can be sent again`, async () => {
      const { db } = world.server.parts;
      await db.transact((tx) =>
        tx.query(sql`create function poison() returns trigger language plpgsql as
          $$ begin if new.name = 'Poison' then raise 'poisoned'; end if; return null; end $$`),
      );
      await db.transact((tx) =>
        tx.query(sql`create constraint trigger poison after insert on reviewers
          ${sql.raw(timing)} for each row execute function poison()`),
      );
      const batch = [
        rename(world.ids.project, `Before ${when}`),
        add(newReviewer('Poison')),
        rename(world.ids.public, `After ${when}`),
      ];
      const broken = await send(batch);
      await db.transact((tx) => tx.query(sql`drop function poison() cascade`));

      expect(statuses(broken)).to.deep.equal([200, 500, 200]);
      expect(await nameOf(world.ids.public)).to.equal(`After ${when}`);
      const mended = await send(batch);
      expect(statuses(mended)).to.deep.equal([200, 201, 200]);
      expect(mended.map(({ meta }) => meta.replayed ?? false)).to.deep.equal([true, false, true]);
    });
});

/** Counts the statements of all connections until it is stopped. */
function countStatements() {
  const client = pg.Client.prototype as { query: (...given: unknown[]) => unknown };
  const { query } = client;
  let statements = 0;
  client.query = function (this: unknown, ...given: unknown[]) {
    statements += 1;
    return query.apply(this, given);
  };
  return {
    statements: () => statements,
    stop: () => {
      client.query = query;
    },
  };
}
