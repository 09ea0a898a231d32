import { expect } from 'chai';
import { sql } from 'kysely';
import { BadStart } from '#server/bad-start.ts';
import type { Database } from '#server/database/database.ts';
import { freshDatabase, freshPlace, openAt } from '../../support/database.ts';
import type { Place, TestDatabase } from '../../support/database.ts';

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
});
