import { expect } from 'chai';
import pino from 'pino';
import type { Database } from '#server/db/database.ts';
import { RetryLater } from '#server/db/jobs/jobs.ts';
import type { Jobs, EnqueueOptions } from '#server/db/jobs/jobs.ts';
import { testDatabase } from '../../../support/database.ts';
import { emptyQueue, jobsOn } from '../../../support/jobs.ts';
import { aCause, newId } from '../../../support/make.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

describe('a job', () => {
  let db: Database;
  let now: number;
  const clock = () => now;
  before(async () => {
    ({ db } = await testDatabase());
  });
  beforeEach(async () => {
    await emptyQueue(db);
    now = Date.now();
  });

  /** A process that notes the data of its jobs. */
  const process = () => {
    const { jobs } = jobsOn(db, { clock });
    const notes: string[] = [];
    jobs.on('test-note', ({ note }) => {
      notes.push(note);
      return Promise.resolve();
    });
    return { jobs, notes };
  };

  const put = (jobs: Jobs, note: string, options?: EnqueueOptions) =>
    db.write(aCause(), (w) => jobs.enqueue(w, { name: 'test-note', data: { note } }, options));

  it('is begun right after the commit of what asks for it', async () => {
    const { jobs } = jobsOn(db, { clock });
    const jobData = new Promise((resolve) => {
      jobs.on('test-note', ({ note }) => {
        resolve(note);
        return Promise.resolve();
      });
    });
    await jobs.start();
    await put(jobs, 'first');
    expect(await jobData).to.equal('first');
    await jobs.stop();
  });

  it('is done once, and is gone then', async () => {
    const { jobs, notes } = process();
    await put(jobs, 'once');
    await jobs.untilIdle();
    await jobs.untilIdle();
    await process().jobs.untilIdle();
    expect(notes).to.deep.equal(['once']);
  });

  it('can be asked for where no resource is written', async () => {
    const { jobs, notes } = process();
    await db.transact((tx) => jobs.enqueue(tx, { name: 'test-note', data: { note: 'plain' } }));
    await jobs.untilIdle();
    expect(notes).to.deep.equal(['plain']);
  });

  it('is undone together with what asks for it, a transaction or a savepoint', async () => {
    const { jobs, notes } = process();
    const job = (note: string) => ({ name: 'test-note', data: { note } }) as const;
    const undo = new Error('undone');
    const thrown = await db
      .write(aCause(), async (w) => {
        await jobs.enqueue(w, job('whole'));
        throw undo;
      })
      .catch((error: unknown) => error);
    await db.write(aCause(), async (w) => {
      await jobs.enqueue(w, job('kept'));
      const part = w.savepoint(async () => {
        await jobs.enqueue(w, job('part'));
        throw undo;
      });
      await part.catch(() => undefined);
    });
    await jobs.untilIdle();
    expect(thrown).to.equal(undo);
    expect(notes).to.deep.equal(['kept']);
  });

  it('waits until it is due', async () => {
    const { jobs, notes } = process();
    await put(jobs, 'later', { afterMs: MINUTE_MS });
    now += MINUTE_MS - 1;
    await jobs.untilIdle();
    expect(notes).to.deep.equal([]);
    now += 1;
    await jobs.untilIdle();
    expect(notes).to.deep.equal(['later']);
  });

  it('wakes the process that waits for it when it is due', async () => {
    const { jobs, time } = jobsOn(db, { clock });
    const jobData = new Promise((resolve) => {
      jobs.on('test-note', ({ note }) => {
        resolve(note);
        return Promise.resolve();
      });
    });
    await jobs.start();
    await put(jobs, 'due', { afterMs: 1_500 });
    await time.until(1_500);
    now += 1_500;
    time.pass(1_500);
    expect(await jobData).to.equal('due');
    await jobs.stop();
  });

  it('is found by a process that nobody told', async () => {
    const { jobs, time } = jobsOn(db, { clock });
    const jobData = new Promise((resolve) => {
      jobs.on('test-note', ({ note }) => {
        resolve(note);
        return Promise.resolve();
      });
    });
    await jobs.start();
    const lookEveryMs = db.kind === 'postgres' ? 2 * SECOND_MS : 5 * SECOND_MS;
    await time.until(lookEveryMs);
    await put(process().jobs, 'found');
    time.pass(lookEveryMs);
    expect(await jobData).to.equal('found');
    await jobs.stop();
  });

  it('does not keep jobs of other names waiting', async () => {
    const { jobs } = jobsOn(db, { clock });
    let release: () => void = () => undefined;
    const gate = new Promise<void>((open) => (release = open));
    let begun = 0;
    jobs.on('test-note', () => {
      begun += 1;
      return gate;
    });
    const other = new Promise<void>((done) => {
      jobs.on('test-other', () => {
        done();
        return Promise.resolve();
      });
    });
    for (let n = 0; n < 6; n += 1) await put(jobs, 'slow');
    await db.write(aCause(), (w) =>
      jobs.enqueue(w, { name: 'test-other', data: { note: 'quick' } }),
    );
    const idle = jobs.untilIdle();
    await other;
    expect(begun).to.equal(4);
    release();
    await idle;
    expect(begun).to.equal(6);
  });

  describe('[W60] that fails', () => {
    it('is tried again after 15 s, 30 s, 1, 2, 4, 8, 16, 30, 60 and 60 minutes, then hourly, also after restarts', async () => {
      const minutes = [1, 2, 4, 8, 16, 30, 60, 60, 60, 60].map((count) => count * MINUTE_MS);
      const seen: number[] = [];
      const failing = () => {
        const { jobs } = jobsOn(db, { clock });
        jobs.on('test-note', (_, { failures }) => {
          seen.push(failures);
          throw new Error('It fails');
        });
        return jobs;
      };
      await put(process().jobs, 'never');
      await failing().untilIdle();
      for (const pauseMs of [15 * SECOND_MS, 30 * SECOND_MS, ...minutes]) {
        now += pauseMs - 1;
        const before = seen.length;
        await failing().untilIdle();
        expect(seen).to.have.length(before);
        now += 1;
        await failing().untilIdle();
      }
      expect(seen).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    it('is tried again when it says', async () => {
      const { jobs } = jobsOn(db, { clock });
      const seen: number[] = [];
      jobs.on('test-note', (_, { failures }) => {
        seen.push(failures);
        if (failures === 0) throw new RetryLater(3 * SECOND_MS, 'Not ready');
        return Promise.resolve();
      });
      await put(jobs, 'soon');
      await jobs.untilIdle();
      now += 3 * SECOND_MS;
      await jobs.untilIdle();
      now += 60 * MINUTE_MS;
      await jobs.untilIdle();
      expect(seen).to.deep.equal([0, 1]);
    });

    it('is logged with its name, but not with what it was told or what the error carries', async () => {
      let lines = '';
      const log = pino({}, { write: (line: string) => (lines += line) });
      const { jobs } = jobsOn(db, { clock, log });
      jobs.on('test-note', () => {
        throw Object.assign(new Error('No answer'), { body: 'secret-body' });
      });
      await put(jobs, 'secret-note');
      await jobs.untilIdle();
      expect(lines).to.contain('test-note').and.contain('No answer');
      expect(lines).not.to.contain('secret');
    });
  });

  describe('that ends in a transaction of its own', () => {
    it('is done if that commits, whatever comes then', async () => {
      const { jobs } = jobsOn(db, { clock });
      let times = 0;
      jobs.on('test-note', async (_, attempt) => {
        times += 1;
        await db.write(aCause(), (w) => attempt.complete(w));
        throw new Error('Too late');
      });
      await put(jobs, 'done');
      await jobs.untilIdle();
      now += 60 * MINUTE_MS;
      await jobs.untilIdle();
      expect(times).to.equal(1);
    });

    it('is not done if that is undone', async () => {
      const { jobs } = jobsOn(db, { clock });
      let times = 0;
      jobs.on('test-note', async (_, attempt) => {
        times += 1;
        await db.write(aCause(), async (w) => {
          await attempt.complete(w);
          if (times === 1) throw new Error('Undone');
        });
      });
      await put(jobs, 'twice');
      await jobs.untilIdle();
      now += 15 * SECOND_MS;
      await jobs.untilIdle();
      expect(times).to.equal(2);
    });

    it('is tried again after what that says, one failure later', async () => {
      const { jobs } = jobsOn(db, { clock });
      const seen: number[] = [];
      jobs.on('test-note', async (_, attempt) => {
        seen.push(attempt.failures);
        if (attempt.failures === 0)
          await db.write(aCause(), (w) => attempt.retry(w, 7 * SECOND_MS, 'engine-failed'));
      });
      await put(jobs, 'again');
      await jobs.untilIdle();
      now += 7 * SECOND_MS - 1;
      await jobs.untilIdle();
      expect(seen).to.deep.equal([0]);
      now += 1;
      await jobs.untilIdle();
      now += 60 * MINUTE_MS;
      await jobs.untilIdle();
      expect(seen).to.deep.equal([0, 1]);
    });
  });

  describe('with a key', () => {
    it('waits alone under it, as the first was asked for', async () => {
      const { jobs, notes } = process();
      await put(jobs, 'first', { key: 'a' });
      await put(jobs, 'second', { key: 'a' });
      await put(jobs, 'other', { key: 'b' });
      await jobs.untilIdle();
      expect(notes.sort()).to.deep.equal(['first', 'other']);
      await put(jobs, 'third', { key: 'a' });
      await jobs.untilIdle();
      expect(notes).to.contain('third');
    });

    it('comes when the earliest was due', async () => {
      const { jobs, notes } = process();
      await put(jobs, 'first', { key: 'a', afterMs: MINUTE_MS });
      await put(jobs, 'second', { key: 'a', afterMs: SECOND_MS });
      await put(jobs, 'third', { key: 'a', afterMs: 2 * MINUTE_MS });
      now += SECOND_MS;
      await jobs.untilIdle();
      now += 60 * MINUTE_MS;
      await jobs.untilIdle();
      expect(notes).to.deep.equal(['first']);
    });

    it('is not done twice at a time, by any process', async () => {
      const { jobs: others, notes: elsewhere } = process();
      await others.untilIdle();
      const { jobs } = jobsOn(db, { clock });
      const steps: string[] = [];
      jobs.on('test-note', async ({ note }) => {
        steps.push(`${note} begins`);
        if (note === 'first') {
          await put(jobs, 'second', { key: 'a' });
          await others.untilIdle();
        }
        steps.push(`${note} ends`);
      });
      await put(jobs, 'first', { key: 'a' });
      await jobs.untilIdle();
      expect(elsewhere).to.deep.equal([]);
      expect(steps).to.deep.equal(['first begins', 'first ends', 'second begins', 'second ends']);
    });

    it('keeps its failures when another was asked for meanwhile', async () => {
      const { jobs } = jobsOn(db, { clock });
      const seen: number[] = [];
      jobs.on('test-note', async (_, { failures }) => {
        seen.push(failures);
        if (failures < 2) {
          await put(jobs, 'meanwhile', { key: 'a' });
          throw new Error('It fails');
        }
      });
      await put(jobs, 'first', { key: 'a' });
      await jobs.untilIdle();
      expect(seen).to.deep.equal([0, 1, 2]);
    });

    it('sees what was written by whoever asked for it while it waited', async () => {
      const { jobs } = jobsOn(db, { clock });
      const id = newId();
      const seen: unknown[] = [];
      jobs.on('test-note', async () => {
        seen.push((await db.read((tx) => tx.one('user', id)))?.name);
      });
      await put(jobs, 'first', { key: 'a' });

      let commit: () => void = () => undefined;
      const gate = new Promise<void>((open) => (commit = open));
      let write: Promise<void> = Promise.resolve();
      await new Promise<void>((asked) => {
        write = db.write(aCause(), async (w) => {
          await w.insert('user', { id, name: 'Ana' });
          await jobs.enqueue(w, { name: 'test-note', data: { note: 'second' } }, { key: 'a' });
          asked();
          await gate;
        });
      });
      const idle = jobs.untilIdle();
      // In the embedded database, which is one session, nothing can be polled meanwhile.
      if (db.kind === 'postgres') await idle;
      commit();
      await write;
      await idle;
      await jobs.untilIdle();
      expect(seen).to.deep.equal(['Ana']);
    });
  });
});
