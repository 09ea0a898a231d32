import { registerBuildJobs } from './domain/builds/jobs/register-build-jobs.ts';
import { notifyLostPackageNames } from './domain/builds/notify-lost-package-names.ts';
import { prune } from './db/prune.ts';
import { playOn } from './demo/play-on.ts';
import { FILE_WITHIN_MS } from './http/slow-bodies.ts';
import { runImport } from './domain/imports/run-import.ts';
import { pruneCounts } from './db/limits/exact-counts.ts';
import { forgetNotifications } from './domain/notifications/forget.ts';
import { mailNotifications } from './domain/notifications/mail.ts';
import { makeDataExport, removeDataExports } from './domain/personal-data/data-export.ts';
import type { Services } from './domain/services.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Registers the handler of every job; a new job is a line here and one in `jobs/job-data.ts`. */
export function registerJobs(services: Services): void {
  const { jobs, db, clock, log, mail, engines } = services;
  // Each is a job of its own, so that one that fails stops none of the others.
  jobs.every('prune', DAY_MS, async () => {
    log.info(await prune(db, clock()), 'Pruned');
  });
  jobs.every('prune-counts', DAY_MS, async () => {
    log.info({ counts: await pruneCounts(db, clock()) }, 'Pruned the counts of limits');
  });
  jobs.every('forget-notifications', DAY_MS, async () => {
    const notifications = await forgetNotifications(services);
    log.info({ notifications }, 'Removed old notifications');
  });
  jobs.every('tell-of-losses', DAY_MS, async () => {
    await notifyLostPackageNames(services);
  });
  jobs.every('remove-upload-parts', HOUR_MS, () =>
    // No upload takes longer.
    engines.bundled.repositories.removeParts(clock() - FILE_WITHIN_MS),
  );
  jobs.every('remove-data-exports', HOUR_MS, async () => {
    log.info({ exports: await removeDataExports(services) }, 'Removed old exports of data');
  });
  jobs.every('forget-mail', HOUR_MS, () => mail.forget());
  jobs.on('send-letter', ({ letter }) => mail.send(letter));
  jobs.on('mail-notifications', ({ user }, attempt) => mailNotifications(services, user, attempt));
  jobs.on('work-off-import', (data, attempt) => runImport(services, data, attempt));
  jobs.on('export-data', ({ user }, attempt) => makeDataExport(services, user, attempt));
  jobs.on('play-demo', (place, attempt) => playOn(services, place, attempt));
  registerBuildJobs(services);
}
