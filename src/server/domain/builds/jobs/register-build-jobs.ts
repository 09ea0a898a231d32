import type { Services } from '../../services.ts';
import { beginBuild, beginRelease } from './begin.ts';
import { checkEngines, POLL_EVERY_MS } from './check-engines.ts';
import { createEngineJob } from './create-engine-job.ts';
import { mailReviewers } from './mail-reviewers.ts';
import { setUpProject } from './set-up-project.ts';
import { watchBuild, watchRelease } from './watch.ts';

/** Registers the jobs that talk to the build engine. */
export function registerBuildJobs(services: Services): void {
  const { jobs } = services;
  jobs.every('check-engines', POLL_EVERY_MS, () => checkEngines(services));
  jobs.on('set-up-project', (data, attempt) => setUpProject(services, data, attempt));
  jobs.on('create-engine-job', ({ product }, attempt) =>
    createEngineJob(services, product, attempt),
  );
  jobs.on('begin-build', ({ build }, attempt) => beginBuild(services, build, attempt));
  jobs.on('begin-release', ({ publication }, attempt) =>
    beginRelease(services, publication, attempt),
  );
  jobs.on('watch-build', ({ build }, attempt) => watchBuild(services, build, attempt));
  jobs.on('watch-release', ({ publication }, attempt) =>
    watchRelease(services, publication, attempt),
  );
  jobs.on('mail-reviewers', (data, attempt) => mailReviewers(services, data, attempt));
}
