import { editThroughKills } from '../support/three-processes.ts';

/**
 * `npm run three-processes [-- KILLS [SECONDS]]`: devices over each transport edit at three processes
 * on the PostgreSQL at `DATABASE_URL`, of which one is killed each 20 s, 9 times. Prints what
 * happened; the exit code is not 0 unless each change was applied once and every device has what the
 * server has.
 */
const [kills = '9', seconds = '20'] = process.argv.slice(2);
const postgres = process.env.DATABASE_URL ?? '';
if (postgres === '')
  throw new Error('Set DATABASE_URL: one database is shared by three processes.');
const figures = await editThroughKills(postgres, Number(kills), Number(seconds) * 1_000);
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
const { missing, twice, differing, attention } = figures;
const isRight = [missing, twice, differing].every((ids) => ids.length === 0) && attention === 0;
process.exit(isRight ? 0 : 1);
