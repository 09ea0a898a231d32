import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import webpack from 'webpack';
import { readConfig } from '#server/kernel/config.ts';
import { secretKeyOf } from '#server/kernel/secret-key.ts';
import { configuration } from '../../webpack.config.ts';

/**
 * Server and client with reload, under the same security policy as in production: the app is built
 * into `dist/` at every change, from where the server serves it; the server restarts at its own.
 */
let isFirst = true;

/** The key that is set, else one that is kept in the data folder, with or without demo. */
function ownKey(): string {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { dataDir, ...config } = readConfig(process.env);
  mkdirSync(dataDir, { recursive: true });
  return Buffer.from(secretKeyOf({ ...config, dataDir, demo: true })).toString('base64url');
}

webpack(configuration('development')).watch({}, (error, stats) => {
  process.stdout.write(`${error?.message ?? stats?.toString('errors-warnings') ?? ''}\n`);
  if (!isFirst) return;
  isFirst = false;
  const server = spawn(
    process.execPath,
    ['--watch-path=src', '--watch-preserve-output', '--import', 'tsx', 'src/server.ts'],
    { stdio: 'inherit', env: { ...process.env, SECRET_KEY: ownKey() } },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      server.kill(signal);
      server.once('exit', () => process.exit());
    });
  }
});
