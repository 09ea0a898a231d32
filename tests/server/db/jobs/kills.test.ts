import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { sql } from 'kysely';
import pino from 'pino';
import type { Database } from '#server/db/database.ts';
import type { Jobs } from '#server/db/jobs/jobs.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { DEAD_AFTER_MS } from '#server/db/jobs/job-queue.ts';
import { freshPlace, openAt } from '../../../support/database.ts';
import type { Place } from '../../../support/database.ts';
import type { Moment } from '../../../support/job-doer.ts';
import { aCause, newId } from '../../../support/make.ts';
import '../../../support/jobs.ts';

const WITHIN_MS = 180_000;
const JOBS = 60;
const KILLS = 2;

const postgres = process.env.DATABASE_URL ?? '';
const databases = { embedded: '', ...(postgres === '' ? {} : { PostgreSQL: postgres }) };

for (const [name, url] of Object.entries(databases)) {
  describe(`a process that is killed at its jobs (${name})`, function () {
    this.timeout(WITHIN_MS);
    let place: Place;
    before(async () => {
      place = await freshPlace(url);
    });
    after(async () => {
      await place.remove();
    });

    it('has begun nothing that was not committed', async () => {
      const [id] = await killAt(place, 'asked for, not committed', 1);
      expect(await doneAfterwards(place)).to.deep.equal([]);
      expect(id).to.be.a('string');
    });

    it('leaves what was asked for to the next process', async () => {
      expect(await killAt(place, 'asked for', 1)).to.deep.equal(await doneAfterwards(place));
    });

    it('leaves what it had begun', async () => {
      const [id] = await putJobs(place, 1);
      expect(await killAt(place, 'begun', 1)).to.deep.equal([id]);
      expect(await doneAfterwards(place)).to.deep.equal([id]);
      expect(await doneAfterwards(place)).to.deep.equal([]);
    });

    it('leaves what it had written and not ended, which is done once more', async () => {
      const [id] = await putJobs(place, 1);
      expect(await killAt(place, 'written', 1)).to.deep.equal([id]);
      expect(await doneAfterwards(place)).to.deep.equal([id]);
    });

    it('leaves nothing of what ended with what it wrote', async () => {
      const [id] = await putJobs(place, 1);
      expect(await killAt(place, 'written and done', 1)).to.deep.equal([id]);
      expect(await doneAfterwards(place)).to.deep.equal([]);
    });

    it(`has done each of ${JOBS} jobs once in the end, killed ${KILLS} times among them`, async () => {
      const ids = await putJobs(place, JOBS);
      const told: string[] = [];
      for (let kill = 0; kill < KILLS; kill += 1)
        told.push(...(await killAt(place, 'going on', 10)));
      const rest = await doneAfterwards(place);
      const made = await usersAmong(place, ids);
      expect(new Set([...told, ...rest, ...made]).size).to.equal(JOBS);
      expect(made.filter((id) => rest.includes(id))).to.deep.equal([]);
      expect(told.filter((id) => !made.includes(id))).to.deep.equal([]);
    });
  });
}

/** Kills a process (SIGKILL) once it has printed `lines` lines; returns all that it printed. */
async function killAt({ dataDir, databaseUrl }: Place, moment: Moment, lines: number) {
  const script = new URL('../../../support/job-doer.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', script, dataDir, databaseUrl ?? '', moment];
  const doer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: doer.stdout })) {
    said.push(line);
    if (said.length === lines) doer.kill('SIGKILL');
  }
  if (doer.exitCode === null && doer.signalCode === null) await once(doer, 'exit');
  expect(doer.signalCode, 'it was killed').to.equal('SIGKILL');
  return said;
}

/** Acts as the next process would, so many ms later. */
async function at<T>(
  place: Place,
  act: (db: Database, jobs: Jobs) => Promise<T>,
  laterMs = 0,
): Promise<T> {
  const { db, close } = await openAt(place);
  const jobs = openJobs({
    db,
    clock: () => Date.now() + laterMs,
    random: (bytes) => randomFillSync(bytes),
    log: pino({ level: 'silent' }),
  });
  try {
    return await act(db, jobs);
  } finally {
    await close();
  }
}

const putJobs = (place: Place, count: number): Promise<string[]> =>
  at(place, async (db, jobs) => {
    const ids = Array.from({ length: count }, () => newId());
    await db.write(aCause(), async (w) => {
      for (const id of ids) await jobs.enqueue(w, { name: 'test-note', data: { note: id } });
    });
    return ids;
  });

/**
 * Returns what the next process does: at once where no other can be alive, else when the last must
 * be dead.
 */
const doneAfterwards = (place: Place): Promise<string[]> =>
  at(
    place,
    async (_, jobs) => {
      const done: string[] = [];
      jobs.on('test-note', ({ note }) => {
        done.push(note);
        return Promise.resolve();
      });
      await jobs.untilIdle();
      return done;
    },
    place.databaseUrl === null ? 0 : DEAD_AFTER_MS,
  );

const usersAmong = (place: Place, ids: readonly string[]): Promise<string[]> =>
  at(place, async (db) => {
    const rows = await db.read((tx) =>
      tx.query(sql<{ readonly id: string }>`select id from users where id = any(${ids}::uuid[])`),
    );
    return rows.map(({ id }) => id);
  });
