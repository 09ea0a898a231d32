import { takeOnBuilds } from './builds/duties/index.ts';
import { prune } from './database/prune.ts';
import { playOn } from './demo/play-on.ts';
import { workOffImport } from './imports/work-off.ts';
import { forgetNotifications } from './notifications/forget.ts';
import { mailNotifications } from './notifications/mail.ts';
import type { Parts } from './parts.ts';

const DAY_MS = 86_400_000;

/** Who does what is done later; a new job is a line here and one in `jobs/job-data.ts`. */
export function takeOnDuties(parts: Parts): void {
  const { jobs, db, clock, log, mail } = parts;
  jobs.every('prune', DAY_MS, async () => {
    const notifications = await forgetNotifications(parts);
    log.info({ ...(await prune(db, clock())), notifications }, 'Pruned');
  });
  jobs.on('send-letter', ({ letter }) => mail.send(letter));
  jobs.on('mail-notifications', ({ user }, attempt) => mailNotifications(parts, user, attempt));
  jobs.on('work-off-import', (asked, attempt) => workOffImport(parts, asked, attempt));
  jobs.on('play-demo', (place, attempt) => playOn(parts, place, attempt));
  takeOnBuilds(parts);
}
