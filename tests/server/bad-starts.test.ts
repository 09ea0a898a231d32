import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import type { Env } from '#server/kernel/config.ts';
import { freePort } from '../support/free-port.ts';
import { freshFolder, spawnCommand } from '../support/server.ts';
import { copyTemplate } from '../support/templates.ts';

interface BadStart {
  readonly name: string;
  /** Settings, given a fresh folder; what else must be so is made here. */
  readonly env: (folder: string) => Env | Promise<Env>;
  readonly args?: readonly string[];
  /** The one line says what is wrong, and what to do. */
  readonly says: RegExp;
}

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the server in a folder with a built app and waits until it ends. */
async function startIn(folder: string, env: Env, args: readonly string[] = []): Promise<Outcome> {
  const port = env.PORT ?? String(await freePort());
  const child = spawnCommand(
    { DATA_DIR: join(folder, 'var'), DEMO: '0', ...env, PORT: port },
    args,
    folder,
  );
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, out, err };
}

const occupied: Server[] = [];

async function occupiedPort(answer?: (chunk: Buffer) => Buffer): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => answer !== undefined && socket.end(answer(chunk)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  occupied.push(server);
  return (server.address() as AddressInfo).port;
}

/** The ErrorResponse of a PostgreSQL that lets nobody in. */
function refusal(code: string, text: string): Buffer {
  const fields = `SFATAL\0C${code}\0M${text}\0\0`;
  const message = Buffer.alloc(5 + fields.length);
  message.write('E', 0);
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}

async function refusingPostgres(code: string, text: string): Promise<Env> {
  const port = await occupiedPort(() => refusal(code, text));
  return { DATABASE_URL: `postgres://slipway:wrong@127.0.0.1:${port}/slipway` };
}

const starts: readonly BadStart[] = [
  {
    name: 'a port that is no number',
    env: () => ({ PORT: 'http' }),
    says: /^PORT must be a whole number from 1 to 65535/,
  },
  {
    name: 'a port beyond the last',
    env: () => ({ PORT: '70000' }),
    says: /^PORT must be a whole number/,
  },
  {
    name: 'a key for secrets that is no key',
    env: () => ({ SECRET_KEY: 'correct horse battery staple' }),
    says: /^SECRET_KEY must be 32 random bytes in base64url or hex; node -e .* makes one\.$/m,
  },
  {
    name: 'a key for secrets that is missing where there is no demo',
    env: () => ({ SECRET_KEY: '' }),
    says: /^SECRET_KEY is missing; node -e .* makes one/,
  },
  {
    name: 'keys to be rotated without a new one',
    env: () => ({ SECRET_KEY: '' }),
    args: ['rotate-keys'],
    says: /^SECRET_KEY is missing; node -e .* makes one/,
  },
  {
    name: 'a port in use',
    env: async () => ({ PORT: String(await occupiedPort()) }),
    says: /^PORT \d+ is in use; .*set another PORT/,
  },
  {
    name: 'a host of another machine',
    env: () => ({ HOST: '192.0.2.1' }),
    says: /^HOST 192\.0\.2\.1 is no address of this machine; set/,
  },
  {
    name: 'an address without a scheme',
    env: () => ({ PUBLIC_URL: 'slipway.test' }),
    says: /^PUBLIC_URL must be an address that starts with http/,
  },
  {
    name: 'a proxy that is no address',
    env: () => ({ TRUSTED_PROXIES: 'true' }),
    says: /^TRUSTED_PROXIES must be addresses or networks, such as/,
  },
  {
    name: 'a database that is no PostgreSQL',
    env: () => ({ DATABASE_URL: 'mysql://localhost/x' }),
    says: /^DATABASE_URL must be an address that starts with postgres:\/\//,
  },
  {
    name: 'a PostgreSQL that is not there',
    env: async () => ({ DATABASE_URL: `postgres://slipway@127.0.0.1:${await freePort()}/slipway` }),
    says: /^DATABASE_URL .*(start|correct)/,
  },
  {
    name: 'a wrong password of the database',
    env: () => refusingPostgres('28P01', 'password authentication failed for user "slipway"'),
    says: /^DATABASE_URL .*password authentication failed.*correct/,
  },
  {
    name: 'a database that does not exist',
    env: () => refusingPostgres('3D000', 'database "slipway" does not exist'),
    says: /^DATABASE_URL .*database "slipway" does not exist.*correct/,
  },
  {
    name: 'a data folder that is a file',
    env: (folder) => {
      writeFileSync(join(folder, 'file'), '');
      return { DATA_DIR: join(folder, 'file') };
    },
    says: /^DATA_DIR \(.*file\) is a file or lies in one; name a folder/,
  },
  {
    name: 'a data folder that cannot be written',
    env: () => ({ DATA_DIR: '/proc/slipway' }),
    says: /^DATA_DIR \(\/proc\/slipway\) cannot be written .*; name a folder/,
  },
  {
    name: 'an app that is not built',
    env: (folder) => {
      rmSync(join(folder, 'dist'), { recursive: true });
      return {};
    },
    says: /^The built app is missing .*; run npm run build/,
  },
  {
    name: 'Redis, which is not built',
    env: () => ({ REDIS_URL: 'redis://localhost' }),
    says: /^REDIS_URL is not supported by this version .*; remove it/,
  },
  {
    name: 'a store for files, which is not built',
    env: () => ({ S3_BUCKET: 'files' }),
    says: /^S3_BUCKET is not supported by this version .*; remove it/,
  },
  {
    name: 'a build engine without its token',
    env: () => ({ BUILD_ENGINE_URL: 'https://engine.test' }),
    says: /^BUILD_ENGINE_TOKEN is missing; BUILD_ENGINE_URL needs it/,
  },
  {
    name: 'a token without a build engine',
    env: () => ({ BUILD_ENGINE_TOKEN: 'secret' }),
    says: /^BUILD_ENGINE_TOKEN needs BUILD_ENGINE_URL too; set it or remove this/,
  },
  {
    name: 'a build engine at a private address that is not named',
    env: () => ({ BUILD_ENGINE_URL: 'http://10.0.0.7:8443', BUILD_ENGINE_TOKEN: 'secret' }),
    says: /^BUILD_ENGINE_URL has a private address; name its host in BUILD_ENGINE_HOSTS/,
  },
  {
    name: 'a host of build engines with a port',
    env: () => ({ BUILD_ENGINE_HOSTS: 'engine.internal:8443' }),
    says: /^BUILD_ENGINE_HOSTS must be hosts without scheme and port/,
  },
  {
    name: 'an issuer without its audience',
    env: () => ({ OIDC_ISSUER: 'https://issuer.test', OIDC_CLIENT_ID: 'slipway' }),
    says: /^OIDC_AUDIENCE is missing; OIDC_ISSUER needs it/,
  },
  {
    name: 'a client id without an issuer',
    env: () => ({ OIDC_CLIENT_ID: 'slipway' }),
    says: /^OIDC_CLIENT_ID needs OIDC_ISSUER too; set it or remove this/,
  },
  {
    name: 'a mail server without a sender',
    env: () => ({ SMTP_URL: 'smtp://localhost' }),
    says: /^MAIL_FROM is missing; set/,
  },
  {
    name: 'a sender who is nobody',
    env: () => ({ MAIL_FROM: 'Slipway' }),
    says: /^MAIL_FROM must be an address, such as/,
  },
  { name: 'a demo of neither 0 nor 1', env: () => ({ DEMO: 'yes' }), says: /^DEMO must be 0 or 1/ },
  {
    name: 'a first super admin without an address',
    env: () => ({ ADMIN_EMAIL: 'ana' }),
    says: /^ADMIN_EMAIL must be an email address/,
  },
  {
    name: 'a command that there is not',
    args: ['rest'],
    env: () => ({}),
    says: /^There is no command rest; there are reset, rotate-keys, reset-second-factor and seed/,
  },
  {
    name: 'a seed of no number',
    args: ['seed', '--projects', 'many'],
    env: () => ({}),
    says: /^--projects must be a whole number/,
  },
  {
    name: 'demo accounts to be seeded where the demo is off',
    args: ['seed'],
    env: () => ({}),
    says: /^The demo is off .*, and seed makes its accounts, whose password is published; set DEMO=1/,
  },
  {
    name: 'demo accounts to be seeded where others reach the server',
    args: ['seed', '--projects', '1'],
    env: () => ({ DEMO: '', PUBLIC_URL: 'https://slipway.example' }),
    says: /^The demo is off .*, and seed makes its accounts, whose password is published; set DEMO=1/,
  },
  {
    name: 'a Node that is too old',
    env: (folder) => {
      const pretend = join(folder, 'pretend.cjs');
      writeFileSync(
        pretend,
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } });`,
      );
      return { NODE_OPTIONS: `--require ${pretend}` };
    },
    says: /^Node 18\.20\.0 is too old; install Node 20 or newer/,
  },
];

describe('a start that cannot succeed', function () {
  this.timeout(60_000);
  let folder = '';

  beforeEach(() => {
    folder = freshFolder();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html>');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    for (const server of occupied.splice(0)) server.close();
  });

  const expectOneLine = ({ code, out, err }: Outcome, says: RegExp) => {
    expect(err).to.match(says);
    expect(err.trimEnd().split('\n'), err).to.have.lengthOf(1);
    expect(err).not.to.match(/\n\s+at /);
    expect(out).to.equal('');
    expect(code).to.equal(1);
  };

  for (const { name, env, args, says } of starts) {
    it(`says in one line what to do about ${name}`, async () => {
      expectOneLine(await startIn(folder, await env(folder), args), says);
    });
  }

  it('names each of several wrong settings in a line of its own', async () => {
    const { code, err } = await startIn(folder, { DEMO: 'yes', ADMIN_EMAIL: 'ana' });

    expect(err.trimEnd().split('\n')).to.have.lengthOf(2);
    expect(err).to.include('DEMO must').and.include('ADMIN_EMAIL must');
    expect(code).to.equal(1);
  });

  it('says in one line what to do about a data folder that another server uses, and leaves it alone', async () => {
    copyTemplate('migrated', join(folder, 'var'));
    const first = spawnCommand(
      { DATA_DIR: join(folder, 'var'), DEMO: '0', PORT: String(await freePort()) },
      [],
      folder,
    );
    await new Promise<void>((done) =>
      first.stdout?.once('data', () => {
        done();
      }),
    );

    expectOneLine(
      await startIn(folder, {}),
      /^DATA_DIR is in use by another Slipway .*; stop it, or set another/,
    );
    expectOneLine(
      await startIn(folder, {}, ['reset']),
      /^DATA_DIR is in use by another Slipway .*; stop it/,
    );
    expectOneLine(
      await startIn(folder, { DEMO: '1' }, ['seed']),
      /^DATA_DIR is in use by another Slipway .*; stop it/,
    );

    first.kill('SIGTERM');
    expect(await new Promise((done) => first.once('exit', done))).to.equal(0);
    const { code, out } = await startIn(folder, {}, ['reset']);
    expect(code).to.equal(0);
    expect(out).to.match(/is empty now/);
  });

  it('says in one line that a database was written by a newer version', async () => {
    copyTemplate('migrated', join(folder, 'var'));
    const opened = spawnCommand(
      { DATA_DIR: join(folder, 'var'), DEMO: '0', PORT: String(await freePort()) },
      [],
      folder,
    );
    await new Promise<void>((done) =>
      opened.stdout?.once('data', () => {
        done();
      }),
    );
    const client = new pg.Client({
      host: join(folder, 'var', 'run'),
      user: 'postgres',
      database: 'postgres',
    });
    await client.connect();
    await client.query(
      `insert into migrations (name, at) values ('999-of-tomorrow', '2030-01-01')`,
    );
    await client.end();
    opened.kill('SIGTERM');
    await new Promise((done) => opened.once('exit', done));

    expectOneLine(
      await startIn(folder, {}),
      /written by a newer version \(999-of-tomorrow\); start that version/,
    );
  });

  it('says in one line that a damaged database cannot be opened', async () => {
    mkdirSync(join(folder, 'var', 'database'), { recursive: true });
    writeFileSync(join(folder, 'var', 'database', 'PG_VERSION'), 'none');
    chmodSync(join(folder, 'var', 'database', 'PG_VERSION'), 0o600);

    expectOneLine(
      await startIn(folder, {}),
      /cannot be opened .*; restore it from a backup, or set another DATA_DIR/,
    );
  });
});
