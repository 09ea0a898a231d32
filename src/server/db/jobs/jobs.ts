import type { DatabaseTransaction } from '../database.ts';
import type { Job, JobData, JobName, Recurring } from './job-data.ts';

/**
 * What is to be done later, by any process of the installation: kept in the database, begun once
 * it is due, and begun again until it was done, also after a crash. So a job may be done more than
 * once, unless it ends with `Attempt.done`, and never twice at a time under one key.
 *
 *   waiting ──due──▶ under way ──done──▶ gone
 *      ▲                 │
 *      └── failed, or its process died
 */
export interface Jobs {
  /**
   * Kept if and only if `tx` commits, and begun right after the commit of a write; after that of a
   * `transact` on PostgreSQL within 2 s.
   */
  enqueue(tx: DatabaseTransaction, job: Job, options?: EnqueueOptions): Promise<void>;
  /** Who does it. Does its own I/O, in transactions of its own. To be said before `start`. */
  on<N extends JobName>(name: N, work: JobHandler<JobData[N]>): void;
  /** Who does it, at once and again `everyMs` after each end: once per installation, not process. */
  every(name: Recurring, everyMs: number, work: JobHandler<null>): void;
  /** From now on this process does jobs. */
  start(): Promise<void>;
  /** Begins no more and lets those under way end, for 7 s at most; what is not done by then waits. */
  stop(): Promise<void>;
  /** Does all that is due, and what becomes due by that, without `start` too. */
  untilIdle(): Promise<void>;
}

export interface EnqueueOptions {
  readonly afterMs?: number;
  /**
   * At most one job of a name waits under a key: the one that does stays as it is, comes no later
   * than this one would, and begins after the commit.
   */
  readonly key?: string;
}

/** Whatever it throws is a failure: it is tried again, after a `RetryLater`'s time or `pauseMs`. */
export type JobHandler<Data> = (data: Data, attempt: JobAttempt) => Promise<void>;

/** One attempt at a job. */
export interface JobAttempt {
  /** How often it has failed before. */
  readonly failures: number;
  /** Aborted when the server stops and waits no longer. */
  readonly signal: AbortSignal;
  /** Done if and only if `tx` commits: so what `tx` writes is written once. */
  complete(tx: DatabaseTransaction): Promise<void>;
  /** Failed if and only if `tx` commits, and to be tried again after `afterMs`. */
  retry(tx: DatabaseTransaction, afterMs: number): Promise<void>;
}

/** Thrown by who does a job: it could not be done now, for a reason that is no bug. */
export class RetryLater extends Error {
  readonly afterMs: number;

  constructor(afterMs: number, reason: string) {
    super(reason);
    this.name = 'RetryLater';
    this.afterMs = afterMs;
  }
}
