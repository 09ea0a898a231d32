import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withoutHandling } from './fault-markers.ts';
import type { Handling } from './fault-table.ts';
import { loadInstead } from './replace-lines.ts';

/** One test that ran. */
export interface Tested {
  readonly title: string;
  /** How it failed, in a line; null: it did not. */
  readonly failure: string | null;
}

/** A test that waits for what does not come any more ends by this. */
const TEST_WITHIN_MS = 20_000;
const RUN_WITHIN_MS = 400_000;
/** What a copy of the tree does without: too much, or made anew. */
const LEFT_OUT = ['node_modules', '.git', 'dist', 'var', 'test-results'].map((name) =>
  resolve(name),
);

const isOfBrowser = (test: string): boolean => test.includes('.browser.test.');

/** What the tests of a fault say of the tree as it stands. @throws Error when they can't be run */
export function testedAsItIs(handling: Handling, folder: string): Promise<Tested[]> {
  if (isOfBrowser(handling.test)) return karma(handling, copyOfTree(folder));
  return mocha(handling, folder, process.env);
}

/** What they say without its handling, in one process or in a copy of the tree. */
export function testedWithout(handling: Handling, folder: string): Promise<Tested[]> {
  const { fault, test, file, instead } = handling;
  const source = withoutHandling(file, readFileSync(file, 'utf8'), fault, instead);
  if (!isOfBrowser(test)) return mocha(handling, folder, loadInstead(file, source, process.env));
  const copy = copyOfTree(folder);
  writeFileSync(join(copy, file), source);
  return karma(handling, copy);
}

function copyOfTree(folder: string): string {
  const copy = mkdtempSync(join(folder, 'tree-'));
  cpSync(resolve('.'), copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Gives what it wrote. */
function run(command: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, cwd, detached: true });
  let output = '';
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_WITHIN_MS);
  return new Promise((done) => {
    child.on('close', () => {
      clearTimeout(timer);
      done(output);
    });
  });
}

/** What a runner reported. @throws Error with the end of its output when it broke before. */
function reportIn(path: string, output: string): unknown {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  throw new Error(`the tests could not be run: ${lineOf(output.trim().slice(-300))}`);
}

const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);

const nameOf = (fault: number): string => `[fault ${String(fault)}]`;

interface MochaTest {
  readonly title: string;
  readonly fullTitle: string;
  readonly err: { readonly message?: string; readonly stack?: string };
}

async function mocha(
  { fault, test }: Handling,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Tested[]> {
  const path = join(mkdtempSync(join(folder, 'report-')), 'report.json');
  const options = ['--reporter', 'json', '--reporter-option', `output=${path}`, '--exit', '--bail'];
  const wanted = ['--timeout', String(TEST_WITHIN_MS), '--fgrep', nameOf(fault), test];
  const output = await run(['npx', 'mocha', ...options, ...wanted], env, resolve('.'));
  const report = reportIn(path, output) as Record<'passes' | 'failures', readonly MochaTest[]>;
  const hook = report.failures.find(({ title }) => title.startsWith('"'));
  if (hook !== undefined) throw new Error(`${hook.fullTitle}: ${lineOf(hook.err.message ?? '')}`);
  return [
    ...report.passes.map(({ fullTitle }) => ({ title: fullTitle, failure: null })),
    ...report.failures.map(({ fullTitle, err }) => ({
      title: fullTitle,
      failure: lineOf((err.stack ?? err.message ?? '').split(/\n\s+at /)[0] ?? ''),
    })),
  ];
}

/** In `copy`, which holds one test file only from now on. */
async function karma({ fault, test }: Handling, copy: string): Promise<Tested[]> {
  writeFileSync(join(copy, 'tests/index.ts'), `import '../${test}';\n`);
  // Mocha in the browser takes it for a regular expression.
  const wanted = `\\[fault ${String(fault)}\\]`;
  const env = { ...process.env, FORCE_COLOR: '0', SLIPWAY_TEST_GREP: wanted };
  const output = await run(['npx', 'karma', 'start'], env, copy);
  const executed = Number([...output.matchAll(/Executed (\d+) of \d+/g)].at(-1)?.[1] ?? 0);
  if (executed === 0) throw new Error(`the tests could not be run: ${lineOf(output.slice(-300))}`);
  const failed = [...output.matchAll(/^\S.*\) (.+) FAILED\n(.*)$/gm)].map(
    ([, title = '', failure = '']) => ({ title, failure: lineOf(failure) }),
  );
  const passed = Math.max(0, executed - failed.length);
  return [...failed, ...Array.from({ length: passed }, () => ({ title: test, failure: null }))];
}
