import { expect } from 'chai';
import { sql } from 'kysely';
import { listen, makePublishedWorld, toldBy } from './listener.ts';
import type { Listener } from './listener.ts';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { Copy } from '../../feed/copy.ts';
import type { Name, World } from '../api/world.ts';
import { aGroup, aMember, anOrganization, aProject, aUser } from '../../../support/make.ts';
import { startServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';

describe('[wire 10] what a connection hears', () => {
  let world: World;
  const open: Listener[] = [];
  const listener = async (name: Name, ...channels: readonly string[]): Promise<Listener> => {
    const one = await listen(world.server.url, world.people[name].token);
    open.push(one);
    for (const channel of channels) await one.subscribe(channel);
    return one;
  };
  const describeProject = (id: string, description: string) =>
    world.write((w) => w.change('project', id, { description }));

  before(async () => {
    world = await makePublishedWorld();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.stop()));
  });

  it('[fault 28] is one message for each commit, each from the cursor of the one before', async () => {
    const one = await listener('member');
    const { cursor } = await one.subscribe('changes');
    await describeProject(world.ids.project, 'first');
    await describeProject(world.ids.project, 'second');
    const [first, second] = [await one.next(), await one.next()];

    expect(first.meta.previous).to.equal(cursor);
    expect(second.meta.previous).to.equal(first.meta.cursor);
    expect(second.meta.cursor > first.meta.cursor).to.equal(true);
    expect([first, second].map(toldBy)).to.deep.equal([
      [`update projects/${world.ids.project}`],
      [`update projects/${world.ids.project}`],
    ]);
  });

  it('is nothing of a commit that shows the listener nothing', async () => {
    const one = await listener('member', 'changes');
    await describeProject(world.ids.pierProject, 'elsewhere');
    await describeProject(world.ids.project, 'here');
    expect(toldBy(await one.next())).to.deep.equal([`update projects/${world.ids.project}`]);
    expect(one.heard).to.have.length(1);
  });

  it('[fault 43] ends when the database was put back behind the server, and begins anew', async () => {
    const own = await startServer({ isFresh: true });
    const { db } = own.parts;
    const token = await tokenFor(own.parts, 'listener@restored.test');
    const first = await listen(own.url, token);
    await first.subscribe('changes');
    // As after a restore: the newest commit is another one, and what follows it too.
    await db.transact((tx) => tx.query(sql`update feed_marks set mark = 'restored'`));
    await aUser(db);
    expect(await first.closed, 'and the client may come back').to.equal(undefined);
    const second = await listen(own.url, token);
    expect((await second.subscribe('changes')).cursor).to.be.a('string');
    await second.stop();
    await own.stop();
  });

  it('says add, update and remove [R344]', async () => {
    const one = await listener('member', 'groups');
    const id = world.id();
    const owner = world.ids.lakeside;
    await world.write((w) => w.insert('group', { id, name: 'Club', abbreviation: 'C', owner }));
    await world.write((w) => w.change('group', id, { name: 'Clubs' }));
    await world.write((w) => w.remove('group', id));
    const published = [await one.next(), await one.next(), await one.next()].flatMap(toldBy);
    // What is read later shows a record as it is then: gone, perhaps.
    expect(published.at(-1)).to.equal(`remove groups/${id}`);
    expect(new Set(published.map((text) => text.split(' ')[1]))).to.deep.equal(
      new Set([`groups/${id}`]),
    );
  });

  it('is of the subscribed type alone, or of the one record [R346]', async () => {
    const [types, record] = [
      await listener('member', 'projects'),
      await listener('member', `projects/${world.ids.public}`),
    ];
    await world.write(async (w) => {
      await w.change('product', world.ids.product, { workflowState: 'Approval' });
      await w.change('project', world.ids.project, { description: 'x' });
      await w.change('project', world.ids.public, { description: 'y' });
    });
    expect(toldBy(await types.next()).sort()).to.deep.equal(
      [world.ids.project, world.ids.public].map((id) => `update projects/${id}`).sort(),
    );
    expect(toldBy(await record.next())).to.deep.equal([`update projects/${world.ids.public}`]);
  });

  it('ends with UnsubscribeFrom, which is null even when nothing was subscribed [R346]', async () => {
    const one = await listener('member', 'changes', 'groups');
    expect(await one.hub.invoke('UnsubscribeFrom', 'changes')).to.equal(null);
    expect(await one.hub.invoke('UnsubscribeFrom', 'nothing')).to.equal(null);
    await describeProject(world.ids.project, 'unheard');
    await world.write((w) => w.change('group', world.ids.north, { name: 'Lakeside Far North' }));
    expect(toldBy(await one.next())).to.deep.equal([`update groups/${world.ids.north}`]);
  });

  it('lets an outsider follow one public project, until it is private [R20]', async () => {
    const one = await listener('stranger', `projects/${world.ids.public}`);
    await describeProject(world.ids.public, 'for all');
    expect(toldBy(await one.next())).to.deep.equal([`update projects/${world.ids.public}`]);
    await world.write((w) => w.change('project', world.ids.public, { isPublic: false }));
    expect(toldBy(await one.next())).to.deep.equal([`remove projects/${world.ids.public}`]);
    await describeProject(world.ids.public, 'for us');
    await world.write((w) => w.change('project', world.ids.public, { isPublic: true }));
    const back = await one.next();
    expect(toldBy(back)).to.deep.equal([`update projects/${world.ids.public}`]);
    expect(one.heard).to.have.length(3);
  });

  it('[fault 34] brings what a person may see of an organization once they are a member, and takes it back', async () => {
    const one = await listener('nobody', 'changes');
    const copy = await new Copy(world.people.nobody).catchUp();
    const id = world.id();
    const membership = { id, user: world.people.nobody.id, organization: world.ids.harbor };
    await world.write((w) => w.insert('organizationMembership', membership));
    const gained = await one.next();
    expect(toldBy(gained)).to.include.members([
      `update organizations/${world.ids.harbor}`,
      `update projects/${world.ids.pierProject}`,
      `add organization-memberships/${id}`,
    ]);
    gained.operations.forEach((update) => {
      copy.apply(update);
    });
    expect(copy.first).to.deep.equal((await new Copy(world.people.nobody).catchUp()).first);

    await world.write((w) => w.remove('organizationMembership', id));
    const lost = await one.next();
    expect(toldBy(lost)).to.include(`remove organizations/${world.ids.harbor}`);
    lost.operations.forEach((update) => {
      copy.apply(update);
    });
    expect(copy.first).to.deep.equal((await new Copy(world.people.nobody).catchUp()).first);
  });

  it('shows and hides fields with a role', async () => {
    const one = await listener('member', 'users');
    const { member, author } = world.people;
    const id = world.id();
    const emailOf = async () => {
      const { operations } = await one.next();
      const about = operations.find(
        (update) => update.op !== 'remove' && update.data.id === author.id,
      );
      return about?.op === 'update' ? about.data.attributes?.['is-locked'] : 'not told';
    };
    await world.write(async (w) => {
      const [role] = await w.all('role', { roleName: 'OrganizationAdmin' });
      await w.insert('userRole', {
        id,
        user: member.id,
        role: role?.id ?? '',
        roleName: 'OrganizationAdmin',
        organization: world.ids.lakeside,
      });
    });
    expect(await emailOf()).to.equal(false);
    await world.write((w) => w.remove('userRole', id));
    expect(await emailOf()).to.equal(null);
  });

  it('[fault 28] is only that there is more, when it is too much for a message', async () => {
    const one = await listener('member', 'changes');
    await world.write(async (w) => {
      for (let n = 0; n < 501; n += 1)
        await w.insert('reviewer', {
          id: world.id(),
          name: 'Many',
          email: 'many@x.test',
          locale: 'en-US',
          project: world.ids.project,
        });
      for (let n = 0; n < 501; n += 1)
        await w.insert('group', {
          id: world.id(),
          name: 'Many',
          abbreviation: 'M',
          owner: world.ids.lakeside,
        });
    });
    const { operations, meta } = await one.next();
    expect([operations, meta.more]).to.deep.equal([[], true]);
  });

  it('is only that there is more, when a change of rights leaves too much to be looked at', async () => {
    const { db } = world.server.parts;
    const organization = (await anOrganization(db)).id;
    const group = (await aGroup(db, { owner: organization })).id;
    const project = await aProject(db, { organization, group });
    const user = world.people.nobody.id;
    await aMember(db, organization, { user, roles: ['OrganizationAdmin'], groups: [group] });
    const [role] = await db.read((tx) => tx.all('userRole', { user }));
    const [membership] = await db.read((tx) => tx.all('organizationMembership', { user }));
    await db.transact((tx) =>
      tx.query(sql`insert into reviewers
          (id, version, date_created, date_updated, name, email, locale, project_id)
        select md5('looked at' || number)::uuid, 1, now(), now(), 'R', 'r@x.test', 'en-US',
          ${project.id}::uuid
        from generate_series(1, 10001) as number`),
    );
    const [one, other] = [await listener('nobody', 'changes'), await listener('member', 'changes')];
    // A member of the project's group still sees every reviewer.
    await world.write((w) => w.remove('userRole', role?.id ?? ''));
    await describeProject(world.ids.project, 'nobody waits');
    const { operations, meta } = await one.next();
    expect([operations, meta.more]).to.deep.equal([[], true]);
    expect(toldBy(await other.next())).to.deep.equal([`update projects/${world.ids.project}`]);
    await world.write((w) => w.remove('organizationMembership', membership?.id ?? ''));
  });

  it('gives a super admin the organization they chose, in place of all', async () => {
    const one = await listener('super', 'changes');
    const { channel } = await one.subscribe(`changes/${world.ids.lakeside.toUpperCase()}`);
    expect(channel).to.equal(`changes/${world.ids.lakeside}`);
    await describeProject(world.ids.pierProject, 'not chosen');
    await describeProject(world.ids.project, 'chosen');
    expect(toldBy(await one.next())).to.deep.equal([`update projects/${world.ids.project}`]);
  });

  it('is refused where it may not be heard', async () => {
    const one = await listener('admin');
    const refusalOf = (channel: unknown) =>
      one.hub.invoke('SubscribeTo', channel).then(
        () => null,
        (error: unknown) =>
          /not-found|forbidden|too-many-requests|internal/.exec(String(error))?.[0],
      );
    expect(await refusalOf(`changes/${world.ids.lakeside}`)).to.equal('forbidden');
    for (const channel of ['roles/x', 'published-apps', 'product-action-runs', 'nothing', '', 7])
      expect(await refusalOf(channel)).to.equal('not-found');
    expect(await refusalOf(`projects/${world.ids.pierProject}`)).to.equal('not-found');
    expect(await refusalOf('roles')).to.equal(null);
  });

  describe('while it is being found out whether a record may be heard of', () => {
    /** Holds the answer of the next check of the record `id` until `meanwhile` has run. */
    function duringCheckOf(id: string, meanwhile: () => Promise<void>): void {
      const { db } = world.server.parts;
      const read = db.read.bind(db);
      Object.assign(db, {
        read: async (work: (tx: DatabaseTransaction) => Promise<unknown>) => {
          const asked = new Set<unknown>();
          const noting: ProxyHandler<DatabaseTransaction> = {
            get: (tx, name) => {
              const value: unknown = Reflect.get(tx, name);
              if (typeof value !== 'function') return value;
              return (...given: readonly unknown[]) => {
                if (name === 'one') asked.add(given[1]);
                return value.apply(tx, given) as unknown;
              };
            },
          };
          const reading = read((tx) => work(new Proxy(tx, noting)));
          const [outcome] = await Promise.allSettled([reading]);
          if (asked.has(id)) {
            Object.assign(db, { read });
            await meanwhile();
          }
          if (outcome.status === 'rejected') throw outcome.reason;
          return outcome.value;
        },
      });
    }

    it('nothing says that there is one', async () => {
      const { pierProject, public: shown } = world.ids;
      const member = await listener('member', `projects/${shown}`);
      const insider = await listener('stranger', 'changes');
      duringCheckOf(pierProject, async () => {
        await describeProject(pierProject, 'changed meanwhile');
        await insider.next();
      });
      const refused = await member.subscribe(`projects/${pierProject}`).catch(String);
      expect(refused).to.include('not-found');
      await describeProject(shown, 'changed later');
      await member.next();
      expect(member.heard.flatMap(toldBy)).to.deep.equal([`update projects/${shown}`]);
    });

    it('it is refused once the record is hidden', async () => {
      const { pierProject } = world.ids;
      await world.write((w) => w.change('project', pierProject, { isPublic: true }));
      const member = await listener('member');
      const insider = await listener('stranger', 'changes');
      duringCheckOf(pierProject, async () => {
        await world.write((w) => w.change('project', pierProject, { isPublic: false }));
        await insider.next();
      });
      const refused = await member.subscribe(`projects/${pierProject}`).catch(String);
      expect(refused).to.include('not-found');
    });
  });

  it('is of at most 100 channels', async () => {
    let aheadMs = 0;
    const server = await startServer({ clock: () => Date.now() + aheadMs });
    const { email } = world.people.admin;
    const one = await listen(server.url, await tokenFor(server.parts, { email }));
    open.push(one);
    const projects = Array.from({ length: 100 }, () => world.id());
    await world.write(async (w) => {
      for (const id of projects)
        await w.insert('group', { id, name: 'G', abbreviation: 'G', owner: world.ids.lakeside });
    });
    // With the handshake that is more than a connection may say in a second.
    for (const [n, id] of projects.entries()) {
      if (n % 50 === 0) aheadMs += 1_000;
      await one.subscribe(`groups/${id}`);
    }
    aheadMs += 1_000;
    const refusal = await one.subscribe('changes').catch(String);
    expect(refusal).to.contain('too-many-requests');
    expect(await one.subscribe(`groups/${projects[0] ?? ''}`)).to.have.property('cursor');
    await one.stop();
    await server.stop();
  });

  it('[fault 32] ends with the token, and may begin again with a fresh one', async () => {
    const { email } = world.people.member;
    const token = await tokenFor(world.server.parts, { email }, { lastsSeconds: 2 });
    const one = await listen(world.server.url, token);
    expect(String(await one.closed)).to.contain('not-signed-in');
    await listener('member', 'changes');
  });

  it('[fault 28] steps over nothing that many writers commit at once', async () => {
    const one = await listener('member');
    const { cursor } = await one.subscribe('reviewers');
    const admin = await listener('admin');
    await admin.subscribe('changes');
    const ids = Array.from({ length: 30 }, () => world.id());
    await Promise.all(
      ids.map((id) =>
        world.write((w) =>
          w.insert('reviewer', {
            id,
            name: 'R',
            email: 'r@x.test',
            locale: 'en-US',
            project: world.ids.project,
          }),
        ),
      ),
    );
    const messages = [];
    while (messages.length < ids.length) messages.push(await admin.next());
    expect(new Set(messages.flatMap(toldBy))).to.deep.equal(
      new Set(ids.map((id) => `add reviewers/${id}`)),
    );
    const previous = messages.map(({ meta }) => meta.previous);
    expect(previous.slice(1)).to.deep.equal(messages.slice(0, -1).map(({ meta }) => meta.cursor));
    // A member who works on no project gets none of its reviewers.
    expect(one.heard).to.deep.equal([]);
    expect(cursor <= (messages[0]?.meta.previous ?? '')).to.equal(true);
  });
});
