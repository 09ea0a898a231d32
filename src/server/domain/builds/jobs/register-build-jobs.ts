import type { Services } from '../../services.ts';
import { beginBuild, beginRelease } from './begin.ts';
import { checkEngines, POLL_EVERY_MS } from './check-engines.ts';
import { createEngineJob } from './create-engine-job.ts';
import { mailReviewers } from './mail-reviewers.ts';
import { setUpProject } from './set-up-project.ts';
import { watchBuild, watchRelease } from './watch.ts';

/** What Slipway has the build engine do. */
export function registerBuildJobs(parts: Services): void {
  const { jobs } = parts;
  jobs.every('check-engines', POLL_EVERY_MS, () => checkEngines(parts));
  jobs.on('set-up-project', (asked, attempt) => setUpProject(parts, asked, attempt));
  jobs.on('create-engine-job', ({ product }, attempt) => createEngineJob(parts, product, attempt));
  jobs.on('begin-build', ({ build }, attempt) => beginBuild(parts, build, attempt));
  jobs.on('begin-release', ({ publication }, attempt) => beginRelease(parts, publication, attempt));
  jobs.on('watch-build', ({ build }, attempt) => watchBuild(parts, build, attempt));
  jobs.on('watch-release', ({ publication }, attempt) => watchRelease(parts, publication, attempt));
  jobs.on('mail-reviewers', (asked, attempt) => mailReviewers(parts, asked, attempt));
}
