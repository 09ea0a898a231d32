import type { DatabaseTransaction } from '../database.ts';
import type { JobTrouble } from '#protocol/jobs.ts';
import type { Job, JobData, JobName, Recurring } from './job-data.ts';
import type { JobListRequest, ListedJob } from './job-queue.ts';

/**
 * Jobs are done later, by any process of the installation: they are kept in the database, begin
 * once they are due, and begin again until they are done, also after a crash. So a job may run more
 * than once, unless it ends with `JobAttempt.complete`, and never twice at a time under one key.
 *
 *   waiting ──due──▶ under way ──done──▶ gone
 *      ▲                 │
 *      └── failed, or its process died
 */
export interface Jobs {
  /**
   * Enqueues a job if and only if `tx` commits; it begins right after the commit of a write, and
   * after that of a `transact` on PostgreSQL within 2 s.
   */
  enqueue(tx: DatabaseTransaction, job: Job, options?: EnqueueOptions): Promise<void>;
  /**
   * Registers the handler of a job, before `start`. It does its own I/O, in transactions of its
   * own.
   */
  on<N extends JobName>(name: N, work: JobHandler<JobData[N]>): void;
  /**
   * Registers a recurring job: it runs at once, and again `everyMs` after each end, once per
   * installation, not per process.
   */
  every(name: Recurring, everyMs: number, work: JobHandler<null>): void;
  /** From now on this process runs jobs. */
  start(): Promise<void>;
  /** Begins no more jobs and lets the running ones end, for 7 s at most; unfinished ones wait. */
  stop(): Promise<void>;
  /** Lists the first jobs of those that failed, or of the others, and counts all of them. */
  list(
    tx: DatabaseTransaction,
    request: JobListRequest,
  ): Promise<{ readonly jobs: readonly ListedJob[]; readonly total: number }>;
  /**
   * Has a failed job tried at once, if and only if `tx` commits; one that runs or is due stays as
   * it is. Null: no job of that id has failed.
   */
  runAgain(
    tx: DatabaseTransaction,
    id: string,
  ): Promise<{ readonly name: string; readonly isBroughtForward: boolean } | null>;
  /** Runs all jobs that are due, and those that become due by that, also without `start`. */
  untilIdle(): Promise<void>;
}

export interface EnqueueOptions {
  readonly afterMs?: number;
  /**
   * At most one job of a name waits under a key: the waiting one stays as it is, comes no later
   * than this one would, and begins after the commit.
   */
  readonly key?: string;
}

/**
 * Whatever the handler throws is a failure: it is tried again, after a `RetryLater`'s time or
 * `pauseMs`.
 */
export type JobHandler<Data> = (data: Data, attempt: JobAttempt) => Promise<void>;

/** One attempt at a job. */
export interface JobAttempt {
  /** The number of failures before this attempt. */
  readonly failures: number;
  /** It is aborted when the server stops and waits no longer. */
  readonly signal: AbortSignal;
  /** Completes the job if and only if `tx` commits, so that what `tx` writes is written once. */
  complete(tx: DatabaseTransaction): Promise<void>;
  /**
   * Marks the attempt as failed if and only if `tx` commits; the next one comes after `afterMs`.
   */
  retry(tx: DatabaseTransaction, afterMs: number, trouble: JobTrouble): Promise<void>;
}

/** A handler throws it when the job could not be done now, for a reason that is no bug. */
export class RetryLater extends Error {
  readonly afterMs: number;

  constructor(afterMs: number, reason: string) {
    super(reason);
    this.name = 'RetryLater';
    this.afterMs = afterMs;
  }
}
