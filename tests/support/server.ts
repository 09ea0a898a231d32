import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock, Random } from '#base/id.ts';
import pino from 'pino';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import { openBuildEngines } from '#server/domain/builds/open-engines.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import type { LimitOptions } from '#server/db/limits/limits.ts';
import { openMailer } from '#server/kernel/mail/mailer.ts';
import { listen, start } from '#server/main.ts';
import type { RunningServer, ServerEnvironment } from '#server/main.ts';
import type { Services } from '#server/domain/services.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import type { Timers } from '#base/timers.ts';
import { closeAtTheEnd } from './hooks.ts';
import { freshPlace, migratedPlace, testDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { emptyQueue } from './jobs.ts';
import { newId } from './make.ts';
import { copyTemplate } from './templates.ts';
import type { Template } from './templates.ts';
import { TEST_KEY } from './test-key.ts';

export { freePort };

/** Our own server for tests: in this process, or as a process of its own that can be killed. */

export interface TestServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly parts: Services;
  readonly dataDir: string;
  /** In order; the data folder goes too. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings beyond a free port and a fresh folder; `DEMO` is 0 unless stated. */
  readonly env?: Env;
  /** On a database of its own, as `npm start` opens it, not on the one of this run: takes seconds. */
  readonly isFresh?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Not with `isFresh`. */
  readonly timers?: Timers;
  /** How often things may be done, instead of what the table of limits says. Not with `isFresh`. */
  readonly limits?: LimitOptions['most'];
  /** Servers with the same name share their counts; unless stated, a server counts by itself. */
  readonly installation?: string;
  /** Unless stated, a folder with the least that can be served. */
  readonly appDir?: string;
}

export interface SpawnedServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** All it has said so far. */
  readonly output: () => string;
  /** SIGTERM; resolves with the exit code. Removes the data folder if it was made here. */
  stop(): Promise<number | null>;
  /** SIGKILL; the data folder stays. */
  kill(): Promise<void>;
}

export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'slipway-test-'));
}

/** In this process, so that a test can look into its parts and own its clock. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = freshFolder();
  const port = String(await freePort());
  const env = { DEMO: '0', SECRET_KEY: TEST_KEY, PORT: port, DATA_DIR: dataDir, ...options.env };
  const surroundings = {
    clock: options.clock ?? Date.now,
    random: options.random ?? ((bytes: Uint8Array) => randomFillSync(bytes)),
    appDir: options.appDir ?? smallApp(dataDir),
  };
  const running =
    options.isFresh === true
      ? await startFresh(env, surroundings)
      : await startShared(env, surroundings, options);
  return {
    url: running.url,
    parts: running.services,
    dataDir,
    stop: async () => {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startShared(
  env: Env,
  surroundings: ServerEnvironment,
  { timers = systemTimers, limits: most = {}, installation }: ServerOptions,
): Promise<RunningServer> {
  const { clock, random, appDir } = surroundings;
  const config = readConfig(env);
  const { db, bus } = await testDatabase();
  const log = pino({ level: 'silent' });
  const mail = openMailer(config, clock, random);
  await emptyQueue(db);
  const jobs = openJobs({ db, clock, random, log });
  const engines = await openBuildEngines({ config, db, clock, random, log }, timers);
  const failed = (error: unknown) => {
    throw error;
  };
  const limits = openLimits(
    { db, clock, timers: systemTimers, failed },
    { most, installation: installation ?? newId() },
  );
  const parts = { config, db, bus, clock, random, log, mail, jobs, limits, engines };
  return listen(parts, () => Promise.resolve(), appDir, timers);
}

const templateFor = (env: Env): Template => (env.DEMO === '0' ? 'migrated' : 'demo');

async function startFresh(env: Env, surroundings: ServerEnvironment): Promise<RunningServer> {
  const place = env.DEMO === '0' ? await migratedPlace() : await freshPlace();
  if (place.databaseUrl === null) copyTemplate(templateFor(env), env.DATA_DIR ?? '');
  const own = place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl };
  const running = await start(readConfig({ ...own, ...env }), surroundings);
  const stop = async () => {
    await running.stop();
    await place.remove();
  };
  return { ...running, stop };
}

/** Writes the least that a server can serve below `folder`. */
export function smallApp(folder: string): string {
  const app = join(folder, 'app');
  mkdirSync(join(app, 'static'), { recursive: true });
  mkdirSync(join(app, 'assets', 'language'), { recursive: true });
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Slipway</title>');
  writeFileSync(join(app, 'service-worker.js'), '');
  writeFileSync(join(app, 'static', 'first.client.abc.js'), 'const filler = 0;\n'.repeat(100));
  writeFileSync(join(app, 'assets', 'language', 'langtags.json'), '[]');
  return app;
}

/**
 * `src/server.ts` with `args`, in the environment of this process and `env`; its database is the
 * embedded one unless `env` names another, for that of this run is where tests make theirs.
 */
export function spawnCommand(
  env: Env,
  args: readonly string[] = [],
  cwd = resolve('.'),
): ChildProcess {
  const tsx = pathToFileURL(resolve('node_modules/tsx/dist/loader.mjs')).href;
  const child = spawn(process.execPath, ['--import', tsx, resolve('src/server.ts'), ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: '', DATABASE_URL: '', SECRET_KEY: TEST_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A test that fails half-way must not leave its servers behind. */
const children = new Set<ChildProcess>();
const endAll = () => {
  for (const child of children) child.kill('SIGKILL');
};
process.once('exit', endAll);
closeAtTheEnd(() => {
  endAll();
  return Promise.resolve();
});

/** As `npm start` starts it, with demo data unless `env` says otherwise; resolves at the ready line. */
export async function spawnServer(env: Env): Promise<SpawnedServer> {
  const dataDir = env.DATA_DIR ?? freshFolder();
  const port = Number(env.PORT ?? (await freePort()));
  if (env.SECRET_KEY === undefined && env.DATABASE_URL === undefined)
    copyTemplate(templateFor(env), dataDir);
  const child = spawnCommand({ ...env, DATA_DIR: dataDir, PORT: String(port) });
  let output = '';
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  await new Promise<void>((done, fail) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Slipway is ready at ')) done();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    void exited.then(() => {
      fail(new Error(`The server did not start: ${output}`));
    });
  });

  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exited;
      if (env.DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
