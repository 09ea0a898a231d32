import { spawn } from 'node:child_process';
import webpack from 'webpack';
import { configuration } from '../../webpack.config.ts';

/**
 * Server and client with reload, under the same security policy as in production: the app is built
 * into `dist/` at every change, from where the server serves it; the server restarts at its own.
 */
let isFirst = true;

webpack(configuration('development')).watch({}, (error, stats) => {
  process.stdout.write(`${error?.message ?? stats?.toString('errors-warnings') ?? ''}\n`);
  if (!isFirst) return;
  isFirst = false;
  const server = spawn(
    process.execPath,
    ['--watch-path=src', '--watch-preserve-output', '--import', 'tsx', 'src/server.ts'],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      server.kill(signal);
      server.once('exit', () => process.exit());
    });
  }
});
