import { expect } from 'chai';
import { sql } from 'kysely';
import { activityFrom, activityKinds, activityPath } from '#protocol/activity.ts';
import type { ActivityEvent, ActivityPage, ActivityQuestion } from '#protocol/activity.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { prune } from '#server/db/prune.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, Person, World } from './world.ts';

const DAY_MS = 86_400_000;

describe('the timeline of a project', () => {
  let world: World;

  beforeEach(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const ALL: ActivityQuestion = { kinds: [], product: null, limit: 100, before: null };
  const page = async (
    who: Person,
    more: Partial<ActivityQuestion> = {},
    project = world.ids.project,
  ): Promise<ActivityPage> => {
    const reply = await who.get(activityPath(project, { ...ALL, ...more }));
    expect(reply.status, reply.text).to.equal(200);
    const read = activityFrom(reply.body);
    if (read === null) throw new Error('It is no timeline');
    return read;
  };
  const lines = async (who: Person, more: Partial<ActivityQuestion> = {}) =>
    (await page(who, more)).events;

  const as = (name: Name, at: number, work: (write: WriteTransaction) => Promise<unknown>) =>
    world.server.parts.db.write({ at, by: world.people[name].id, changes: [] }, work);

  /** Leads the project through everything that a timeline tells. */
  async function liveThroughAll(): Promise<void> {
    const { builder, admin, member } = world.people;
    const { project, product, build, publication, reviewer, north } = world.ids;
    const [extra, website] = [world.id(), world.id()];
    const now = world.server.parts.clock();
    const iso = (ms: number) => new Date(ms).toISOString();
    const ofStep = { product, workflowType: 1, dateTransition: iso(now), workflowUserId: admin.id };
    const step = (fields: object) => (write: WriteTransaction) =>
      write.insert('productTransition', { id: world.id(), ...ofStep, ...fields } as never);
    await as('builder', now, step({ transitionType: 2 }));
    await as('builder', now, step({ transitionType: 2, workflowType: 3 }));
    const words = { initialState: 'Approval', command: 'Approve', comment: 'x'.repeat(600) };
    await as('builder', now, step({ transitionType: 1, ...words }));
    await as('builder', now, step({ transitionType: 4 }));
    // Said by another line, or not done.
    await as('builder', now, step({ transitionType: 5 }));
    await as('builder', now, step({ transitionType: 3 }));
    await as('builder', now, step({ transitionType: 2, workflowType: 2 }));
    await as('builder', now, step({ transitionType: 1, workflowUserId: null }));
    await as('builder', now, step({ transitionType: 1, dateTransition: null }));
    await as('builder', now, async (write) => {
      await write.change('productBuild', build, { startedBy: builder.id });
      await write.change('productPublication', publication, { channel: 'alpha', success: true });
      await write.query(sql`insert into repository_uploads
        (project_id, number, uploaded_by, uploaded_at, filename, is_sample) values
        (${project}, 1, ${builder.id}, ${iso(now)}, 'harvest.zip', false)`);
      const definition = { type: world.ids.bookapp, workflow: world.ids.workflow };
      await write.insert('productDefinition', { id: website, name: 'Website', ...definition });
      await write.insert('product', { id: extra, project, productDefinition: website });
    });
    await as('builder', now, (write) =>
      write.change('project', project, { description: 'Hidden words', isPublic: true }),
    );
    await as('admin', now, (write) =>
      write.change('project', project, { owner: admin.id, name: 'Harvest 2' }),
    );
    await as('admin', now, async (write) => {
      const id = world.id();
      await write.insert('author', { id, user: member.id, project });
      await write.insert('groupMembership', { id: world.id(), user: member.id, group: north });
    });
    await as('admin', now, async (write) => {
      for (const { id } of await write.all('author', { user: member.id, project }))
        await write.remove('author', id);
    });
    await as('admin', now, (write) => write.remove('product', extra));
    await as('admin', now, (write) => write.remove('reviewer', reviewer));
  }

  const kindsOf = (events: readonly ActivityEvent[]) => events.map(({ kind }) => kind).sort();

  it('has each kind of event once, with its person', async () => {
    const { admin, builder, member } = world.people;
    await liveThroughAll();
    const told = await lines(admin);

    const twice = ['author-added', 'settings-changed', 'removed'];
    expect(kindsOf(told)).to.deep.equal([...activityKinds, ...twice].sort());
    const of = (kind: string) => told.filter((one) => one.kind === kind);
    const actors = Object.fromEntries(told.map(({ kind, actorId }) => [kind, actorId]));
    expect(actors).to.include({
      'product-added': admin.id,
      step: admin.id,
      uploaded: builder.id,
      built: builder.id,
      published: null,
      commented: builder.id,
      'owner-changed': admin.id,
    });
    expect(of('uploaded')[0]?.details).to.deep.equal({
      number: 1,
      filename: 'harvest.zip',
      'is-sample': false,
      restored: null,
    });
    expect(of('built')[0]?.details).to.include({ version: '1.0', success: true });
    expect(of('published')[0]?.details).to.include({ version: '1.0', channel: 'alpha' });
    expect(of('step')[0]?.details).to.include({ state: 'Approval', command: 'Approve' });
    expect(of('step')[0]).to.include({
      text: `${'x'.repeat(500)}…`,
      actorName: 'admin person',
      productName: 'Android App',
    });
    expect(of('commented')[0]?.details).to.include({ 'is-edited': false });
    expect(of('author-added')[0]).to.include({
      actorId: admin.id,
      subjectType: 'users',
      subjectId: member.id,
      subjectName: 'member person',
      after: null,
    });
    expect(of('owner-changed')[0]).to.deep.include({
      before: { owner: builder.id },
      after: { owner: admin.id },
    });
    expect(of('settings-changed').map(({ after }) => after)).to.deep.include.members([
      { 'is-public': true, description: '…' },
      { name: 'Harvest 2' },
    ]);
    expect(
      of('removed').map(({ subjectType, subjectName }) => [subjectType, subjectName]),
    ).to.deep.include.members([
      ['products', 'Website'],
      ['reviewers', null],
    ]);
    const { text } = await admin.get(activityPath(world.ids.project, ALL));
    for (const secret of ['Rita', 'rita@x.test', '127.0.0.1', 'Hidden words'])
      expect(text).not.to.include(secret);
  });

  it('is for members and super admins; reviewers’ lines are for who works on it', async () => {
    await liveThroughAll();
    const { super: superAdmin, author, member, stranger } = world.people;
    for (const who of [superAdmin, author])
      expect((await lines(who)).filter(({ kind }) => kind === 'removed')).to.have.length(2);
    // A plain member, who is in no group of the project.
    await world.write(async (write) => {
      for (const { id } of await write.all('groupMembership', { user: member.id }))
        await write.remove('groupMembership', id);
    });
    const removed = (await lines(member)).filter(({ kind }) => kind === 'removed');
    expect(removed.map(({ subjectType }) => subjectType)).to.deep.equal(['products']);

    // The project is public now, so that an outsider sees it.
    const path = activityPath(world.ids.project, ALL);
    expect((await stranger.get(path)).status).to.equal(403);
    expect((await stranger.get(activityPath(world.ids.archived, ALL))).status).to.equal(404);
    expect((await stranger.get(activityPath(world.id(), ALL))).status).to.equal(404);
    expect((await fetch(`${world.server.url}${path}`)).status).to.equal(401);
  });

  it('tells a release by its own version, else by that of its build', async () => {
    const { publication } = world.ids;
    const version = async () =>
      (await lines(world.people.admin, { kinds: ['published'] })).at(0)?.details?.version;
    expect(await version()).to.equal('1.0');
    await as('builder', world.server.parts.clock(), (write) =>
      write.change('productPublication', publication, { releaseVersion: 'Spring' }),
    );
    expect(await version()).to.equal('Spring');
  });

  it('gives pages that are together the same as one, lines of one moment too', async () => {
    await liveThroughAll();
    const { admin } = world.people;
    const whole = await lines(admin);
    for (const limit of [1, 3, 7]) {
      const joined: ActivityEvent[] = [];
      let before: string | null = null;
      do {
        const next: ActivityPage = await page(admin, { limit, before });
        expect(next.events.length).to.be.at.most(limit);
        joined.push(...next.events);
        ({ before } = next);
      } while (before !== null);
      expect(joined).to.deep.equal(whole);
    }
    expect(new Set(whole.map(({ id }) => id)).size).to.equal(whole.length);
  });

  it('is filtered by kinds and by product', async () => {
    await liveThroughAll();
    const { admin } = world.people;
    const { product, publicProduct } = world.ids;
    const some = await lines(admin, { kinds: ['built', 'uploaded'] });
    expect(kindsOf(some)).to.deep.equal(['built', 'uploaded']);
    // Its own lines, and the uploads of its project.
    const ofProduct = await lines(admin, { product });
    expect(kindsOf(ofProduct)).to.deep.equal([
      ...['built', 'cancelled', 'commented', 'product-added', 'published', 'republish-started'],
      ...['step', 'uploaded'],
    ]);
    for (const gone of [publicProduct, world.id()])
      expect(await lines(admin, { product: gone })).to.deep.equal([]);
  });

  it('takes nothing else, and says so', async () => {
    const { builder } = world.people;
    const path = `/api/projects/${world.ids.project}/activity`;
    for (const query of [
      ...['sort=at', 'include=user', 'page[size]=3', 'filter[actor-id]=x', 'limit=3'],
    ])
      expect((await builder.get(`${path}?${query}`)).refusal, query).to.equal('unknown-parameter');
    for (const query of [
      ...['page[limit]=0', 'page[limit]=101', 'page[limit]=x', 'page[before]=x'],
      ...['page[before]=2026-02-30T00:00:00.000Z_a', 'page[before]=0000-01-01T00:00:00.000Z_a'],
      ...['page[before]=2026-99-01T00:00:00.000Z_a', 'filter[kind]=what', 'filter[kind]=like:b'],
      ...['filter[product-id]=x', `filter[product-id]=ne:${world.ids.product}`],
      'page[limit]=1&page[limit]=2',
    ])
      expect((await builder.get(`${path}?${query}`)).refusal, query).to.equal('invalid-parameter');
  });

  it('tells of a project without an event of it when it was made, and of nobody who made it', async () => {
    const { admin } = world.people;
    await world.server.parts.db.transact(async (tx) => {
      await tx.query(sql`alter table audit_events disable trigger refuse_rewriting`);
      await tx.query(sql`delete from audit_events where subject_id = ${world.ids.project}`);
      await tx.query(sql`alter table audit_events enable trigger refuse_rewriting`);
    });
    const [created, ...more] = await lines(admin, { kinds: ['project-created'] });
    expect(created).to.include({ actorId: null, subjectId: world.ids.project });
    expect(more).to.deep.equal([]);
  });

  it('has no name of who cannot be seen, and none of fields that are hidden', async () => {
    const { admin, stranger } = world.people;
    const { project, product } = world.ids;
    const at = world.server.parts.clock();
    await as('stranger', at, (write) =>
      write.change('product', product, { properties: '{"a":1}' }),
    );
    await as('stranger', at, (write) => write.change('project', project, { name: 'Other' }));
    const told = await lines(admin, { kinds: ['settings-changed'] });
    expect(told).to.have.length(2);
    for (const line of told) expect(line).to.include({ actorId: stranger.id, actorName: null });
  });

  it('shows a removal for 90 days, and not once it was undone or its product went too', async () => {
    const { admin, builder } = world.people;
    const { product, project, definition, comment } = world.ids;
    const removed = () => lines(admin, { kinds: ['removed'] });
    const { db, clock } = world.server.parts;
    await as('admin', clock(), (write) => write.remove('productComment', comment));
    expect(
      (await removed()).map(({ subjectType, productId }) => [subjectType, productId]),
    ).to.deep.equal([['product-comments', product]]);
    await as('builder', clock(), (write) =>
      write.insert('productComment', { id: comment, product, user: builder.id, text: 'Back' }),
    );
    expect(await removed()).to.deep.equal([]);

    await as('admin', clock(), (write) => write.remove('product', product));
    expect((await removed()).map(({ subjectType }) => subjectType)).to.deep.equal(['products']);
    await as('admin', clock(), (write) =>
      write.insert('product', { id: product, project, productDefinition: definition }),
    );
    expect(await removed()).to.deep.equal([]);

    await as('admin', clock(), (write) => write.remove('product', product));
    await prune(db, clock() + 89 * DAY_MS);
    expect(await removed()).to.have.length(1);
    await prune(db, clock() + 91 * DAY_MS);
    expect(await removed()).to.deep.equal([]);
  });
});
