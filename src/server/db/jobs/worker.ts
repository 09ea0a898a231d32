import type { Logger } from 'pino';
import type { Database, Tx, Write } from '../database.ts';
import type { Timers } from '#base/timers.ts';
import { Bell } from './bell.ts';
import type { Job, JobData, JobName, Recurring } from './job-data.ts';
import { RetryLater } from './jobs.ts';
import type { Attempt, Jobs, Later, Work } from './jobs.ts';
import { pauseMs } from './pauses.ts';
import type { Queue, Taken } from './queue.ts';

export interface Workplace {
  readonly db: Database;
  readonly queue: Queue;
  readonly timers: Timers;
  readonly log: Logger;
}

/** So many of one name are done at a time by one process: more of it wait, other names do not. */
const AT_ONCE = 4;
/** What other processes have put is found by looking; an embedded database has no others. */
const LOOK_EVERY_MS = { postgres: 2_000, embedded: 5_000 } as const;
/** Well before others take it for dead. */
const LIVE_EVERY_MS = 4_000;
const STOP_WITHIN_MS = 7_000;

interface Duty {
  readonly work: Work<unknown>;
  /** Null: done when asked for. */
  readonly everyMs: number | null;
}

interface Look {
  readonly begun: number;
  readonly nextAt: number | null;
}

type Ended = { readonly is: 'done' } | { readonly is: 'failed'; readonly error: unknown };

/** Does jobs: looks for what is due when one was put, when one has ended, and now and then. */
export class Worker implements Jobs {
  readonly #db: Database;
  readonly #queue: Queue;
  readonly #timers: Timers;
  readonly #log: Logger;
  readonly #bell: Bell;
  readonly #duties = new Map<string, Duty>();
  readonly #doing = new Map<string, { readonly name: string; readonly end: Promise<void> }>();
  readonly #cut = new AbortController();
  #isStopping = false;
  #looking: Promise<unknown> = Promise.resolve();
  #loop: Promise<void> = Promise.resolve();
  #isReady = false;
  #livedAt = 0;
  #isBlind = false;

  constructor({ db, queue, timers, log }: Workplace) {
    this.#db = db;
    this.#queue = queue;
    this.#timers = timers;
    this.#log = log;
    this.#bell = new Bell(timers);
  }

  async later(tx: Tx, { name, data }: Job, { afterMs = 0, key }: Later = {}): Promise<void> {
    const job = { name, data, failures: 0, key: key ?? null };
    await this.#queue.put(tx, job, this.#queue.now + afterMs);
    this.#ringAfter(tx);
  }

  on<N extends JobName>(name: N, work: Work<JobData[N]>): void {
    this.#duties.set(name, { work: work as Work<unknown>, everyMs: null });
  }

  every(name: Recurring, everyMs: number, work: Work<null>): void {
    this.#duties.set(name, { work: work as Work<unknown>, everyMs });
  }

  start(): Promise<void> {
    this.#loop = this.#run();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#bell.ring();
    await this.#loop;
    await this.#looking;
    await this.#endWithin(STOP_WITHIN_MS);
    this.#cut.abort();
    const left = [...this.#doing.keys()];
    if (left.length > 0) await this.#db.transact((tx) => this.#queue.leave(tx, left));
  }

  async untilIdle(): Promise<void> {
    for (;;) {
      const { begun } = await this.#look();
      if (begun === 0 && this.#doing.size === 0) return;
      await this.#allEnds();
    }
  }

  /** In a context of its own: whoever rings may be inside a transaction. */
  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#bell.listen();
      const nextAt = await this.#nextAt();
      const lookAt = this.#queue.now + LOOK_EVERY_MS[this.#db.kind];
      await this.#bell.sleep(Math.min(nextAt ?? lookAt, lookAt) - this.#queue.now);
    }
  }

  async #nextAt(): Promise<number | null> {
    try {
      const { nextAt } = await this.#look();
      this.#isBlind = false;
      return nextAt;
    } catch (error) {
      // Once: a database may be away for hours.
      if (!this.#isBlind) this.#log.error({ err: error }, 'Looking for jobs failed; trying on');
      this.#isBlind = true;
      return null;
    }
  }

  /** One at a time, so that what was taken is in `#doing` before anybody asks. */
  #look(): Promise<Look> {
    const look = this.#looking.then(() => this.#takeUp());
    this.#looking = look.catch(() => undefined);
    return look;
  }

  async #takeUp(): Promise<Look> {
    if (this.#isStopping) return { begun: 0, nextAt: null };
    if (!this.#isReady) await this.#db.transact((tx) => this.#makeReady(tx));
    this.#isReady = true;
    const wanted = { places: this.#places(), doing: [...this.#doing.keys()] };
    const { taken, nextAt } = await this.#db.transact(async (tx) => {
      await this.#live(tx, wanted.doing);
      return this.#queue.take(tx, wanted);
    });
    for (const job of taken) this.#begin(job);
    return { begun: taken.length, nextAt };
  }

  async #makeReady(tx: Tx): Promise<void> {
    // The embedded database is this process's alone: whoever was at work has died.
    if (this.#db.kind === 'embedded') await this.#queue.leaveAll(tx);
    for (const [name, { everyMs }] of this.#duties) {
      if (everyMs === null) continue;
      const job = { name, data: null, failures: 0, key: '' };
      const { now } = this.#queue;
      if (!(await this.#queue.bringForward(tx, job, now + everyMs)))
        await this.#queue.put(tx, job, now);
    }
  }

  async #live(tx: Tx, doing: readonly string[]): Promise<void> {
    const { now } = this.#queue;
    if (doing.length === 0 || now - this.#livedAt < LIVE_EVERY_MS) return;
    await this.#queue.live(tx, doing);
    this.#livedAt = now;
  }

  #places(): Map<string, number> {
    const places = new Map([...this.#duties.keys()].map((name) => [name, AT_ONCE]));
    for (const { name } of this.#doing.values()) places.set(name, (places.get(name) ?? 0) - 1);
    return new Map([...places].filter(([, free]) => free > 0));
  }

  #begin(job: Taken): void {
    const end = this.#do(job).finally(() => {
      this.#doing.delete(job.id);
      this.#bell.ring();
    });
    this.#doing.set(job.id, { name: job.name, end });
  }

  /** Never rejects. */
  async #do(job: Taken): Promise<void> {
    const turn = { isSettled: false };
    const settle = (tx: Tx) => {
      if (isWrite(tx)) tx.afterCommit(() => (turn.isSettled = true));
    };
    const ended = await this.#try(job, settle);
    // Left to the next process, and the database may be closed.
    if (this.#cut.signal.aborted) return;
    if (ended.is === 'failed') this.#tell(job, ended.error);
    if (turn.isSettled) return;
    try {
      await this.#db.transact((tx) =>
        ended.is === 'done'
          ? this.#done(tx, job)
          : this.#again(tx, job, this.#pauseMs(job, ended.error)),
      );
    } catch (error) {
      this.#log.error({ err: error, job: job.name }, 'The end of a job was not kept: it is redone');
    }
  }

  async #try(job: Taken, settle: (tx: Tx) => void): Promise<Ended> {
    const attempt: Attempt = {
      failures: job.failures,
      signal: this.#cut.signal,
      done: async (tx) => {
        await this.#done(tx, job);
        settle(tx);
      },
      again: async (tx, afterMs) => {
        await this.#again(tx, job, afterMs);
        settle(tx);
      },
    };
    try {
      const duty = this.#duties.get(job.name);
      if (duty === undefined) throw new Error(`Nobody does the job ${job.name}`);
      await duty.work(job.data, attempt);
      return { is: 'done' };
    } catch (error) {
      return { is: 'failed', error };
    }
  }

  async #done(tx: Tx, job: Taken): Promise<void> {
    const everyMs = this.#everyMs(job);
    if (!(await this.#queue.remove(tx, job)) || everyMs === null) return;
    await this.#queue.put(tx, { ...job, failures: 0 }, this.#queue.now + everyMs);
  }

  async #again(tx: Tx, job: Taken, afterMs: number): Promise<void> {
    if (!(await this.#queue.remove(tx, job))) return;
    const failed = { ...job, failures: job.failures + 1 };
    await this.#queue.put(tx, failed, this.#queue.now + afterMs);
  }

  #everyMs({ name }: Taken): number | null {
    return this.#duties.get(name)?.everyMs ?? null;
  }

  #pauseMs(job: Taken, error: unknown): number {
    if (error instanceof RetryLater) return error.afterMs;
    return this.#everyMs(job) ?? pauseMs(job.failures + 1);
  }

  /** Without what errors carry beside their words: answers, settings, statements' values. */
  #tell({ name, failures }: Taken, error: unknown): void {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const about = { job: name, failures: failures + 1 };
    if (error instanceof RetryLater) this.#log.info({ ...about, reason: message }, 'A job waits');
    else this.#log.error({ ...about, err: { message, stack } }, 'A job failed; it is tried again');
  }

  #ringAfter(tx: Tx): void {
    const ring = () => {
      this.#bell.ring();
    };
    if (isWrite(tx)) tx.afterCommit(ring);
    else ring();
  }

  async #allEnds(): Promise<void> {
    await Promise.all([...this.#doing.values()].map(({ end }) => end));
  }

  async #endWithin(ms: number): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.#timers.after(ms, resolve)));
    await Promise.race([this.#allEnds(), late]);
    cancel();
  }
}

const isWrite = (tx: Tx): tx is Write => 'afterCommit' in tx;
