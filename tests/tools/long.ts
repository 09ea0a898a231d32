import { spawn } from 'node:child_process';

/**
 * `npm run test:long`: what takes too long for every change, for some hours on two cores. Each
 * part is run though one before it failed; the exit code is 0 only if none did. What needs
 * PostgreSQL is run where `DATABASE_URL` is set, and is named where it is not.
 */

interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly needsPostgres?: boolean;
  /** Settings beyond those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

const npm = (script: string, ...args: string[]): readonly string[] => [
  'npm',
  'run',
  '--silent',
  script,
  ...(args.length > 0 ? ['--', ...args] : []),
];

const mocha = (...files: readonly string[]): readonly string[] => [
  'npx',
  'mocha',
  '--reporter',
  './tests/tools/mocha-reporter.ts',
  ...files,
];

/** The suites in Node, on another version of it and on the embedded database (decision 43). */
const suitesOn = (version: number): Part => ({
  name: `The suites in Node ${version}`,
  command: [
    'npx',
    '--yes',
    `node@${version}`,
    'node_modules/mocha/bin/mocha.js',
    '--reporter',
    './tests/tools/mocha-reporter.ts',
    'tests/{base,engine,files,house,protocol,rules,schema,server,session,data,text}/**/!(*.browser).test.ts',
  ],
  env: { DATABASE_URL: '' },
});

const PARTS: readonly Part[] = [
  { name: '10,000 seeds', command: npm('simulate', '--seeds', '10000') },
  {
    name: '2,000 histories with restores',
    command: npm('simulate', '--restores', '--seeds', '2000'),
  },
  { name: 'Every fault without its handling', command: npm('faults') },
  {
    name: 'Publications and jobs whose server is killed',
    command: mocha('tests/server/{publishing,db/jobs}/kills.test.ts'),
  },
  {
    name: 'The simulation, the same way twice for each of 20 seeds',
    command: mocha('tests/simulation/simulation.test.ts'),
    env: { TWICE: '20' },
  },
  { name: '10,000 changes over HTTP', command: npm('over-http') },
  { name: 'Texts and requests of strangers', command: npm('fuzz') },
  { name: 'Three processes, killed in turn', command: npm('three-processes'), needsPostgres: true },
  { name: '20 dumps put back', command: npm('restores'), needsPostgres: true },
  {
    name: 'Every address for everybody, in every width, language and state',
    command: [
      'npx',
      'playwright',
      'test',
      '--config',
      'tests/end-to-end/playwright.config.ts',
      '--global-timeout=0',
      'every-account-page',
      'every-role',
      'every-route',
      'every-state',
    ],
    env: { EVERY_ROUTE: 'whole' },
  },
  suitesOn(22),
  suitesOn(24),
];

const hasPostgres = (process.env.DATABASE_URL ?? '') !== '';

function run({ command: [program = '', ...args], env }: Part): Promise<number | null> {
  return new Promise((done) => {
    spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).on('close', done);
  });
}

const lines: string[] = [];
for (const part of PARTS) {
  if (part.needsPostgres === true && !hasPostgres) {
    lines.push(`not run, for DATABASE_URL is not set: ${part.name}`);
    continue;
  }
  process.stdout.write(`\n── ${part.name}\n`);
  const began = performance.now();
  const code = await run(part);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  lines.push(`${code === 0 ? 'passed' : 'FAILED'}: ${part.name}, ${minutes} min`);
  if (code !== 0) process.exitCode = 1;
}
process.stdout.write(`\n${lines.join('\n')}\n`);
