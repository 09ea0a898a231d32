import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import type { Database } from '../database.ts';
import { systemTimers } from '../../kernel/timers.ts';
import type { Timers } from '#base/timers.ts';
import type { Jobs } from './jobs.ts';
import { JobQueue } from './job-queue.ts';
import { JobWorker } from './job-worker.ts';

export interface JobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly timers?: Timers;
}

/** Jobs of the installation whose database is `db`. Until `start` they are only kept. */
export function openJobs({ db, clock, random, log, timers }: JobsOptions): Jobs {
  return new JobWorker({
    db,
    log,
    timers: timers ?? systemTimers,
    queue: new JobQueue(clock, random),
  });
}
