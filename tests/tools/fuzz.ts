import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { accounts } from '#server/demo/accounts.ts';
import { openForms } from '../server/fuzz/live-forms.ts';
import { malformed } from '../server/fuzz/malformed.ts';
import { RawClient } from '../server/http/hub/raw-client.ts';
import { send } from '../server/fuzz/sending.ts';
import {
  addressAttacks,
  callAttacks,
  fieldAttacks,
  FILLS,
  formAttacks,
  operationAttacks,
  TEXT_FIELDS,
} from '../server/fuzz/texts.ts';
import type { Attack, LiveForm } from '../server/fuzz/texts.ts';
import { spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { PlainBrowser, signInByForm } from '../support/sign-in.ts';

/**
 * `npm run fuzz [-- RUNS]`: three runs, unless stated, of every text field, form, header and address
 * with texts as long as a body holds, against a server process with demo data, while another process
 * asks `GET /api/health/live` all the time. Prints the longest waits of each run, in ms, and the
 * median of the runs.
 *
 * `npm run fuzz -- --hub [RUNS]`: the same beside 20,000 hub messages of one byte.
 *
 * `npm run fuzz -- --malformed [COUNT]`: 5,200 malformed requests, unless stated, of each of three
 * seeds. Prints bugs (500), and the server's memory before and after each seed.
 */

const BODY_BYTES = 1_000_000;
const TARGET_MS = 100;
/** What a busy machine makes everybody wait by itself is told too. */
const QUIET_MS = 20_000;
const SEEDS = [1, 2, 3];
const say = (line: string) => process.stdout.write(`${line}\n`);

// the other visitor, a process of its own -----------------------------------------------------------

const ASK_EVERY_MS = 5;

/** Asks all the time; at a message it answers with the longest wait since the last one. */
function watch(server: string): void {
  let longest = 0;
  let asked = performance.now();
  const ask = (): void => {
    asked = performance.now();
    get(`${server}/api/health/live`, (answer) => {
      answer.resume();
      answer.on('end', () => {
        longest = Math.max(longest, performance.now() - asked);
        asked = Infinity;
        setTimeout(ask, ASK_EVERY_MS);
      });
    });
  };
  process.on('message', () => {
    // A request that still waits has waited that long already.
    process.send?.(Math.max(longest, performance.now() - asked));
    longest = 0;
  });
  ask();
}

const longestWait = (visitor: ChildProcess): Promise<number> =>
  new Promise((done) => {
    visitor.once('message', (ms) => {
      done(Number(ms));
    });
    visitor.send('how long?');
  });

// the attacker --------------------------------------------------------------------------------------

/** Then a link is mailed in place of the password; at most so many of them an hour (wire 15.2). */
const WRONG_PASSWORDS = 100;
const MAILS_TO_ONE = 3;

/** Sends one after the other, each from another address; signs in anew when the token has ended. */
class Attacker {
  private readonly server: SpawnedServer;
  private token = '';
  private sent = 0;
  private readonly read = new Set<string>();

  constructor(server: SpawnedServer) {
    this.server = server;
  }

  async signIn(): Promise<void> {
    const { url } = this.server;
    this.token = (await signInByForm(url, 'super@slipway.test', 'slipway-demo')).access_token;
  }

  async send(attack: Attack): Promise<number | null> {
    this.sent += 1;
    const from = `127.0.${3 + (Math.floor(this.sent / 250) % 250)}.${(this.sent % 250) + 1}`;
    const { status } = await send(this.server.url, this.token, attack, from);
    const isOver = status === 401 && attack.isSignedIn && !attack.path.startsWith('/oidc');
    if (!isOver && status !== 429) return status;
    if (isOver) await this.signIn();
    else await new Promise((done) => setTimeout(done, 5_000));
    return (await send(this.server.url, this.token, attack, from)).status;
  }

  /**
   * Every form of the sign-in, with links from mails. The one that signs in is mailed in place of a
   * password that was asked too often, so it is another account's than the attacker's own.
   */
  async liveForms(run: number): Promise<readonly LiveForm[]> {
    const { url } = this.server;
    const { auth } = (await (await fetch(`${url}${paths.config}`)).json()) as PublicConfig;
    const browser = new PlainBrowser(url);
    // Each of these is mailed a few times an hour to one address.
    const victims = [accounts.member, accounts.author, accounts.builder, accounts.admin];
    const victim = victims[Math.floor(run / MAILS_TO_ONE) % victims.length] ?? accounts.member;
    await browser.send('/oidc/forgot', { email: victim.email });
    const reset = await this.mailed('/oidc/reset');
    const [email, password] = [`run-${run}@fuzz.test`, 'correct horse'];
    await browser.send('/oidc/sign-up', { email, name: 'Ana Hill', password });
    const verify = await this.mailed('/oidc/verify');
    const links = { reset, verify, signIn: await this.linkToSignIn(auth, victim) };
    return openForms(url, auth, links, { email, password });
  }

  private async linkToSignIn(auth: PublicConfig['auth'], { email }: { readonly email: string }) {
    const nowhere = { reset: '/oidc/reset', verify: '/oidc/verify', signIn: '/oidc/sign-in' };
    const [form] = await openForms(this.server.url, auth, nowhere);
    if (form === undefined) throw new Error('There is no form to sign in');
    const values = { ...form.values, email };
    const attack: Attack = {
      name: 'a wrong password',
      method: 'POST',
      path: form.path,
      headers: { ...form.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(values).toString(),
      isSignedIn: false,
    };
    for (let n = 0; n <= WRONG_PASSWORDS; n += 1) {
      const from = `127.2.${Math.floor(n / 5)}.1`;
      if ((await send(this.server.url, '', attack, from)).status === 429) break;
    }
    return this.mailed('/oidc/sign-in');
  }

  /** The newest link to `path` in a mail that was not read yet. */
  private async mailed(path: string): Promise<string> {
    const folder = join(this.server.dataDir, 'mail');
    for (let tries = 0; tries < 100; tries += 1) {
      const names = readdirSync(folder).sort().reverse();
      for (const name of names.filter((each) => each.endsWith('.eml') && !this.read.has(each))) {
        const text = readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '');
        const [link] = new RegExp(`${path}\\?token=(3D)?[\\w-]+`).exec(text) ?? [];
        if (link === undefined) continue;
        this.read.add(name);
        return link.replace('=3D', '=');
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`No mail leads to ${path}`);
  }

  /** 20,000 hub messages of one byte after 900 kB without an end; resolves when the hub has closed. */
  async floodHub(): Promise<void> {
    const socket = await new RawClient(this.server.url, this.token).greeted();
    socket.send('x'.repeat(900_000));
    for (let n = 0; n < 20_000; n += 1) socket.send('x');
    await socket.rest();
  }

  /** A record of every type that can be listed, so that updates get as far as they can. */
  async ids(): Promise<ReadonlyMap<TypeName, string>> {
    const found = new Map<TypeName, string>();
    for (const type of typeNames) {
      const answer = await fetch(`${this.server.url}/api/${wireTypeOf(type)}?page[limit]=1`, {
        headers: { Authorization: `Bearer ${this.token}` },
      });
      if (answer.status !== 200) continue;
      const { data } = (await answer.json()) as { data: readonly { readonly id: string }[] };
      const [first] = data;
      if (first !== undefined) found.set(type, first.id);
    }
    return found;
  }
}

function* attacksOn(
  ids: ReadonlyMap<TypeName, string>,
  forms: readonly LiveForm[],
): Generator<Attack> {
  // The forms come first: a link to sign in works for a quarter of an hour.
  for (const fill of FILLS) yield* formAttacks(forms, fill, BODY_BYTES);
  for (const fill of FILLS) {
    for (const field of TEXT_FIELDS) {
      yield* fieldAttacks(field, fill, BODY_BYTES, ids.get(field.type));
      yield* operationAttacks(field, fill, 2 * BODY_BYTES, ids.get(field.type));
    }
    yield* addressAttacks(fill);
    yield* callAttacks(fill, BODY_BYTES);
  }
}

const visitorOf = ({ url }: SpawnedServer): ChildProcess =>
  fork(fileURLToPath(import.meta.url), ['--watch', url], { execArgv: ['--import', 'tsx'] });

const medianOf = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

async function hubMessages(
  server: SpawnedServer,
  attacker: Attacker,
  runs: number,
): Promise<boolean> {
  const visitor = visitorOf(server);
  const longest: number[] = [];
  await longestWait(visitor);
  await new Promise((done) => setTimeout(done, QUIET_MS));
  const quiet = await longestWait(visitor);
  say(`Longest wait of ${QUIET_MS / 1_000} s without any attack: ${quiet.toFixed(0)} ms`);
  for (let run = 1; run <= runs; run += 1) {
    await attacker.floodHub();
    longest.push(await longestWait(visitor));
  }
  visitor.kill();
  const each = longest.map((ms) => ms.toFixed(0)).join(', ');
  say(
    `Longest waits beside 20,000 hub messages of one byte: ${each} ms (at most ${TARGET_MS} wanted)`,
  );
  return medianOf(longest) <= TARGET_MS;
}

async function texts(server: SpawnedServer, attacker: Attacker, runs: number): Promise<boolean> {
  const visitor = visitorOf(server);
  const ids = await attacker.ids();
  const longest: number[] = [];
  let bugs = 0;
  await longestWait(visitor);
  await new Promise((done) => setTimeout(done, QUIET_MS));
  const quiet = await longestWait(visitor);
  say(`Longest wait of ${QUIET_MS / 1_000} s without any attack: ${quiet.toFixed(0)} ms`);
  for (let run = 1; run <= runs; run += 1) {
    const waits: { readonly name: string; readonly ms: number }[] = [];
    const forms = await attacker.liveForms(run);
    const start = performance.now();
    await longestWait(visitor);
    for (const attack of attacksOn(ids, forms)) {
      const status = await attacker.send(attack);
      if (status !== null && status >= 500) {
        bugs += 1;
        say(`${String(status)}: ${attack.name}`);
      }
      waits.push({ name: attack.name, ms: await longestWait(visitor) });
    }
    const worst = waits.sort((a, b) => b.ms - a.ms).slice(0, 5);
    longest.push(worst[0]?.ms ?? 0);
    const seconds = Math.round((performance.now() - start) / 1_000);
    say(
      `Run ${run}: ${waits.length} requests in ${seconds} s; the longest waits of another visitor:`,
    );
    for (const { name, ms } of worst) say(`  ${ms.toFixed(0).padStart(5)} ms  ${name}`);
  }
  visitor.kill();
  const median = medianOf(longest);
  say(
    `Median of ${runs} runs: ${median.toFixed(0)} ms (at most ${TARGET_MS} wanted); bugs: ${bugs}`,
  );
  return median <= TARGET_MS && bugs === 0;
}

function memoryMiB({ process: { pid } }: SpawnedServer): number {
  const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString();
  return Math.round(Number(kib) / 1_024);
}

async function oddRequests(server: SpawnedServer, attacker: Attacker, count: number) {
  let bugs = 0;
  for (const seed of SEEDS) {
    const before = memoryMiB(server);
    for (const attack of malformed(seed, count)) {
      const status = await attacker.send(attack);
      if (status === null || status < 500) continue;
      bugs += 1;
      say(`${String(status)}: ${attack.name} ← ${String(attack.body).slice(0, 300)}`);
    }
    const isAlive = server.process.exitCode === null;
    if (!isAlive) throw new Error(`The server ended: ${server.output().slice(-2_000)}`);
    say(`Seed ${seed}: ${count} requests; memory ${before} → ${memoryMiB(server)} MiB`);
  }
  say(`Bugs: ${bugs}; crashes: 0`);
  return bugs === 0;
}

async function main(mode: string | undefined, count: string | undefined): Promise<boolean> {
  const server = await spawnServer({});
  try {
    const attacker = new Attacker(server);
    await attacker.signIn();
    if (mode === '--hub') return await hubMessages(server, attacker, Number(count ?? 3));
    return mode === '--malformed'
      ? await oddRequests(server, attacker, Number(count ?? 5_200))
      : await texts(server, attacker, Number(mode ?? 3));
  } finally {
    await server.stop();
  }
}

const [mode, argument = ''] = process.argv.slice(2);
if (mode === '--watch') watch(argument);
else process.exit((await main(mode, argument === '' ? undefined : argument)) ? 0 : 1);
