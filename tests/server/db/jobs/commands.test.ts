import { once } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import { migratedPlace, openAt } from '../../../support/database.ts';
import type { Place } from '../../../support/database.ts';
import { aCause } from '../../../support/make.ts';
import '../../../support/jobs.ts';
import { spawnCommand, startServer } from '../../../support/server.ts';

const WITHIN_MS = 120_000;

describe('doing jobs', function () {
  this.timeout(WITHIN_MS);

  it('is what a server does that has started', async () => {
    const server = await startServer({ isFresh: true });
    const { db, jobs } = server.parts;
    const jobData = new Promise((resolve) => {
      jobs.on('test-note', ({ note }) => {
        resolve(note);
        return Promise.resolve();
      });
    });
    await db.write(aCause(), (w) =>
      jobs.enqueue(w, { name: 'test-note', data: { note: 'at work' } }),
    );
    expect(await jobData).to.equal('at work');
    await server.stop();
  });

  it('is not what seeding does', async () => {
    const place = await migratedPlace('');
    const seeding = spawnCommand({ DATA_DIR: place.dataDir, DEMO: '' }, ['seed', '--projects=1']);
    const [code] = (await once(seeding, 'exit')) as [number | null];
    expect(code).to.equal(0);
    // A process that runs jobs begins with the recurring ones, and they stay.
    expect(await recurringAt(place)).to.equal(0);
    await place.remove();
  });
});

async function recurringAt(place: Place): Promise<number | undefined> {
  const { db, close } = await openAt(place);
  const [row] = await db.read((tx) =>
    tx.query(sql<{ readonly count: number }>`
      select count(*) as count from queued_jobs where name = 'prune'`),
  );
  await close();
  return row?.count;
}
