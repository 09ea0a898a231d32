import { existsSync } from 'node:fs';
import { captureConsole } from '#server/kernel/capture-console.ts';

/** Starts the server, or does one of its commands: `reset`, `rotate-keys`, `reset-second-factor`, `seed`. Wiring only. */

const OLDEST_NODE = 20;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function stopWith(lines: readonly string[]): never {
  lines.forEach(say);
  process.exit(1);
}

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_NODE)
  stopWith([`Node ${process.versions.node} is too old; install Node ${OLDEST_NODE} or newer.`]);
if (existsSync('.env')) process.loadEnvFile('.env');

// Mail, logs, keys and builds are for no other user of the computer; also in threads and children.
process.umask(0o077);

captureConsole();
// Only now: what is imported here does not even load in an older Node.
const { run } = await import('#server/commands/command.ts');
await run(process.argv.slice(2), process.env, stopWith);
