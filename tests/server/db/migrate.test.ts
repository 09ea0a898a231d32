import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { sql } from 'kysely';
import { BadStart } from '#server/kernel/bad-start.ts';
import type { Database } from '#server/db/database.ts';
import { findMigrations } from '#server/db/migrate.ts';
import { freshDatabase, freshPlace, openAt } from '../../support/database.ts';
import type { Place, TestDatabase } from '../../support/database.ts';
import { aProduct, newId } from '../../support/make.ts';

const countIn = (db: Database, table: string): Promise<number> =>
  db.read(async (tx) => {
    const [row] = await tx.query(
      sql<{ readonly n: number }>`select count(*) as n from ${sql.id(table)}`,
    );
    return row?.n ?? 0;
  });

describe('[3] what every installation starts with', () => {
  // Not the database of the run: other suites add to it.
  let fresh: TestDatabase;
  let db: Database;

  before(async () => {
    fresh = await freshDatabase();
    ({ db } = fresh);
  });

  after(async () => {
    await fresh.close();
  });

  const named = (type: 'role' | 'storeType', field: string) =>
    db.read(async (tx) => (await tx.all(type, {})).map((record) => record[field as 'id']).sort());

  it('are the four roles and the three store types', async () => {
    expect(await named('role', 'roleName')).to.deep.equal([
      'AppBuilder',
      'Author',
      'OrganizationAdmin',
      'SuperAdmin',
    ]);
    expect(await named('storeType', 'name')).to.deep.equal([
      'cloud',
      'google_play_store',
      's3_bucket',
    ]);
  });

  it('are 73 store languages, all of the Play store, each with its English name', async () => {
    const [languages, play] = await db.read(async (tx) => {
      const [type] = await tx.all('storeType', { name: 'google_play_store' });
      return [await tx.all('storeLanguage', {}), type?.id] as const;
    });

    expect(languages).to.have.length(73);
    expect(new Set(languages.map(({ storeType }) => storeType))).to.deep.equal(new Set([play]));
    expect(languages.find(({ name }) => name === 'es-419')?.description).to.equal(
      'Spanish (Latin America)',
    );
  });

  it('are definitions whose workflows start, rebuild and republish', async () => {
    const [definition, workflows] = await db.read(async (tx) => {
      const [found] = await tx.all('productDefinition', { name: 'Android App to Google Play' });
      return [found, await tx.all('workflowDefinition', {})] as const;
    });
    const nameOf = (id: string | null | undefined) =>
      workflows.find((workflow) => workflow.id === id)?.name;

    expect(nameOf(definition?.workflow)).to.equal('android_google_play');
    expect(nameOf(definition?.rebuildWorkflow)).to.equal('android_google_play_rebuild');
    expect(nameOf(definition?.republishWorkflow)).to.equal('android_google_play_republish');
  });

  it('have a version of their own, as every record', async () => {
    const roles = await db.read((tx) => tx.all('role', {}));

    expect(roles.map(({ version }) => version)).to.deep.equal([1, 1, 1, 1]);
  });
});

describe('the migrations in their folder', () => {
  it('begin with those that were released, in the order in which every database has them', async () => {
    const names = (await findMigrations()).map(({ name }) => name);

    expect(names.slice(0, RELEASED.length)).to.deep.equal(RELEASED);
  });

  it('have each a number of its own from 20 on', async () => {
    const numbers = (await findMigrations()).map(({ name }) => name.slice(0, 3)).slice(20);

    expect(numbers).to.deep.equal([...new Set(numbers)]);
  });
});

const RELEASED = [
  '001-tables',
  '002-sign-in',
  '003-identity',
  '004-seeds',
  '005-workflows',
  '006-jobs',
  '007-builds',
  '008-files',
  '009-uploads',
  '010-published-apps',
  '011-engine-health',
  '012-app-identities',
  '013-sign-in-eras',
  '014-limits',
  '015-consent',
  '016-package-names',
  '017-secrets',
  '018-audit-events',
  '019-build-turns',
  '019-list-indexes',
  '020-feed-marks',
  '021-hub',
  '022-link-eras',
  '023-hashed-tokens',
  '024-audiences',
  '025-jobs',
  '026-account-pages',
  '027-second-factor',
  '028-data-exports',
  '029-silenced-mails',
  '030-failed-jobs',
  '031-passkeys',
  '032-published-packages',
  '033-page-icons',
  '035-lists-everywhere',
  '036-build-causes',
  '037-search-words',
  '038-release-notes',
  '039-comments',
  '040-saved-views',
  '041-views-of-tasks',
  '042-upload-changes',
];

describe('bringing the tables up to date', () => {
  let place: Place;

  beforeEach(async () => {
    place = await freshPlace();
  });

  afterEach(async () => {
    await place.remove();
  });

  it('happens once when two servers start at the same time, and not again at the next start', async function () {
    this.timeout(60_000);
    const starts = await Promise.allSettled([openAt(place), openAt(place)]);
    const open = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const identities = new Set(open.map(({ db }) => db.identity));
    await Promise.all(open.map(({ close }) => close()));

    // An embedded database serves one server alone.
    expect(open).to.have.length(place.databaseUrl === null ? 1 : 2);
    expect(identities.size).to.equal(1);

    const again = await openAt(place);
    expect(await countIn(again.db, 'roles')).to.equal(4);
    expect([...identities]).to.deep.equal([again.db.identity]);
    await again.close();
  });

  it('is refused for a database that a newer version has written', async function () {
    this.timeout(60_000);
    const newer = await openAt(place);
    await newer.db.transact((tx) =>
      tx.query(sql`insert into migrations (name, at) values ('999-later', '2030-01-01')`),
    );
    await newer.close();

    const reason = await openAt(place).then(
      () => null,
      (error: unknown) => error,
    );
    expect(reason).to.be.instanceOf(BadStart);
    expect((reason as BadStart).message).to.contain('999-later');
  });

  it('accepts the memberships that there are, and gives each package name to whoever published first under it [F3, F4]', async function () {
    this.timeout(60_000);
    const older = await openAt(place);
    const { db } = older;
    const first = await aProduct(db);
    const second = await aProduct(db);
    const NAME = 'org.lakeside.harvest';
    const ours = (of: string) => `app.slipway.p${of.replaceAll('-', '')}`;
    const publish = (product: string, name: string, at: string) =>
      db.write({ at: Date.parse(at), by: null, changes: [] }, (w) =>
        w.insert('productPublication', { id: newId(), product, package: name, success: true }),
      );
    await publish(first.id, NAME, '2026-01-01T00:00:00Z');
    await publish(second.id, NAME, '2026-02-01T00:00:00Z');
    await publish(second.id, ours(first.id), '2026-01-01T00:00:00Z');
    await publish(first.id, ours(first.id), '2026-03-01T00:00:00Z');
    // As it was before these two.
    for (const statement of [
      sql`drop table package_name_losses`,
      sql`drop table package_names`,
      sql`create table engine_packages (name text primary key, organization_id uuid not null)`,
      sql`drop table declined_memberships`,
      sql`alter table organization_memberships drop column date_accepted, drop column added_by_id`,
      sql`delete from migrations where name in ('015-consent', '016-package-names')`,
    ])
      await db.transact((tx) => tx.query(statement));
    await older.close();

    const newer = await openAt(place);
    const memberships = await newer.db.read((tx) => tx.all('organizationMembership', {}));
    const claims = await newer.db.read((tx) =>
      tx.query(
        sql<{ readonly name: string; readonly project: string }>`select claim.name, project.id
            as project from package_names claim join projects project
            on project.organization_id = claim.organization_id order by claim.name desc`,
      ),
    );
    const losses = await newer.db.read((tx) =>
      tx.query(sql<{ readonly id: string }>`select product_id as id from package_name_losses`),
    );
    await newer.close();

    expect(memberships).to.have.length.greaterThan(0);
    for (const { dateAccepted, dateCreated } of memberships)
      expect(dateAccepted).to.equal(dateCreated);
    expect(claims).to.deep.equal([
      { name: NAME, project: first.project },
      { name: ours(first.id), project: first.project },
    ]);
    expect(losses).to.deep.equal([{ id: second.id }]);
  });

  it('carries over the jobs that wait, run, or were released', async function () {
    this.timeout(60_000);
    const older = await openAt(place);
    const earlier = await readFile('src/server/db/migrations/006-jobs.sql', 'utf8');
    const [waiting, active, released, done] = [newId(), newId(), newId(), newId()];
    const put = (id: string, state: string, key: string, data: object) =>
      sql`insert into jobs.job (id, name, state, singleton_key, data, policy, start_after, started_on)
        values (${id}::uuid, 'slipway', ${state}::jobs.job_state, ${key}, ${JSON.stringify(data)}::jsonb,
          'short', '2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z')`;
    for (const statement of [
      sql`drop table queued_jobs`,
      sql.raw(earlier),
      put(waiting, 'created', waiting, { name: 'begin-build', data: { build: 'a' }, failures: 2 }),
      put(active, 'active', 'prune/', { name: 'prune', data: null, failures: 0 }),
      put(released, 'retry', 'mail/of/ana', { name: 'mail', data: { user: 'ana' } }),
      put(done, 'completed', done, { name: 'begin-build', data: { build: 'b' }, failures: 0 }),
      sql`delete from migrations where name = '025-jobs'`,
    ])
      await older.db.transact((tx) => tx.query(statement));
    await older.close();

    const newer = await openAt(place);
    const jobs = await newer.db.read((tx) =>
      tx.query(
        sql<{ readonly id: string }>`select id, name, key, data, failures, state from queued_jobs
          where id in (${waiting}, ${active}, ${released}, ${done}) order by state`,
      ),
    );
    await newer.close();

    expect(jobs).to.deep.equal([
      { id: active, name: 'prune', key: '', data: null, failures: 0, state: 'active' },
      {
        id: released,
        name: 'mail',
        key: 'of/ana',
        data: { user: 'ana' },
        failures: 0,
        state: 'released',
      },
      {
        id: waiting,
        name: 'begin-build',
        key: null,
        data: { build: 'a' },
        failures: 2,
        state: 'waiting',
      },
    ]);
  });
});
