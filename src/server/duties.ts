import { prune } from './database/prune.ts';
import type { Parts } from './parts.ts';

const DAY_MS = 86_400_000;

/** Who does what is done later; a new job is a line here and one in `jobs/job-data.ts`. */
export function takeOnDuties({ jobs, db, clock, log }: Parts): void {
  jobs.every('prune', DAY_MS, async () => {
    log.info(await prune(db, clock()), 'Pruned');
  });
}
