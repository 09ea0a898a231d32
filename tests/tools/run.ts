import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../webpack.config.ts';
import { findBrowser } from '../support/browser.ts';
import { copyTemplate, TEMPLATE_DATABASE, TEMPLATES } from '../support/templates.ts';
import type { Template } from '../support/templates.ts';
import { notShown } from './coverage.ts';
import { NOTES_FILE, readNotes } from './notes.ts';
import type { Note } from './notes.ts';
import { showingTests } from './requirement-titles.ts';

/**
 * Every test, in Node and in a real browser: `npm test`, or `npm test -- FILE` for one file. Ends
 * with the summed line and a non-zero code when one failed or none ran.
 */

interface Outcome {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

type Counts = Omit<Outcome, 'suite' | 'seconds'>;

interface Suite {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Reads the runner's closing lines. */
  readonly count: (output: string) => Counts;
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

function ofKarma(output: string): Counts {
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

/** Resolves when all that began so far has ended: what runs beside each other is told in turn. */
let told: Promise<unknown> = Promise.resolve();

function run({ name, command, env, count }: Suite): Promise<Outcome> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const began = performance.now();
  let output = '';
  let isTold = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (isTold) process.stdout.write(chunk);
  });
  const turn = told.then(() => {
    isTold = true;
    process.stdout.write(`\n── ${name}\n${output}`);
  });
  const ended = new Promise<Outcome>((done) => {
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - began) / 1_000);
      const outcome = { suite: name, ...count(output), seconds };
      // A runner that broke before it could count has failed all the same.
      const broke = code !== 0 && outcome.failed === 0;
      done(broke ? { ...outcome, failed: 1 } : outcome);
    });
  });
  told = Promise.all([turn, ended]);
  return ended;
}

/**
 * Beside each other, as long one as the other: those that start servers, the rest. What is killed
 * again and again is in `npm run test:long`.
 */
const IN_NODE = [
  [
    'tests/server/*.test.ts',
    'tests/engine/**/*.test.ts',
    'tests/server/{domain/builds,db/jobs,publishing}/**/!(kills).test.ts',
  ],
  [
    'tests/{base,files,house,protocol,rules,schema,session,data,text}/**/!(*.browser).test.ts',
    'tests/server/!(domain|db|publishing)/**/*.test.ts',
    'tests/server/domain/!(builds)/**/*.test.ts',
    'tests/server/db/*.test.ts',
    'tests/server/db/!(jobs)/**/*.test.ts',
    'tests/simulation/*.test.ts',
  ],
] as const;

/** On the PostgreSQL of `database`, or on the embedded database. */
const mocha = (files: readonly string[], database: NodeJS.ProcessEnv, part = ''): Suite => ({
  name: `Node (mocha${part})`,
  command: ['npx', 'mocha', '--reporter', './tests/tools/mocha-reporter.ts', ...files],
  env: database,
  count: ofMocha,
});

/** So many take less than a minute on two cores; 10,000 are in `npm run test:long`. */
const SEEDS = 120;

/** The first seed follows from the commit: each commit tries others, and one commit always the same. */
function firstSeed(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    return 1 + (Number.parseInt(commit.slice(0, 8), 16) % 1_000_000);
  } catch {
    // What was not cloned but copied has no commit.
    return 1;
  }
}

const from = firstSeed();

/** Every seed counts as a test. */
const simulation: Suite = {
  name: `Simulation (${SEEDS} seeds from ${from})`,
  command: ['npm', 'run', '-s', 'simulate', '--', '--seeds', String(SEEDS), '--from', String(from)],
  count: (output) => {
    const failed = last(output, /seeds, (\d+) failed/g);
    return { passed: last(output, /(\d+) seeds, /g) - failed, failed, skipped: 0 };
  },
};

/** All of them unless some are named. */
async function runInBrowser(version: string, files: readonly string[] = []): Promise<Outcome> {
  const { spawnServer } = await import('../support/server.ts');
  const server = await spawnServer({});
  try {
    return await run({
      name: `Browser (karma, ${version})`,
      command: ['npx', 'karma', 'start'],
      env: { SLIPWAY_TEST_URL: server.url, SLIPWAY_TEST_FILES: files.join() },
      count: ofKarma,
    });
  } finally {
    await server.stop();
  }
}

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

/** Whether each test that `docs/coverage.md` names ran and passed; it counts in each row it is in. */
function covered(notes: readonly Note[]): Outcome {
  const named = showingTests();
  const missing = notShown(named, notes);
  for (const { requirement, file, titles } of missing)
    process.stdout.write(`Not shown, R${requirement}: ${file}: ${titles.join(' ')}\n`);
  const [failed, total] = [missing.length, named.length];
  return {
    suite: 'Coverage (docs/coverage.md)',
    passed: total - failed,
    failed,
    skipped: 0,
    seconds: 0,
  };
}

/** What was started for all suites, the first to be closed last. */
const closing: (() => Promise<unknown>)[] = [];

/**
 * Starts a PostgreSQL for the suites in Node and for those in browsers that have their server in their
 * own process, unless `DATABASE_URL` names one, and makes the database that theirs are copies of;
 * resolves with their settings. Where none runs they take the embedded database, as servers that
 * tests start as processes and the simulation do everywhere (decisions 43 and 69).
 */
async function openDatabases(): Promise<NodeJS.ProcessEnv> {
  const { startPostgres } = await import('../support/postgres.ts');
  const { makeTemplateDatabase } = await import('../support/database.ts');
  let url = process.env.DATABASE_URL ?? '';
  try {
    if (url === '') {
      const started = await startPostgres(join(folder, 'postgres'));
      closing.push(started.stop);
      url = started.url;
    }
  } catch (error) {
    process.stdout.write(`No PostgreSQL runs here (${String(error)}): the database is embedded\n`);
    return {};
  }
  const template = await makeTemplateDatabase(url);
  closing.push(template.remove);
  return { DATABASE_URL: url, [TEMPLATE_DATABASE]: template.name };
}

/** Makes once what suites begin with: a migrated database, a demo, and the one that simulations open. */
async function makeTemplates(): Promise<void> {
  const { makeSimulatedTemplate } = await import('../simulation/place.ts');
  const { openAt } = await import('../support/database.ts');
  const { spawnServer } = await import('../support/server.ts');
  const templates = join(folder, 'templates');
  const migrated: Template = 'migrated';
  const demo: Template = 'demo';
  const opened = openAt({ databaseUrl: null, dataDir: join(templates, migrated) });
  const started = spawnServer({ DATA_DIR: join(templates, demo) });
  mkdirSync(templates, { recursive: true });
  const simulated = makeSimulatedTemplate(templates);
  await (await opened).close();
  await (await started).stop();
  await simulated;
  process.env[TEMPLATES] = templates;
}

/**
 * Makes the same for suites in browsers, with a demo in which nothing goes on by itself any more;
 * resolves with the folder.
 */
async function makeTemplatesAtRest(): Promise<string> {
  const { spawnServer } = await import('../support/server.ts');
  const { untilDemoRests } = await import('../end-to-end/demo-at-rest.ts');
  const templates = join(folder, 'templates-at-rest');
  const migrated: Template = 'migrated';
  const demo: Template = 'demo';
  copyTemplate(migrated, join(templates, migrated));
  const server = await spawnServer({ DATA_DIR: join(templates, demo) });
  try {
    await untilDemoRests(server.url);
  } finally {
    await server.stop();
  }
  return templates;
}

async function everything(): Promise<Outcome[]> {
  const { version } = await findBrowser();
  await build({ ifStale: true });
  const [database] = await Promise.all([openDatabases(), makeTemplates()]);
  const [first, second] = IN_NODE.map((files, n) =>
    mocha(files, database, `, part ${String(n + 1)} of ${String(IN_NODE.length)}`),
  ) as [Suite, Suite];
  // The first part waits for servers that it started, so what follows it has the time of one core.
  const withBrowser = async () => [await run(first), await runInBrowser(version)];
  const [atRest, ...lanes] = await Promise.all([makeTemplatesAtRest(), withBrowser(), run(second)]);
  const outcomes = lanes.flat();
  outcomes.push(await run(simulation));
  const env = { ...database, [TEMPLATES]: atRest };
  outcomes.push(await run({ ...playwright([], version), env }));
  outcomes.push(covered(readNotes(notesFile)));
  return outcomes;
}

async function some(files: readonly string[]): Promise<Outcome[]> {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There is no file ${missing.join(', ')}`);
  const { version } = await findBrowser();
  const specs = files.filter((file) => file.endsWith('.spec.ts'));
  const inBrowser = files.filter((file) => /\.browser\.test\.tsx?$/.test(file));
  const inNode = files.filter((file) => !specs.includes(file) && !inBrowser.includes(file));
  if (specs.length + inBrowser.length > 0) await build({ ifStale: true });
  const database = inNode.length + specs.length > 0 ? await openDatabases() : {};
  return [
    ...(inNode.length > 0 ? [await run(mocha(inNode, database))] : []),
    ...(inBrowser.length > 0 ? [await runInBrowser(version, inBrowser)] : []),
    ...(specs.length > 0 ? [await run({ ...playwright(specs, version), env: database })] : []),
  ];
}

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
/** What the databases, packages and browsers of a whole run take at most, with room to spare. */
const ROOM_BYTES = 8 * 2 ** 30;

/** Where test data goes: into memory where there is room, for no database of a test outlives it. */
function placeOfTestData(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}

const folder = mkdtempSync(join(placeOfTestData(), 'slipway-tests-'));
process.env.TMPDIR = folder;
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const notesFile = join(folder, 'notes');
process.env[NOTES_FILE] = notesFile;
const files = process.argv.slice(2);
const outcomes = files.length > 0 ? await some(files) : await everything();
for (const close of closing.reverse()) await close();
const sum = (key: 'passed' | 'failed' | 'skipped') =>
  outcomes.reduce((total, outcome) => total + outcome[key], 0);

// Named once more at the end, which is what is kept of a long run.
for (const { file, titles, failure } of readNotes(notesFile))
  if (failure !== null)
    process.stdout.write(`\nFailed: ${file ?? 'no file'}: ${titles.join(' ')}\n${failure}\n`);

process.stdout.write('\n');
for (const { suite, passed, failed, skipped, seconds } of outcomes) {
  const rest = skipped > 0 ? `, ${skipped} skipped` : '';
  process.stdout.write(`${suite}: ${passed} passed, ${failed} failed${rest}, ${seconds} s\n`);
}
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
const isGood = sum('failed') === 0 && sum('skipped') === 0 && sum('passed') > 0;
process.exitCode = isGood ? 0 : 1;
