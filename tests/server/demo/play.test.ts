import { expect } from 'chai';
import { sql } from 'kysely';
import { accountList, DEMO_PASSWORD } from '#server/demo/accounts.ts';
import { playDemo } from '#server/demo/play.ts';
import { scenes } from '#server/demo/scenes.ts';
import { demoId } from '#server/demo/script.ts';
import { seedProjects } from '#server/demo/seed.ts';
import { isPassword } from '#server/domain/accounts/password.ts';
import { accountByEmail } from '#server/domain/accounts/accounts.ts';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

describe('the demo', function () {
  this.timeout(120_000);
  let server: TestServer;
  before(async () => {
    server = await startServer({ isFresh: true, env: { DEMO: '1' } });
  });
  after(() => server.stop());
  const read = <T>(work: (tx: DatabaseTransaction) => Promise<T>) => server.parts.db.read(work);

  /** Resolves once `holds` is true, which is checked after every commit. */
  const when = (holds: () => Promise<boolean>): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        holds().then((isSo) => {
          if (!isSo) return;
          stop();
          resolve();
        }, reject);
      };
      const stop = server.parts.bus.subscribe(look);
      look();
    });
  const statesNow = async () =>
    (await read((tx) => tx.all('product', {}))).map(({ workflowState }) => workflowState);

  it('has an account with the known password for everyone in its table', async () => {
    for (const [key, { email, isUnverified }] of accountList) {
      const account = await read((tx) => accountByEmail(tx, email));
      expect(account?.isVerified, key).to.equal(isUnverified !== true);
      expect(await isPassword(DEMO_PASSWORD, account?.passwordHash ?? null), key).to.equal(true);
    }
  });

  it('has two organizations, three groups and 60 projects: public, private, archived', async () => {
    const organizations = await read((tx) => tx.all('organization', {}));
    const groups = await read((tx) => tx.all('group', {}));
    const projects = await read((tx) => tx.all('project', {}));
    expect(organizations.map(({ name }) => name)).to.have.members([
      'Lakeside Press',
      'Harbor Media',
    ]);
    expect(groups.map(({ abbreviation }) => abbreviation)).to.have.members(['LN', 'LS', 'HB']);
    expect(projects).to.have.lengthOf(60);
    expect(projects.filter(({ isPublic }) => !isPublic)).to.have.lengthOf(12);
    expect(projects.filter(({ dateArchived }) => dateArchived !== null)).to.have.lengthOf(6);
  });

  it('has an unread notification for each person', async () => {
    for (const user of await read((tx) => tx.all('user', {}))) {
      const unread = await read((tx) => tx.all('notification', { user: user.id, dateRead: null }));
      expect(unread, user.email ?? '').to.have.lengthOf.at.least(1);
    }
  });

  it('has a view that Lakeside’s admin shares, and one of the builder’s own', async () => {
    const views = await read((tx) => tx.all('savedView', {}));
    expect(views.map(({ name, isShared }) => [name, isShared])).to.have.deep.members([
      ['Failed builds', true],
      ['Mine in French', false],
    ]);
    for (const { organization } of views) expect(organization).to.equal(demoId('lakeside'));
    const own = views.find(({ isShared }) => !isShared);
    expect(own?.query).to.equal('language=fr-FR');
    const inIt = { owner: own?.owner ?? '', language: 'fr-FR', dateArchived: null };
    expect(await read((tx) => tx.all('project', inIt))).not.to.have.lengthOf(0);
  });

  it('has the repository of every project set up, with content in it', async () => {
    await server.parts.jobs.untilIdle();
    const projects = await read((tx) => tx.all('project', {}));
    expect(projects.filter(({ workflowProjectUrl }) => workflowProjectUrl === null)).to.deep.equal(
      [],
    );
    const places = await read((tx) =>
      tx.query(sql<{ readonly id: number }>`select engine_id as id from project_repositories`),
    );
    const { repositories } = server.parts.engines.bundled;
    const newest = await Promise.all(places.map(({ id }) => repositories.newest(id)));
    expect(newest.map((content) => content?.number)).to.deep.equal(Array(60).fill(1));
  });

  it('has tasks for the builder, the author and the admin, and a product at each step up to a build', async () => {
    const tasks = await read((tx) => tx.all('userTask', {}));
    const people = await Promise.all(
      tasks.map(({ user }) => read((tx) => tx.one('user', user ?? ''))),
    );
    for (const name of ['builder', 'author', 'admin'])
      expect(people.map((user) => user?.email)).to.include(`${name}@lakeside.test`);
    expect(await statesNow()).to.include.members([
      'Author Configuration',
      'App Builder Configuration',
      'Readiness Check',
      'Approval',
      'Approval Pending',
      null,
    ]);
  });

  it('goes on with them as builds end: some are published, one is built again, three were rejected', async () => {
    const states = new Map<string, string | null>();
    const goal = [
      ['product 1', 'Verify and Publish'],
      ['product 8', null],
      ['product 9', 'Verify and Publish'],
      ['product 10', null],
      ['product 11', 'Synchronize Data'],
      ['product 12', 'Author Download'],
      ['product 13', 'Author Upload'],
    ] as const;
    await when(async () => {
      for (const [name] of goal)
        states.set(
          name,
          (await read((tx) => tx.one('product', demoId(name))))?.workflowState ?? null,
        );
      const built = await read((tx) => tx.all('productBuild', { product: demoId('product 9') }));
      return built.length === 2 && goal.every(([name, state]) => states.get(name) === state);
    });
    for (const name of ['product 8', 'product 9', 'product 10']) {
      const product = await read((tx) => tx.one('product', demoId(name)));
      const { status } = await fetch(
        `${server.url}${new URL(product?.publishLink ?? '').pathname}`,
      );
      expect(status, name).to.equal(200);
    }
  });

  it('has tried a build again that failed, where the tools for Android are not installed', async () => {
    const scene = scenes.findIndex(({ project }) => project === 15) + 1;
    const product = demoId(`product ${scene}`);
    const causes = async () => {
      const builds = await read((tx) => tx.all('productBuild', { product }));
      const inOrder = builds.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return inOrder.flatMap(({ success, triggeredBy }) =>
        success === null ? [] : [[triggeredBy, success]],
      );
    };
    const ends = [
      [['person', true]],
      [
        ['person', false],
        ['retry', false],
      ],
    ];
    await when(async () => {
      const now = JSON.stringify(await causes());
      return ends.some((end) => JSON.stringify(end) === now);
    });
  });

  it('rolls one product back to its first version, with the words of that', async () => {
    const product = demoId('product 10');
    await when(async () => {
      const releases = await read((tx) => tx.all('productPublication', { product, success: true }));
      const [first, second, third] = releases.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return (
        third?.productBuild === first?.productBuild &&
        third?.productBuild !== second?.productBuild &&
        third?.releaseVersion === '1.0' &&
        third.releaseNotes === 'All twelve chapters.'
      );
    });
  });

  it('leaves each account three unread notifications at most, once its people have done everything', async () => {
    const steps = () =>
      read((tx) => tx.query(sql`select id from queued_jobs where name = 'play-demo'`));
    while ((await steps()).length > 0) await server.parts.jobs.untilIdle();
    for (const user of await read((tx) => tx.all('user', {}))) {
      const unread = await read((tx) => tx.all('notification', { user: user.id, dateRead: null }));
      expect(unread, user.email ?? '').to.have.lengthOf.within(1, 3);
    }
  });

  it('locks who is to be locked, and has a super admin', async () => {
    const [locked] = await read((tx) => tx.all('user', { email: 'locked@lakeside.test' }));
    expect(locked?.isLocked).to.equal(true);
    const [role, ...others] = await read((tx) => tx.all('userRole', { roleName: 'SuperAdmin' }));
    const [superAdmin] = await read((tx) => tx.all('user', { email: 'super@slipway.test' }));
    expect(others).to.deep.equal([]);
    expect(role?.user).to.equal(superAdmin?.id);
  });

  it('is played once, and seeded up to a number with the same ids every time', async () => {
    const before = await read((tx) => tx.all('user', {}));
    await playDemo(server.parts);
    expect(await read((tx) => tx.all('user', {}))).to.deep.equal(before);

    expect(await seedProjects(server.parts, 165)).to.equal(105);
    expect(await seedProjects(server.parts, 165)).to.equal(0);
    expect(await read((tx) => tx.all('project', {}))).to.have.lengthOf(165);
    const [first] = await read((tx) => tx.all('project', { name: 'Harvest' }));
    expect(first?.id).to.match(/^019b8d/);
  });
});
