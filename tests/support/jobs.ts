import { randomFillSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import pino from 'pino';
import type { Clock } from '#base/id.ts';
import type { Database } from '#server/db/database.ts';
import type { Jobs } from '#server/db/jobs/jobs.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { OwnTime } from './own-time.ts';

declare module '#server/db/jobs/job-data.ts' {
  interface JobData {
    'test-note': { readonly note: string };
    'test-other': { readonly note: string };
    'test-tick': null;
  }
}

/** Removes what other suites left in the database that they share. */
export async function emptyQueue(db: Database): Promise<void> {
  await db.transact((tx) => tx.query(sql`delete from queued_jobs`));
}

export interface TestJobs {
  readonly jobs: Jobs;
  /** What makes it look for jobs though nobody rang; it passes when a test says so. */
  readonly time: OwnTime;
}

interface Options {
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** A process of the installation. */
export function jobsOn(db: Database, options: Options = {}): TestJobs {
  const time = new OwnTime();
  const jobs = openJobs({
    db,
    timers: time,
    clock: options.clock ?? Date.now,
    random: (bytes) => randomFillSync(bytes),
    log: options.log ?? pino({ level: 'silent' }),
  });
  return { jobs, time };
}
