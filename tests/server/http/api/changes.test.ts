import { expect } from 'chai';
import type { FeedDocument } from '#protocol/operations.ts';
import { sql } from 'kysely';
import { Copy } from '../../feed/copy.ts';
import { makeWorld } from './world.ts';
import type { Person, World } from './world.ts';

const feedOf = async (person: Person, query: string, headers?: Record<string, string>) => {
  const reply = await person.get(`/api/changes${query}`, headers);
  return { ...reply, document: reply.body as unknown as FeedDocument };
};

const keysOf = ({ operations }: FeedDocument): string[] =>
  operations.map((operation) =>
    operation.op === 'remove'
      ? `-${operation.ref.type}/${operation.ref.id}`
      : `${operation.data.type}/${operation.data.id}`,
  );

describe('[wire 9] GET /api/changes', () => {
  let world: World;
  before(async () => {
    world = await makeWorld();
  });

  it('begins with the working set in chunks, each the same when it is asked for again', async () => {
    const { member } = world.people;
    const first = await feedOf(member, '?limit=5');
    expect(first.status).to.equal(200);
    const { meta } = first.document;
    expect(meta.phase).to.equal('snapshot');
    expect(meta.more).to.equal(true);
    expect(meta.done).to.equal(5);
    expect(meta.total).to.be.above(15);
    expect(meta.cursor).to.match(/^[A-Za-z0-9_.~-]{1,200}$/);

    const [once, again] = [
      await feedOf(member, `?limit=5&since=${meta.cursor}`),
      await feedOf(member, `?limit=5&since=${meta.cursor}`),
    ];
    expect(once.document).to.deep.equal(again.document);
    expect(once.document.meta.done).to.equal(10);
    expect(keysOf(once.document)).to.have.length(5);
  });

  it('ends with the feed from the moment at which the snapshot began', async () => {
    const { member } = world.people;
    const copy = new Copy(member, 4);
    const first = await feedOf(member, '?limit=4');
    await world.write((w) => w.change('project', world.ids.project, { description: 'meanwhile' }));
    copy.cursor = first.document.meta.cursor;
    await copy.catchUp();

    const snapshot = copy.documents.filter(({ meta }) => meta.phase === 'snapshot');
    const [last] = snapshot.slice(-1);
    expect(last?.meta.done).to.equal(last?.meta.total);
    expect(last?.meta.more).to.equal(true);
    const feed = copy.documents.filter(({ meta }) => meta.phase === 'feed');
    expect(feed.flatMap(keysOf)).to.deep.equal([`projects/${world.ids.project}`]);
    expect(feed.at(-1)?.meta.more).to.equal(false);
  });

  it('brings the newest build of a product with its artifacts, and others not', async () => {
    const [older, newer] = [world.id(), world.id()];
    const at = (iso: string) => ({ at: Date.parse(iso), by: null, changes: [] });
    const { product } = world.ids;
    const { db } = world.server.parts;
    await db.write(at('2030-01-01T00:00:00Z'), (w) =>
      w.insert('productBuild', { id: older, product, buildVersion: '2.0' }),
    );
    await db.write(at('2030-01-02T00:00:00Z'), (w) =>
      w.insert('productBuild', { id: newer, product, buildVersion: '3.0' }),
    );
    const { records } = await new Copy(world.people.member).catchUp();
    const builds = [...records.values()].filter(({ type }) => type === 'product-builds');
    expect(builds.map(({ id }) => id)).to.deep.equal([newer]);
    expect(records.has(`product-artifacts/${world.ids.artifact}`)).to.equal(false);
  });

  it('shows nothing of other organizations, not even what is public there', async () => {
    const { records } = await new Copy(world.people.stranger).catchUp();
    const projects = [...records.values()].filter(({ type }) => type === 'projects');
    expect(projects.map(({ id }) => id)).to.deep.equal([world.ids.pierProject]);
    expect(records.has(`users/${world.people.builder.id}`)).to.equal(false);
  });

  it('sends hidden fields as null [R145, R313]', async () => {
    const { member, builder } = world.people;
    const of = async (reader: Person) =>
      (await new Copy(reader).catchUp()).records.get(`users/${builder.id}`)?.attributes;
    expect(await of(member)).to.include({ email: builder.email, 'auth-id': null });
    await world.write((w) => w.change('user', builder.id, { profileVisibility: 0 }));
    expect(await of(member)).to.include({ email: null });
    expect(await of(builder)).to.include({ email: builder.email });
  });

  it('tells each commit once, in order, and goes on inside a commit that does not fit', async () => {
    const { admin } = world.people;
    const { cursor } = (await new Copy(admin).catchUp()) as { cursor: string };
    const ids = Array.from({ length: 5 }, () => world.id());
    await world.write(async (w) => {
      for (const id of ids)
        await w.insert('group', { id, name: 'New', abbreviation: 'N', owner: world.ids.lakeside });
    });
    const copy = new Copy(admin, 2);
    copy.cursor = cursor;
    await copy.catchUp();

    expect(copy.documents.map(({ operations }) => operations.length)).to.deep.equal([2, 2, 1]);
    expect(copy.documents.flatMap(keysOf).sort()).to.deep.equal(
      ids.map((id) => `groups/${id}`).sort(),
    );
    const cursors = [cursor, ...copy.documents.map(({ meta }) => meta.cursor)];
    expect([...cursors].sort()).to.deep.equal(cursors);
    expect(cursors[1]).to.match(/\.\d{20}\.000002-[a-z0-9]{8}~\d{20}$/);
    expect(cursors[3]).to.match(/\.\d{20}-[a-z0-9]{8}$/);
  });

  it('[fault 34] removes what a person lost with a membership, and brings what they gained with one', async () => {
    const other = await makeWorld();
    const { member } = other.people;
    const { lakeside, harbor, pierProject } = other.ids;
    const copy = await new Copy(member, 3).catchUp();
    expect(copy.records.has(`projects/${other.ids.project}`)).to.equal(true);

    await other.write(async (w) => {
      const [held] = await w.all('organizationMembership', {
        user: member.id,
        organization: lakeside,
      });
      await w.remove('organizationMembership', held?.id ?? '');
      await w.insert('organizationMembership', {
        id: other.id(),
        user: member.id,
        organization: harbor,
      });
    });
    const told = copy.documents.length;
    await copy.catchUp();

    expect(copy.documents.slice(told).flatMap(keysOf)).to.include(`-organizations/${lakeside}`);
    expect(copy.documents.every(({ operations }) => operations.length <= 3)).to.equal(true);
    expect(copy.records.has(`projects/${other.ids.project}`)).to.equal(false);
    expect(copy.records.has(`projects/${pierProject}`)).to.equal(true);
    expect(copy.first).to.deep.equal((await new Copy(member).catchUp()).first);
  });

  it('names nothing to a person that they could never see', async () => {
    const { stranger } = world.people;
    const copy = await new Copy(stranger).catchUp();
    const id = world.id();
    const { lakeside } = world.ids;
    await world.write((w) =>
      w.insert('group', { id, name: 'Ours', abbreviation: 'O', owner: lakeside }),
    );
    await world.write((w) => w.remove('group', id));
    const { document } = await feedOf(stranger, `?since=${copy.cursor ?? ''}`);
    expect(document.operations).to.deep.equal([]);
    expect(document.meta.more).to.equal(false);
  });

  describe('[wire 9.4] for a super admin', () => {
    it('has all organizations, and of the selected one everything [R299]', async () => {
      const { super: person } = world.people;
      const { lakeside, harbor, project } = world.ids;
      const all = await new Copy(person).catchUp();
      expect([...all.records.keys()]).to.include.members([
        `organizations/${lakeside}`,
        `organizations/${harbor}`,
      ]);
      expect(all.records.has(`projects/${project}`)).to.equal(false);

      const one = await new Copy(person, 1_000, { Organization: lakeside }).catchUp();
      expect(one.records.has(`organizations/${harbor}`)).to.equal(true);
      expect(one.records.has(`projects/${project}`)).to.equal(true);
      expect(one.records.has(`projects/${world.ids.pierProject}`)).to.equal(false);

      const elsewhere = await feedOf(person, `?since=${one.cursor ?? ''}`);
      expect([elsewhere.status, elsewhere.refusal]).to.deep.equal([410, 'cursor-expired']);
      expect(elsewhere.body.errors?.[0]?.meta).to.deep.equal({ reason: 'other-scope' });
    });

    it('is nobody else: the header changes nothing for a member [R299]', async () => {
      const { admin } = world.people;
      const copy = await new Copy(admin).catchUp();
      const { status } = await feedOf(admin, `?since=${copy.cursor ?? ''}`, {
        Organization: world.ids.lakeside,
      });
      expect(status).to.equal(200);
    });
  });

  describe('[wire 9.3] cursors', () => {
    const identity = () => world.server.parts.db.identity;
    const reasonOf = async (cursor: string) => {
      const { status, body } = await feedOf(world.people.member, `?since=${cursor}`);
      const [error] = body.errors ?? [];
      const reason = error?.meta?.reason;
      return `${String(status)} ${typeof reason === 'string' ? reason : String(error?.code)}`;
    };
    const number = (n: number) => String(n).padStart(20, '0');

    it('of another database are refused', async () => {
      expect(await reasonOf(`elsewhere.${number(1)}`)).to.equal('410 other-database');
    });

    it('ahead of the feed are refused', async () => {
      expect(await reasonOf(`${identity()}.${number(999_999_999)}`)).to.equal('410 ahead');
    });

    it('[fault 43] of a commit that the database does not have are refused, though it has that number', async () => {
      const copy = await new Copy(world.people.member).catchUp();
      const own = copy.cursor ?? '';
      const other = own.replace(/-[a-z0-9]{8}$/, '-restored');
      expect(await reasonOf(own)).to.equal('200 undefined');
      expect(await reasonOf(other), 'at the head').to.equal('410 other-database');
      await world.write((w) => w.change('project', world.ids.project, { description: 'grown' }));
      expect(await reasonOf(own)).to.equal('200 undefined');
      expect(await reasonOf(other), 'below the head').to.equal('410 other-database');
    });

    it('[fault 43] of a page whose records showed a later commit are refused where that is missing', async () => {
      const copy = await new Copy(world.people.member).catchUp();
      const number20 = number(Number(copy.cursor?.split('.')[1]?.slice(0, 20)) + 5);
      expect(await reasonOf(`${copy.cursor ?? ''}~${number20}`)).to.equal('410 ahead');
    });

    it('[fault 43] are refused with a commit that an answer named and the database does not have', async () => {
      const { member, admin } = world.people;
      const { project } = world.ids;
      const since = (await new Copy(member).catchUp()).cursor ?? '';
      const read = await member.get(`/api/projects/${project}`);
      const before = String(read.headers.get('Slipway-Commit'));
      expect(since.endsWith(`.${before}`), 'what was read is what the feed has').to.equal(true);
      const data = { type: 'projects', id: project, attributes: { description: 'answered' } };
      const changed = await admin.ask('PATCH', `/api/projects/${project}`, { data });
      const after = String(changed.headers.get('Slipway-Commit'));
      expect(after > before, 'an answer to a change names it').to.equal(true);

      const asking = (...commits: readonly string[]) =>
        reasonOf(`${since}&answered=${commits.join()}`);
      expect(await asking(before, after)).to.equal('200 undefined');
      expect(await asking(before, after.replace(/.{8}$/, 'restored'))).to.equal(
        '410 other-database',
      );
      expect(await asking(`${number(999_999_999)}-abcdefgh`)).to.equal('410 other-database');
      expect(await asking('x')).to.equal('400 invalid-parameter');
      expect(await asking(...Array<string>(101).fill(after))).to.equal('400 invalid-parameter');
    });

    it('of before commits had marks are answered once as they are, with a marked one', async () => {
      const copy = await new Copy(world.people.member).catchUp();
      const unmarked = (copy.cursor ?? '').replace(/-.*$/, '');
      const { document } = await feedOf(world.people.member, `?since=${unmarked}`);
      expect(document.meta.cursor).to.equal(copy.cursor);
    });

    it('that are none are refused as a parameter', async () => {
      for (const text of ['x', `${identity()}.12`, `${identity()}.${number(1)}.1`, '%00'])
        expect(await reasonOf(text)).to.equal('400 invalid-parameter');
    });

    it('[fault 31] older than the feed is kept are refused', async () => {
      const copy = await new Copy(world.people.member).catchUp();
      await world.write((w) => w.change('project', world.ids.project, { description: 'one' }));
      await world.write((w) => w.change('project', world.ids.project, { description: 'two' }));
      const { db } = world.server.parts;
      const n = Number(copy.cursor?.split('.')[1]?.slice(0, 20));
      expect(await reasonOf(copy.cursor ?? '')).to.equal('200 undefined');
      await db.transact((tx) => tx.query(sql`delete from feed where n <= ${n + 1}`));
      expect(await reasonOf(copy.cursor ?? '')).to.equal('410 too-old');
      expect(await reasonOf(`${identity()}.${number(n + 1)}`)).to.equal('200 undefined');
    });

    it('may be empty, and then are none', async () => {
      const { document } = await feedOf(world.people.member, '?since=');
      expect(document.meta.phase).to.equal('snapshot');
    });
  });

  it('takes since and limit alone, and limits from 1 to 1000', async () => {
    const { member } = world.people;
    const refusalOf = async (query: string) => (await member.get(`/api/changes${query}`)).refusal;
    expect(await refusalOf('?page[limit]=3')).to.equal('unknown-parameter');
    for (const limit of ['0', '1001', '-1', 'x', '', '1e2'])
      expect(await refusalOf(`?limit=${limit}`), limit).to.equal('invalid-parameter');
    expect(await refusalOf('?limit=1000')).to.equal(null);
  });
});
