import { editThroughARestore, GROWTHS } from '../support/restores.ts';

/**
 * `npm run restores [-- COUNT]`: so many times (20), devices edit while the PostgreSQL database at
 * `DATABASE_URL` is dumped by `pg_dump`, put back by `pg_restore` and grows on, by no commits, fewer
 * than were lost, as many, and more, in turn. Prints what happened; the exit code is not 0 unless
 * every device has what the database has at the end and each change that waited was applied once or
 * is shown.
 */
const [count = '20'] = process.argv.slice(2);
const postgres = process.env.DATABASE_URL ?? '';
if (postgres === '')
  throw new Error('Set DATABASE_URL: the embedded database is no matter of pg_dump.');
let failed = 0;
for (let n = 1; n <= Number(count); n += 1) {
  const growth = GROWTHS[n % GROWTHS.length] ?? 'more';
  const { wrong, ...figures } = await editThroughARestore(postgres, growth);
  if (wrong.length > 0) failed += 1;
  process.stdout.write(`${JSON.stringify({ n, ...figures })}\n`);
  for (const sentence of wrong) process.stdout.write(`  ${sentence}\n`);
}
process.stdout.write(`${count} restores, ${String(failed)} failed\n`);
process.exit(failed === 0 ? 0 : 1);
