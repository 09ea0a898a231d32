import { randomFillSync } from 'node:crypto';
import pino from 'pino';
import type { WriteTransaction } from '#server/db/database.ts';
import type { JobAttempt } from '#server/db/jobs/jobs.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { openAt } from './database.ts';
import { aCause, newId } from './make.ts';

/**
 * A process that puts or does jobs and stands still at a moment that it says, to be killed there.
 * With `going on` it never does: it makes a user for each job until it is killed.
 */
export type Moment =
  'asked for, not committed' | 'asked for' | 'begun' | 'written' | 'written and done' | 'going on';

const [, , dataDir = '', databaseUrl = '', moment = ''] = process.argv;
const { db } = await openAt({ dataDir, databaseUrl: databaseUrl === '' ? null : databaseUrl });
const jobs = openJobs({
  db,
  clock: Date.now,
  random: (bytes) => randomFillSync(bytes),
  log: pino({ level: 'silent' }),
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const standStill = (id: string) => {
  say(id);
  return new Promise<never>(() => undefined);
};
const make = (w: WriteTransaction, id: string) => w.insert('user', { id, name: 'Made by a job' });

async function work(id: string, attempt: JobAttempt): Promise<void> {
  if (moment === 'begun') await standStill(id);
  await db.write(aCause(), async (w) => {
    await make(w, id);
    if (moment !== 'written') await attempt.complete(w);
  });
  if (moment === 'going on') say(id);
  else await standStill(id);
}

if (moment.startsWith('asked for')) {
  const id = newId();
  await db.write(aCause(), async (w) => {
    await jobs.enqueue(w, { name: 'test-note', data: { note: id } });
    if (moment !== 'asked for') await standStill(id);
  });
  await standStill(id);
} else {
  jobs.on('test-note', ({ note }, attempt) => work(note, attempt));
  await jobs.start();
}
// Nothing else may keep it from ending by itself.
setInterval(() => undefined, 60_000);
