import { spawn } from 'node:child_process';
import { build } from '../../webpack.config.ts';
import { findBrowser } from '../support/browser.ts';

/**
 * Every test, in Node and in a real browser: `npm test`, or `npm test -- FILE` for one file. Ends
 * with the summed line and a non-zero code when one failed or none ran.
 */

interface Outcome {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Suite {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Reads the runner's closing lines. */
  readonly count: (output: string) => Omit<Outcome, 'suite'>;
}

/** The last number in `output` before what `pattern` ends with; 0 where there is none. */
function last(output: string, pattern: RegExp): number {
  const hits = [...output.matchAll(pattern)];
  return Number(hits.at(-1)?.[1] ?? 0);
}

const ofMocha = (output: string) => ({
  passed: last(output, /(\d+) passing/g),
  failed: last(output, /(\d+) failing/g),
  skipped: last(output, /(\d+) pending/g),
});

function ofKarma(output: string): Omit<Outcome, 'suite'> {
  const executed = last(output, /Executed (\d+) of \d+/g);
  const failed = last(output, /\((\d+) FAILED\)/g);
  const skipped = last(output, /skipped (\d+)/g);
  return { passed: executed - failed, failed, skipped };
}

const ofPlaywright = (output: string) => ({
  passed: last(output, /(\d+) passed/g),
  failed: last(output, /(\d+) failed/g),
  skipped: last(output, /(\d+) (?:skipped|did not run)/g),
});

function run({ name, command, env, count }: Suite): Promise<Outcome> {
  process.stdout.write(`\n── ${name}\n`);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  return new Promise((done) => {
    child.on('close', (code) => {
      const outcome = { suite: name, ...count(output) };
      // A runner that broke before it could count has failed all the same.
      const broke = code !== 0 && outcome.failed === 0;
      done(broke ? { ...outcome, failed: 1 } : outcome);
    });
  });
}

const IN_NODE =
  'tests/{base,files,house,protocol,rules,schema,server,session,data,text}/**/!(*.browser).test.ts';
const SIMULATED = 'tests/simulation/*.test.ts';

const mocha = (files: readonly string[]): Suite => ({
  name: 'Node (mocha)',
  command: ['npx', 'mocha', '--reporter', 'dot', ...files],
  count: ofMocha,
});

/** So many take three to four minutes on two cores; more by `npm run simulate`. */
const SEEDS = '500';

/** Every seed counts as a test. */
const simulation: Suite = {
  name: `Simulation (${SEEDS} seeds)`,
  command: ['npm', 'run', '--silent', 'simulate', '--', '--seeds', SEEDS],
  count: (output) => {
    const failed = last(output, /seeds, (\d+) failed/g);
    return { passed: last(output, /(\d+) seeds, /g) - failed, failed, skipped: 0 };
  },
};

const karma = (server: string, version: string): Suite => ({
  name: `Browser (karma, ${version})`,
  command: ['npx', 'karma', 'start'],
  env: { SLIPWAY_TEST_URL: server },
  count: ofKarma,
});

const playwright = (files: readonly string[], version: string): Suite => ({
  name: `End to end (Playwright, ${version})`,
  command: [
    'npx',
    'playwright',
    'test',
    '--config',
    'tests/end-to-end/playwright.config.ts',
    ...files,
  ],
  count: ofPlaywright,
});

async function everything(): Promise<Outcome[]> {
  const { version } = await findBrowser();
  await build({ ifStale: true });
  const outcomes = [await run(mocha([IN_NODE, SIMULATED])), await run(simulation)];
  const { spawnServer } = await import('../support/server.ts');
  const server = await spawnServer({});
  try {
    outcomes.push(await run(karma(server.url, version)));
  } finally {
    await server.stop();
  }
  outcomes.push(await run(playwright([], version)));
  return outcomes;
}

async function some(files: readonly string[]): Promise<Outcome[]> {
  const { version } = await findBrowser();
  const specs = files.filter((file) => file.endsWith('.spec.ts'));
  const tests = files.filter((file) => !file.endsWith('.spec.ts'));
  if (specs.length > 0) await build({ ifStale: true });
  return [
    ...(tests.length > 0 ? [await run(mocha(tests))] : []),
    ...(specs.length > 0 ? [await run(playwright(specs, version))] : []),
  ];
}

const files = process.argv.slice(2);
const outcomes = files.length > 0 ? await some(files) : await everything();
const sum = (key: 'passed' | 'failed' | 'skipped') =>
  outcomes.reduce((total, outcome) => total + outcome[key], 0);

process.stdout.write('\n');
for (const { suite, passed, failed, skipped } of outcomes) {
  const rest = skipped > 0 ? `, ${skipped} skipped` : '';
  process.stdout.write(`${suite}: ${passed} passed, ${failed} failed${rest}\n`);
}
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
const isGood = sum('failed') === 0 && sum('skipped') === 0 && sum('passed') > 0;
process.exitCode = isGood ? 0 : 1;
