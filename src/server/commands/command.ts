import { randomFillSync } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BadStart } from '../kernel/bad-start.ts';
import { readConfig } from '../kernel/config.ts';
import type { Config, Env } from '../kernel/config.ts';
import type { RunningServer, ServerEnvironment } from '../main.ts';
import { reset } from './reset.ts';

const STOP_WITHIN_MS = 9_500;
const MOST_SEEDED = 100_000;

const environment: ServerEnvironment = {
  clock: Date.now,
  random: (bytes) => randomFillSync(bytes),
  appDir: resolve('dist'),
};

/** Runs the command of the command line. Errors are printed as lines, never as a stack. */
export async function run(
  args: readonly string[],
  env: Env,
  stopWith: (lines: readonly string[]) => never,
): Promise<void> {
  try {
    await command(args, env);
  } catch (error) {
    if (error instanceof BadStart) stopWith(error.lines);
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    stopWith([`Slipway cannot start (${reason}); the log in DATA_DIR/log says more.`]);
  }
}

async function command([name, ...rest]: readonly string[], env: Env): Promise<void> {
  const config = readConfig(env);
  switch (name) {
    case undefined: {
      // Wrong settings are reported before the half second that loading all of the server takes.
      const { start } = await import('../main.ts');
      untilStopped(await start(config, environment));
      return;
    }
    case 'reset':
      process.stdout.write(`${reset(config)}\n`);
      return;
    case 'rotate-keys': {
      const { rotateKeys } = await import('./rotate-keys.ts');
      process.stdout.write(`${await rotateKeys(config, environment)}\n`);
      return;
    }
    case 'reset-second-factor': {
      const [email] = rest;
      if (email === undefined) throw new BadStart('Name the address: reset-second-factor EMAIL.');
      const { open } = await import('../main.ts');
      const { resetSecondFactorOf } = await import('./reset-second-factor.ts');
      const { services, close } = await open(config, environment);
      try {
        process.stdout.write(`${await resetSecondFactorOf(services, email)}\n`);
      } finally {
        await close();
      }
      return;
    }
    case 'seed':
      await seed(rest, config);
      return;
    default:
      throw new BadStart(
        `There is no command ${name}; there are reset, rotate-keys, reset-second-factor and seed.`,
      );
  }
}

/** Prints the ready line, and ends the process in order when it gets a signal. */
function untilStopped(running: RunningServer): void {
  const end = (signal: NodeJS.Signals) => {
    running.services.log.info({ signal }, 'Stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void running.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('uncaughtException', (error) => {
    running.services.log.fatal({ err: error }, 'A bug ended the server');
    process.exit(1);
  });
  process.stdout.write(`Slipway is ready at ${running.url}\n`);
}

async function seed(args: readonly string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { projects: { type: 'string' } } });
  const count = Number(values.projects ?? '60');
  if (!Number.isInteger(count) || count < 1 || count > MOST_SEEDED)
    throw new BadStart(`--projects must be a whole number from 1 to ${MOST_SEEDED}.`);
  if (!config.demo)
    throw new BadStart(
      'The demo is off here, and seed makes its accounts, whose password is published; ' +
        'set DEMO=1 to make them all the same.',
    );

  const { open } = await import('../main.ts');
  const { seedProjects } = await import('../demo/seed.ts');
  const { services, close } = await open(config, environment);
  try {
    const made = await seedProjects(services, count);
    process.stdout.write(`${made} projects were made.\n`);
  } finally {
    await close();
  }
}
