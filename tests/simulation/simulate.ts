import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runSeeds } from './crew.ts';
import { FAULTS } from './kinds.ts';
import { plant } from './planted.ts';
import type { Outcome } from './run.ts';

/**
 * `npm run simulate -- --seeds N`, or `--seed S` for one again, with `--trace` for every event of it.
 * `--planted NAME` puts a bug into the product first, which then must be found. `--soak` is a day
 * of three people with five tabs each; `--restores` short histories in which the database is put
 * back again and again; `--changes N` many changes, with answers cut at random.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    planted: { type: 'string' },
    trace: { type: 'boolean', default: false },
    changes: { type: 'string' },
    soak: { type: 'boolean', default: false },
    restores: { type: 'boolean', default: false },
  },
});

/** So many seeds that each fault has to be among what happened. */
const MANY = 500;
/** After so many it says how far it is. */
const OFTEN = 500;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const from = Number(values.seed ?? values.from);
const isLong = values.soak || values.changes !== undefined;
const seedsGiven = values.seeds ?? (isLong ? '1' : '100');
const count = values.seed === undefined ? Number(seedsGiven) : 1;
const seeds = Array.from({ length: count }, (_, i) => from + i);
const bug = values.planted ?? null;
const outcomes: Outcome[] = [];
const began = performance.now();

await runSeeds(seeds, {
  workers: Number(values.workers),
  env: bug === null ? process.env : plant(bug),
  isTraced: values.trace,
  history: values.soak ? 'day' : values.restores ? 'restores' : 'usual',
  ...(values.changes === undefined ? {} : { changes: Number(values.changes) }),
  heard: (outcome) => {
    outcomes.push(outcome);
    if (values.trace) for (const line of outcome.lines ?? []) say(line);
    if (outcome.wrong.length > 0) tellFailure(outcome);
    if (outcomes.length % OFTEN === 0 && outcomes.length < count) tellProgress();
    return bug === null || outcome.wrong.length === 0;
  },
});

tellHistogram();
say('');
tellProgress();
const isOfAll = bug === null && !values.restores;
const rare = outcomes.length < MANY || !isOfAll ? [] : rareFaults();
if (rare.length > 0) say(`In less than 1 % of seeds: ${rare.join(', ')}`);
// A planted bug must be found; without one there must be nothing to find.
const isGood = bug === null ? failures() === 0 && rare.length === 0 : failures() > 0;
process.exitCode = isGood ? 0 : 1;

function failures(): number {
  return outcomes.filter(({ wrong }) => wrong.length > 0).length;
}

function tellProgress(): void {
  const seconds = (performance.now() - began) / 1_000;
  const rate = (outcomes.length / seconds).toFixed(2);
  say(`${outcomes.length} seeds, ${failures()} failed, ${rate} seeds a second`);
}

function tellFailure({ seed, wrong, digest }: Outcome): void {
  say(`seed ${seed} (${digest}) failed:`);
  for (const what of wrong.slice(0, 8)) say(`  ${what}`);
  if (wrong.length > 8) say(`  and ${wrong.length - 8} more`);
  say(`  again: npm run simulate -- --seed ${seed} --trace`);
}

function rareFaults(): string[] {
  return FAULTS.filter(
    (fault) => outcomes.filter(({ faults }) => fault in faults).length < outcomes.length / 100,
  );
}

function tellHistogram(): void {
  for (const what of ['faults', 'verdicts', 'states', 'acts'] as const) {
    say('');
    say(`${what} (in how many of ${outcomes.length} seeds, how often)`);
    const names = new Set(outcomes.flatMap((outcome) => Object.keys(outcome[what])));
    for (const name of [...names].sort()) {
      const within = outcomes.filter((outcome) => name in outcome[what]);
      const often = within.reduce((sum, outcome) => sum + (outcome[what][name] ?? 0), 0);
      say(`  ${name.padEnd(28)} ${String(within.length).padStart(6)} ${String(often).padStart(8)}`);
    }
  }
}
