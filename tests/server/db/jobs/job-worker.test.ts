import { expect } from 'chai';
import pino from 'pino';
import type { Database } from '#server/db/database.ts';
import type { Jobs } from '#server/db/jobs/jobs.ts';
import { DEAD_AFTER_MS } from '#server/db/jobs/job-queue.ts';
import { testDatabase } from '../../../support/database.ts';
import { emptyQueue, jobsOn } from '../../../support/jobs.ts';
import { aCause } from '../../../support/make.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 300_000;

describe('the processes of an installation', () => {
  let db: Database;
  let now: number;
  let ticks: number;
  const clock = () => now;
  before(async () => {
    ({ db } = await testDatabase());
  });
  beforeEach(async () => {
    await emptyQueue(db);
    now = Date.now();
    ticks = 0;
  });

  const note = (jobs: Jobs) =>
    db.write(aCause(), (w) => jobs.enqueue(w, { name: 'test-note', data: { note: 'x' } }));

  /** Counts how often it runs the job that comes every 5 minutes. */
  const ticking = (tick: () => Promise<void> = () => Promise.resolve()) => {
    const { jobs } = jobsOn(db, { clock });
    jobs.every('test-tick', EVERY_MS, () => {
      ticks += 1;
      return tick();
    });
    return jobs;
  };

  /** A process whose job never ends by itself. */
  const stuck = async (run: (jobs: Jobs) => unknown = (jobs) => jobs.start()) => {
    const { jobs, time } = jobsOn(db, { clock });
    let end: () => void = () => undefined;
    let signal: AbortSignal | null = null;
    const begun = new Promise<void>((begin) => {
      jobs.on('test-note', (_, attempt) => {
        signal = attempt.signal;
        begin();
        return new Promise<void>((done) => (end = done));
      });
    });
    await note(jobs);
    run(jobs);
    await begun;
    return {
      jobs,
      time,
      end: () => {
        end();
      },
      isCut: () => signal?.aborted,
    };
  };

  const counting = () => {
    const { jobs } = jobsOn(db, { clock });
    const done = { count: 0 };
    jobs.on('test-note', () => {
      done.count += 1;
      return Promise.resolve();
    });
    return { jobs, done };
  };

  it('do a recurring job at once and after each interval, one of them', async () => {
    const processes = [ticking(), ticking()];
    for (const jobs of processes) await jobs.untilIdle();
    expect(ticks).to.equal(1);
    now += EVERY_MS - 1;
    for (const jobs of processes) await jobs.untilIdle();
    expect(ticks).to.equal(1);
    now += 1;
    for (const jobs of processes) await jobs.untilIdle();
    expect(ticks).to.equal(2);
  });

  it('go on with recurring jobs where they were before a restart', async () => {
    await ticking().untilIdle();
    now += EVERY_MS / 2;
    await ticking().untilIdle();
    expect(ticks).to.equal(1);
    now += EVERY_MS / 2;
    await ticking().untilIdle();
    expect(ticks).to.equal(2);
  });

  it('do a recurring job after its interval though the clock was a day ahead and is put right', async () => {
    now += DAY_MS;
    const jobs = ticking();
    await jobs.untilIdle();
    now -= DAY_MS;
    await jobs.untilIdle();
    expect(ticks).to.equal(1);
    now += EVERY_MS;
    await jobs.untilIdle();
    expect(ticks).to.equal(2);
    now += EVERY_MS;
    await jobs.untilIdle();
    expect(ticks).to.equal(3);
  });

  it('do a recurring job that fails at its next time', async () => {
    const jobs = ticking(() => Promise.reject(new Error('It fails')));
    await jobs.untilIdle();
    now += EVERY_MS;
    await jobs.untilIdle();
    expect(ticks).to.equal(2);
  });

  it('let jobs that are under way end when they stop', async () => {
    const { jobs, end, isCut } = await stuck();
    const stopped = jobs.stop();
    end();
    await stopped;
    expect(isCut()).to.equal(true);
    const { jobs: others, done } = counting();
    await others.untilIdle();
    expect(done.count).to.equal(0);
  });

  it('wait no longer than 7 s for that, and leave the job to whoever comes next', async () => {
    const { jobs, time, end, isCut } = await stuck();
    const stopped = jobs.stop();
    await time.until(7_000);
    expect(isCut()).to.equal(false);
    time.pass(7_000);
    await stopped;
    expect(isCut()).to.equal(true);
    const { jobs: others, done } = counting();
    await others.untilIdle();
    end();
    expect(done.count).to.equal(1);
  });

  it('begin nothing more once they stop', async () => {
    const { jobs, done } = counting();
    await jobs.start();
    await jobs.stop();
    await note(jobs);
    await jobs.untilIdle();
    expect(done.count).to.equal(0);
  });

  it('say once that the database does not answer, and go on when it does', async () => {
    let isAway = true;
    const away: Database = {
      ...db,
      transact: (work) => (isAway ? Promise.reject(new Error('Away')) : db.transact(work)),
    };
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(line) });
    const { jobs, time } = jobsOn(away, { clock, log });
    const told = new Promise<void>((resolve) => {
      jobs.on('test-note', () => {
        resolve();
        return Promise.resolve();
      });
    });
    const lookEveryMs = db.kind === 'postgres' ? 2_000 : 5_000;
    await jobs.start();
    for (let poll = 0; poll < 3; poll += 1) {
      await time.until(lookEveryMs);
      time.pass(lookEveryMs);
    }
    await time.until(lookEveryMs);
    isAway = false;
    await note(jobs);
    await told;
    await jobs.stop();
    expect(lines.filter((line) => line.includes('Away'))).to.have.length(1);
  });

  it('take over what a process did that is dead', async () => {
    const { jobs: others, done } = counting();
    await others.untilIdle();
    // It polls once, so it gives no sign of life.
    const { end } = await stuck((jobs) => jobs.untilIdle());
    now += DEAD_AFTER_MS - 1;
    await others.untilIdle();
    expect(done.count).to.equal(0);
    now += 1;
    await others.untilIdle();
    expect(done.count).to.equal(1);
    end();
  });

  it('leave a process its job as long as it gives signs of life', async () => {
    const { jobs: others, done } = counting();
    await others.untilIdle();
    const { jobs, end } = await stuck();
    const looked = new Promise<void>((poll) => {
      jobs.on('test-other', () => {
        poll();
        return Promise.resolve();
      });
    });
    now += DEAD_AFTER_MS - 1;
    await db.write(aCause(), (w) => jobs.enqueue(w, { name: 'test-other', data: { note: 'x' } }));
    await looked;
    now += DEAD_AFTER_MS - 1;
    await others.untilIdle();
    expect(done.count).to.equal(0);
    end();
    await jobs.stop();
  });
});
