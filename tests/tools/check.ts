import { spawn } from 'node:child_process';

/**
 * Every check of the code, for `npm run check`. ESLint takes as long as all the others together, so
 * these run beside it; what each says is printed in one piece when it has ended.
 */

const LANES = [['lint'], ['typecheck', 'layers', 'shape', 'dead-code', 'formatting', 'size']];

/** Resolves with whether the npm script `name` passed. */
function check(name: string): Promise<boolean> {
  const began = performance.now();
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise((done) => {
    child.once('close', (code) => {
      const seconds = Math.round((performance.now() - began) / 1_000);
      const outcome = code === 0 ? 'passed' : 'failed';
      process.stdout.write(`${output}\n── ${name}: ${outcome}, ${seconds} s\n`);
      done(code === 0);
    });
  });
}

const passed = await Promise.all(
  LANES.map(async (names) => {
    const outcomes: boolean[] = [];
    for (const name of names) outcomes.push(await check(name));
    return outcomes.every(Boolean);
  }),
);
process.exitCode = passed.every(Boolean) ? 0 : 1;
