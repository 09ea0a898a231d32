import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { build } from '../../webpack.config.ts';

/**
 * `npm run first-run [-- FOLDER]`: goes the guide's way from an empty PostgreSQL to a published app, and
 * puts a film and a picture of each step into the folder, `var/first-run` unless stated.
 */
const folder = resolve(process.argv[2] ?? 'var/first-run');
await build({ ifStale: true });
const { status } = spawnSync(
  'npx',
  [
    'playwright',
    'test',
    '--config',
    'tests/end-to-end/playwright.config.ts',
    'tests/end-to-end/first-run.spec.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, SLIPWAY_RECORD: folder } },
);
process.stdout.write(`The film and its pictures are in ${folder}\n`);
process.exit(status ?? 1);
