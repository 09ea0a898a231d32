import type { Logger } from 'pino';
import type { Database, DatabaseTransaction, WriteTransaction } from '../database.ts';
import type { Timers } from '#base/timers.ts';
import { WakeSignal } from './wake-signal.ts';
import type { Job, JobData, JobName, Recurring } from './job-data.ts';
import { RetryLater } from './jobs.ts';
import type { JobAttempt, Jobs, EnqueueOptions, JobHandler } from './jobs.ts';
import { pauseMs } from './pauses.ts';
import { troubleOf } from './job-trouble.ts';
import type { JobTrouble } from '#protocol/jobs.ts';
import type { JobQueue, ActiveJob, JobListRequest, QueuedJob } from './job-queue.ts';

export interface JobWorkerOptions {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly timers: Timers;
  readonly log: Logger;
}

/** One process runs this many jobs of one name at a time: more of it wait, other names do not. */
const AT_ONCE = 4;
/**
 * Jobs that other processes have enqueued are found by polling; an embedded database has no others.
 */
const POLL_EVERY_MS = { postgres: 2_000, embedded: 5_000 } as const;
/** This is well before others take the process for dead. */
const HEARTBEAT_EVERY_MS = 4_000;
const STOP_WITHIN_MS = 7_000;

interface JobRegistration {
  readonly work: JobHandler<unknown>;
  /** Null: the job runs only when it is enqueued. */
  readonly everyMs: number | null;
}

interface PollResult {
  readonly begun: number;
  readonly nextAt: number | null;
}

type JobResult = { readonly is: 'done' } | { readonly is: 'failed'; readonly error: unknown };

/** Runs jobs: polls for due ones when one was enqueued, when one has ended, and now and then. */
export class JobWorker implements Jobs {
  readonly #db: Database;
  readonly #queue: JobQueue;
  readonly #timers: Timers;
  readonly #log: Logger;
  readonly #wakeSignal: WakeSignal;
  readonly #registrations = new Map<string, JobRegistration>();
  readonly #active = new Map<string, { readonly name: string; readonly end: Promise<void> }>();
  readonly #cut = new AbortController();
  #isStopping = false;
  #polling: Promise<unknown> = Promise.resolve();
  #loop: Promise<void> = Promise.resolve();
  #isReady = false;
  #heartbeatAt = 0;
  #polledAt = 0;
  #isPollFailing = false;

  constructor({ db, queue, timers, log }: JobWorkerOptions) {
    this.#db = db;
    this.#queue = queue;
    this.#timers = timers;
    this.#log = log;
    this.#wakeSignal = new WakeSignal(timers);
  }

  async enqueue(
    tx: DatabaseTransaction,
    { name, data }: Job,
    { afterMs = 0, key }: EnqueueOptions = {},
  ): Promise<void> {
    const job = { name, data, failures: 0, key: key ?? null };
    await this.#queue.enqueue(tx, job, this.#queue.now + afterMs);
    this.#wakeAfter(tx);
  }

  on<N extends JobName>(name: N, work: JobHandler<JobData[N]>): void {
    this.#registrations.set(name, { work: work as JobHandler<unknown>, everyMs: null });
  }

  every(name: Recurring, everyMs: number, work: JobHandler<null>): void {
    this.#registrations.set(name, { work: work as JobHandler<unknown>, everyMs });
  }

  list(tx: DatabaseTransaction, request: JobListRequest): ReturnType<Jobs['list']> {
    return this.#queue.list(tx, request);
  }

  async runAgain(tx: DatabaseTransaction, id: string): ReturnType<Jobs['runAgain']> {
    const found = await this.#queue.runAgain(tx, id);
    if (found?.isBroughtForward === true) this.#wakeAfter(tx);
    return found;
  }

  start(): Promise<void> {
    this.#loop = this.#run();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeSignal.wakeUp();
    await this.#loop;
    await this.#polling;
    await this.#endWithin(STOP_WITHIN_MS);
    this.#cut.abort();
    const left = [...this.#active.keys()];
    if (left.length > 0) await this.#db.transact((tx) => this.#queue.release(tx, left));
  }

  async untilIdle(): Promise<void> {
    for (;;) {
      const { begun } = await this.#poll();
      if (begun === 0 && this.#active.size === 0) return;
      await this.#allEnds();
    }
  }

  /** Polls in a context of its own, because the caller of `wakeUp` may be inside a transaction. */
  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#wakeSignal.reset();
      const nextAt = await this.#nextAt();
      const lookAt = this.#queue.now + POLL_EVERY_MS[this.#db.kind];
      await this.#wakeSignal.wait(Math.min(nextAt ?? lookAt, lookAt) - this.#queue.now);
    }
  }

  async #nextAt(): Promise<number | null> {
    try {
      const { nextAt } = await this.#poll();
      this.#isPollFailing = false;
      return nextAt;
    } catch (error) {
      // The failure is logged once, because a database may be away for hours.
      if (!this.#isPollFailing)
        this.#log.error({ err: error }, 'Looking for jobs failed; trying on');
      this.#isPollFailing = true;
      return null;
    }
  }

  /** Runs one poll at a time, so that taken jobs are in `#active` before the next poll. */
  #poll(): Promise<PollResult> {
    const poll = this.#polling.then(() => this.#startDue());
    this.#polling = poll.catch(() => undefined);
    return poll;
  }

  async #startDue(): Promise<PollResult> {
    if (this.#isStopping) return { begun: 0, nextAt: null };
    if (!this.#isReady) await this.#db.transact((tx) => this.#makeReady(tx));
    this.#isReady = true;
    const { now } = this.#queue;
    // What is due an interval after a time that was ahead would not come before that time does.
    if (now < this.#polledAt) await this.#db.transact((tx) => this.#bringRecurringForward(tx));
    this.#polledAt = now;
    const wanted = { places: this.#places(), activeIds: [...this.#active.keys()] };
    const { taken, nextAt } = await this.#db.transact(async (tx) => {
      await this.#heartbeat(tx, wanted.activeIds);
      return this.#queue.take(tx, wanted);
    });
    for (const job of taken) this.#begin(job);
    return { begun: taken.length, nextAt };
  }

  async #makeReady(tx: DatabaseTransaction): Promise<void> {
    // The embedded database is this process's alone: whatever ran the jobs before has died.
    if (this.#db.kind === 'embedded') await this.#queue.releaseAll(tx);
    for (const job of await this.#bringRecurringForward(tx))
      await this.#queue.enqueue(tx, job, this.#queue.now);
  }

  /**
   * Makes each recurring job due within its interval from now. Returns those of which none waits.
   */
  async #bringRecurringForward(tx: DatabaseTransaction): Promise<readonly QueuedJob[]> {
    const missing: QueuedJob[] = [];
    for (const [name, { everyMs }] of this.#registrations) {
      if (everyMs === null) continue;
      const job = { name, data: null, failures: 0, key: '' };
      if (!(await this.#queue.bringForward(tx, job, this.#queue.now + everyMs))) missing.push(job);
    }
    return missing;
  }

  async #heartbeat(tx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    const { now } = this.#queue;
    if (ids.length === 0 || Math.abs(now - this.#heartbeatAt) < HEARTBEAT_EVERY_MS) return;
    await this.#queue.heartbeat(tx, ids);
    this.#heartbeatAt = now;
  }

  #places(): Map<string, number> {
    const places = new Map([...this.#registrations.keys()].map((name) => [name, AT_ONCE]));
    for (const { name } of this.#active.values()) places.set(name, (places.get(name) ?? 0) - 1);
    return new Map([...places].filter(([, free]) => free > 0));
  }

  #begin(job: ActiveJob): void {
    const end = this.#do(job).finally(() => {
      this.#active.delete(job.id);
      this.#wakeSignal.wakeUp();
    });
    this.#active.set(job.id, { name: job.name, end });
  }

  /** Runs a job. It never rejects. */
  async #do(job: ActiveJob): Promise<void> {
    const attempt = { isSettled: false };
    const complete = (tx: DatabaseTransaction) => {
      if (isWrite(tx)) tx.afterCommit(() => (attempt.isSettled = true));
    };
    const ended = await this.#attempt(job, complete);
    // The job is left to the next process, and the database may be closed.
    if (this.#cut.signal.aborted) return;
    if (ended.is === 'failed') this.#logFailure(job, ended.error);
    if (attempt.isSettled) return;
    try {
      await this.#db.transact((tx) =>
        ended.is === 'done'
          ? this.#complete(tx, job)
          : this.#retry(tx, job, this.#pauseMs(job, ended.error), troubleOf(ended.error)),
      );
    } catch (error) {
      this.#log.error({ err: error, job: job.name }, 'The end of a job was not kept: it is redone');
    }
  }

  async #attempt(job: ActiveJob, complete: (tx: DatabaseTransaction) => void): Promise<JobResult> {
    const attempt: JobAttempt = {
      failures: job.failures,
      signal: this.#cut.signal,
      complete: async (tx) => {
        await this.#complete(tx, job);
        complete(tx);
      },
      retry: async (tx, afterMs, trouble) => {
        await this.#retry(tx, job, afterMs, trouble);
        complete(tx);
      },
    };
    try {
      const duty = this.#registrations.get(job.name);
      if (duty === undefined) throw new Error(`Nobody does the job ${job.name}`);
      await duty.work(job.data, attempt);
      return { is: 'done' };
    } catch (error) {
      return { is: 'failed', error };
    }
  }

  async #complete(tx: DatabaseTransaction, job: ActiveJob): Promise<void> {
    const everyMs = this.#everyMs(job);
    if (!(await this.#queue.remove(tx, job)) || everyMs === null) return;
    await this.#queue.enqueue(tx, { ...job, failures: 0 }, this.#queue.now + everyMs);
  }

  async #retry(
    tx: DatabaseTransaction,
    job: ActiveJob,
    afterMs: number,
    trouble: JobTrouble,
  ): Promise<void> {
    if (!(await this.#queue.remove(tx, job))) return;
    const failed = { ...job, failures: job.failures + 1 };
    const { now } = this.#queue;
    await this.#queue.enqueue(tx, failed, now + afterMs, { trouble, at: now });
  }

  #everyMs({ name }: ActiveJob): number | null {
    return this.#registrations.get(name)?.everyMs ?? null;
  }

  #pauseMs(job: ActiveJob, error: unknown): number {
    if (error instanceof RetryLater) return error.afterMs;
    return this.#everyMs(job) ?? pauseMs(job.failures + 1);
  }

  /**
   * Logs a failure without what errors carry beside their message: answers, settings, statements'
   * values.
   */
  #logFailure({ name, failures }: ActiveJob, error: unknown): void {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const about = { job: name, failures: failures + 1 };
    if (error instanceof RetryLater) this.#log.info({ ...about, reason: message }, 'A job waits');
    else this.#log.error({ ...about, err: { message, stack } }, 'A job failed; it is tried again');
  }

  #wakeAfter(tx: DatabaseTransaction): void {
    const ring = () => {
      this.#wakeSignal.wakeUp();
    };
    if (isWrite(tx)) tx.afterCommit(ring);
    else ring();
  }

  async #allEnds(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ end }) => end));
  }

  async #endWithin(ms: number): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.#timers.after(ms, resolve)));
    await Promise.race([this.#allEnds(), late]);
    cancel();
  }
}

const isWrite = (tx: DatabaseTransaction): tx is WriteTransaction => 'afterCommit' in tx;
