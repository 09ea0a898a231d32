import { sendThroughCuts } from '../support/over-http.ts';

/**
 * `npm run over-http [-- COUNT [SEED]]`: so many changes (10,000) over real HTTP through a proxy that
 * cuts answers at random bytes. Prints what happened; the exit code is not 0 unless each was applied
 * exactly once.
 */
const [count = '10000', seed = '1'] = process.argv.slice(2);
const figures = await sendThroughCuts(Number(count), Number(seed));
const { missing, twice, outOfOrder, differing, ...rest } = figures;
const wrong = { missing, twice, outOfOrder, differing };
process.stdout.write(`${JSON.stringify({ count: Number(count), seed: Number(seed), ...rest })}\n`);
for (const [what, ids] of Object.entries(wrong))
  process.stdout.write(`${what}: ${ids.length === 0 ? 'none' : ids.join(' ')}\n`);
const isWhole = Object.values(wrong).every((ids) => ids.length === 0);
process.exit(isWhole && figures.changes === Number(count) && figures.attention === 0 ? 0 : 1);
