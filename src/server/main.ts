import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import { BadStart } from './kernel/bad-start.ts';
import { openBuildEngines } from './domain/builds/open-engines.ts';
import type { Bus } from './kernel/bus/bus.ts';
import { openBus } from './db/bus/open-bus.ts';
import { forwardConsoleTo } from './kernel/capture-console.ts';
import type { Config } from './kernel/config.ts';
import { closeToOthers, removeUnneeded } from './kernel/data-folder.ts';
import { openDatabase } from './db/open-database.ts';
import { secretsOf } from './db/secrets.ts';
import { lockDemo, unlockDemo } from './demo/locks.ts';
import { playDemo } from './demo/play.ts';
import { registerJobs } from './register-jobs.ts';
import { feedRecorder } from './feed/feed-recorder.ts';
import { buildApp } from './http/app.ts';
import { openJobs } from './db/jobs/open-jobs.ts';
import { openLimits } from './db/limits/limits.ts';
import type { LimitOptions } from './db/limits/limits.ts';
import { openLog, openLogFile } from './kernel/log.ts';
import { openMailer } from './kernel/mail/mailer.ts';
import type { Services } from './domain/services.ts';
import { secretKeyOf } from './kernel/secret-key.ts';
import { systemTimers } from './kernel/timers.ts';
import type { Timers } from '#base/timers.ts';

export interface ServerEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  /** The folder with the built app. */
  readonly appDir: string;
  /** How often things may be done, instead of what the table of limits says. */
  readonly limits?: LimitOptions['most'];
}

export interface Opened {
  readonly services: Services;
  readonly close: () => Promise<void>;
}

export interface RunningServer {
  readonly url: string;
  readonly services: Services;
  /** Finishes what is in flight and closes everything; every call returns the same promise. */
  stop(): Promise<void>;
}

/**
 * Requests that are still in flight after this time are cut, so that a stop takes less than 10 s.
 */
const FINISH_WITHIN_MS = 7_000;

/**
 * Opens everything and listens. @throws BadStart when something that people can mend is wrong;
 * nothing stays open then
 */
export async function start(
  config: Config,
  environment: ServerEnvironment,
): Promise<RunningServer> {
  if (!existsSync(join(environment.appDir, 'index.html')))
    throw new BadStart(`The built app is missing in ${environment.appDir}; run npm run build.`);
  await checkPort(config);

  const { services, close } = await open(config, environment);
  try {
    await prepareDemo(services);
    warnOfProxy(services);
    const running = await listen(services, close, environment.appDir);
    await services.engines.bundled.open();
    await services.jobs.start();
    return running;
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Makes demo data and accounts where they are wanted; elsewhere nobody signs in with a published
 * password.
 */
async function prepareDemo(services: Services): Promise<void> {
  if (services.config.demo) {
    await playDemo(services);
    await unlockDemo(services);
    return;
  }
  const accounts = await lockDemo(services);
  if (accounts.length > 0)
    services.log.warn(
      { accounts },
      `${accounts.length} demo accounts were locked, because everybody knows their password; a start with DEMO=1 unlocks them`,
    );
}

/**
 * Warns that all visitors would share the limits of one address, because TLS ends before the
 * server.
 */
function warnOfProxy({ config, log }: Services): void {
  if (config.publicUrl.startsWith('https:') && config.trustedProxies.length === 0)
    log.warn(
      'PUBLIC_URL is https and TRUSTED_PROXIES is not set: all visitors count as one address; name the proxy there',
    );
}

/** Opens log, database, mail and jobs, which a server needs and a command like `seed` needs too. */
export async function open(
  config: Config,
  { clock, random, limits: most = {} }: ServerEnvironment,
): Promise<Opened> {
  prepareFolder(config.dataDir);
  removeUnneeded(config.dataDir);
  closeToOthers(config.dataDir);
  const secrets = secretsOf(secretKeyOf(config));
  const file = openLogFile(join(config.dataDir, 'log', `server-${config.port}.log`));
  const log = openLog(file);
  forwardConsoleTo(log);
  const mail = openMailer(config, clock, random);
  try {
    let isOpen = false;
    const bus = openBus(config.databaseUrl, (error) => {
      // Until the database is open, the error of opening it says what is wrong, once.
      const level = isOpen ? 'warn' : 'info';
      log[level]({ err: error }, 'The connection to the other servers was cut; trying again');
    });
    const shared = { ...databaseEvents(log), bus, clock, random, secrets, recorder: feedRecorder };
    const db = await orClose(bus, openDatabase({ ...config, ...shared }));
    isOpen = true;
    const jobs = openJobs({ db, clock, random, log });
    const failed = (error: unknown) => {
      log.warn({ err: error }, 'Counts of requests were not shared; trying again');
    };
    const limits = openLimits({ db, clock, timers: systemTimers, failed }, { most });
    const engines = await openBuildEngines({ config, db, clock, random, log }, systemTimers);
    return {
      services: { config, db, bus, clock, random, log, mail, jobs, limits, engines },
      close: async () => {
        await bus.close();
        await db.close();
        mail.close();
        file.close();
      },
    };
  } catch (error) {
    log.info({ err: error }, 'The start failed');
    file.close();
    throw error;
  }
}

async function orClose<T>(bus: Bus, database: Promise<T>): Promise<T> {
  try {
    return await database;
  } catch (error) {
    await bus.close();
    throw error;
  }
}

const databaseEvents = (log: Logger) => ({
  broken: (error: Error) => {
    log.warn({ err: error }, 'A connection to the database broke; another is made when needed');
  },
  lost: (error: Error) => {
    log.fatal({ err: error }, 'The embedded database died');
    // Nothing can be done without it: this ends the process, and the next start recovers.
    setImmediate(() => {
      throw error;
    });
  },
});

/**
 * Serves with these services and closes them when it stops; if this throws, the caller closes them.
 */
export async function listen(
  services: Services,
  close: () => Promise<void>,
  appDir: string,
  timers?: Timers,
): Promise<RunningServer> {
  const { host, port, publicUrl } = services.config;
  registerJobs(services);
  let stopping: Promise<void> | null = null;
  const isStopping = () => stopping !== null;
  const app = await buildApp(services, {
    appDir,
    isStopping,
    ...(timers === undefined ? {} : { timers }),
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw badAddress(error, services.config);
  }
  services.log.info({ host, port, database: services.db.kind }, 'Ready');

  const finish = async () => {
    const cut = setTimeout(() => {
      app.server.closeAllConnections();
    }, FINISH_WITHIN_MS);
    await Promise.all([app.close(), services.jobs.stop()]);
    await services.engines.bundled.close();
    clearTimeout(cut);
    services.log.info('Stopped');
    await close();
  };
  return { url: publicUrl, services, stop: () => (stopping ??= finish()) };
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const code = codeOf(error);
    throw code === 'EEXIST' || code === 'ENOTDIR'
      ? new BadStart(`DATA_DIR (${folder}) is a file or lies in one; name a folder.`)
      : new BadStart(`DATA_DIR (${folder}) cannot be written (${code}); name a folder that can.`);
  }
}

/**
 * Makes the folder without mkdir's own recursion, which never ends where a parent cannot be made
 * (/proc).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Checks that the address is free, before anything slow is done. */
async function checkPort(config: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((done, fail) => {
      probe.once('error', fail);
      probe.listen(config.port, config.host, done);
    });
  } catch (error) {
    throw badAddress(error, config);
  }
  await new Promise((done) => probe.close(done));
}

function badAddress(error: unknown, { host, port }: Config): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new BadStart(
        `PORT ${port} is in use; stop what listens there, perhaps another Slipway, or set another PORT.`,
      );
    case 'EACCES':
      return new BadStart(`PORT ${port} is not allowed to this user; set a PORT above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new BadStart(`HOST ${host} is no address of this machine; set 127.0.0.1 or 0.0.0.0.`);
    default:
      return error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
