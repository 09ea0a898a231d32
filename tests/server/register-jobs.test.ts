import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { registerJobs } from '#server/register-jobs.ts';
import { testDatabase } from '../support/database.ts';
import { emptyQueue, jobsOn } from '../support/jobs.ts';
import { newId } from '../support/make.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

describe('what is forgotten once a day', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const countsUnder = async (db: Database, key: string) => {
    const [row] = await db.transact((tx) =>
      tx.query<{ readonly count: number }>(
        sql`select count(*)::int as count from limit_counts where key = ${key}`,
      ),
    );
    return row?.count;
  };

  it('is forgotten though notifications can be neither removed nor written [14.6]', async () => {
    const { db } = await testDatabase();
    const key = newId();
    await db.transact((tx) =>
      tx.query(
        sql`insert into limit_counts (key, count, ends_at) values (${key}, 1, '2020-01-01Z')`,
      ),
    );
    const unwritable = { ...db, write: () => Promise.reject(new Error('No write')) };
    await emptyQueue(db);
    const { jobs } = jobsOn(db);
    registerJobs({ ...server.parts, db: unwritable, jobs });

    await jobs.untilIdle();
    expect(await countsUnder(db, key)).to.equal(0);
  });
});
