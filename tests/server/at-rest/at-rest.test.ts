import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import type { ProblemError } from '#protocol/problem.ts';
import { BadStart } from '#server/kernel/bad-start.ts';
import { identityOf } from '#server/domain/builds/app-identity.ts';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { keysOf, rotateKeysOf } from '#server/domain/accounts/keys.ts';
import { readToken } from '#server/domain/accounts/token.ts';
import { secretKeyOf } from '#server/kernel/secret-key.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { anOrganization, aProduct, aProject } from '../../support/make.ts';
import {
  freePort,
  freshFolder,
  smallApp,
  spawnCommand,
  startServer,
} from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { TEST_KEY } from '../../support/test-key.ts';
import { tokenFor } from '../../support/tokens.ts';

const ENGINE_TOKEN = 'engine-token-that-nobody-may-read';

/** Returns every row of every table, as text: a backup of the database has this. */
async function everythingStored(tx: DatabaseTransaction): Promise<string> {
  const tables = await tx.query(
    sql<{ readonly name: string }>`select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await tx.query(
      sql<{ readonly text: string }>`select t::text as text from ${sql.raw(name)} t`,
    );
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

/**
 * Returns the entries of `folder` that other users of the computer reach, through folders that let
 * them.
 */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if ((statSync(path).mode & 0o077) === 0) return [];
    return [path, ...(entry.isDirectory() ? openToOthers(path) : [])];
  });
}

describe('secrets at rest', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('are not found in the tables by who reads all of them [F16]', async () => {
    const { parts: services, url } = server;
    const { db, clock, random } = services;
    const admin = await tokenFor(services, 'keeper@slipway.test');
    const headers = { Authorization: `Bearer ${admin}` };
    const me = await fetch(`${url}/api/users/current-user`, { headers });
    const { data } = (await me.json()) as { readonly data: { readonly id: string } };
    const { id: organization } = await anOrganization(db);
    await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
      const [role] = await write.all('role', { roleName: 'OrganizationAdmin' });
      const membership = { user: data.id, organization };
      await write.insert('organizationMembership', { id: crypto.randomUUID(), ...membership });
      const roleName = 'OrganizationAdmin';
      await write.insert('userRole', {
        ...{ id: crypto.randomUUID(), ...membership, roleName },
        role: role?.id ?? '',
      });
    });
    const patched = await fetch(`${url}/api/organizations/${organization}`, {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({
        data: {
          type: 'organizations',
          id: organization,
          attributes: { 'build-engine-api-access-token': ENGINE_TOKEN },
        },
      }),
    });
    expect(patched.status).to.equal(200);
    const project = (await aProject(db, { organization })).id;
    const product = (await aProduct(db, { project })).id;
    const app = await identityOf({ db, clock }, product, {});
    const keys = await keysOf(db, random);

    const stored = await db.read(everythingStored);

    expect(stored).to.include(organization);
    expect(app?.privateKey).to.include('BEGIN PRIVATE KEY');
    expect(stored).not.to.include('PRIVATE KEY');
    expect(stored).not.to.include(ENGINE_TOKEN);
    expect(stored).not.to.include(keys.cookies[0]);
    expect(stored).not.to.include(String(keys.signing[0].d));
  });

  it('lie in files that other users of the computer cannot open [F16]', async () => {
    const folder = freshFolder();
    renameSync(smallApp(folder), join(folder, 'dist'));
    const dataDir = join(folder, 'var');
    const port = String(await freePort());
    const child = spawnCommand({ DATA_DIR: dataDir, DEMO: '0', PORT: port }, [], folder);
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    child.kill('SIGTERM');
    await ended;

    expect(readdirSync(dataDir)).to.include('log');
    expect(openToOthers(dataDir)).to.deep.equal([]);
    rmSync(folder, { recursive: true });
  });
});

describe('the key of a demo', () => {
  const configOf = (env: Env) => readConfig({ DATA_DIR: folder, ...env });
  let folder: string;
  beforeEach(() => {
    folder = freshFolder();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is made once, in a file that is the server’s own [F16]', () => {
    const made = secretKeyOf(configOf({ DEMO: '1' }));
    expect(made).to.have.length(32);
    expect(secretKeyOf(configOf({ DEMO: '1' }))).to.deep.equal(made);
    expect(readdirSync(folder)).to.deep.equal(['secret-key']);
    expect(statSync(join(folder, 'secret-key')).mode & 0o777).to.equal(0o600);
  });

  it('is not taken where there is no demo, or where another is set [F16]', () => {
    const made = secretKeyOf(configOf({ DEMO: '1' }));
    expect(() => secretKeyOf(configOf({ DEMO: '0' }))).to.throw(BadStart, /SECRET_KEY is missing/);
    const set = secretKeyOf(configOf({ DEMO: '1', SECRET_KEY: TEST_KEY }));
    expect(Buffer.from(set).toString('hex')).to.equal(TEST_KEY);
    expect(set).not.to.deep.equal(made);
  });

  it('that was damaged stops the start with a line [F16]', () => {
    writeFileSync(join(folder, 'secret-key'), 'half');
    expect(() => secretKeyOf(configOf({ DEMO: '1' }))).to.throw(BadStart, /holds no key/);
  });

  it('is taken in hex, in base64url and in base64, and in no other form [F16]', () => {
    const bytes = Buffer.from('fb'.repeat(32), 'hex');
    for (const form of ['hex', 'base64url', 'base64'] as const)
      expect(configOf({ SECRET_KEY: bytes.toString(form) }).secretKey, form).to.deep.equal(bytes);
    for (const wrong of ['fb'.repeat(31), 'fb'.repeat(33), 'z'.repeat(64), '-'.repeat(42)])
      expect(() => configOf({ SECRET_KEY: wrong }), wrong).to.throw(BadStart, /SECRET_KEY must be/);
  });
});

describe('the keys of sign-in', () => {
  let own: TestDatabase;
  let now = Date.now();
  const clock = () => now;
  before(async () => {
    own = await freshDatabase();
  });
  after(() => own.close());

  it('are new after a rotation, and what the old ones signed is believed until its end [F16]', async () => {
    const { db, bus } = own;
    const started = await startServer();
    await started.stop();
    const before = { ...started.parts, db, bus, clock };
    const old = await tokenFor(before, 'rotated@slipway.test', { lastsSeconds: 3_600 });
    await db.transact((tx) => rotateKeysOf(tx, db.secrets, { clock, random: before.random }));

    const after = { ...before };
    const fresh = await tokenFor(after, 'rotated@slipway.test', { lastsSeconds: 3_600 });
    const keys = await keysOf(db, before.random);
    const kidOf = (token: string) => decodeProtectedHeader(token).kid;
    const says = (token: string) =>
      readToken(after, token).then(
        ({ email }) => email,
        (error: unknown) => (error as ProblemError).problem.meta?.reason,
      );

    expect(kidOf(fresh)).not.to.equal(kidOf(old));
    expect(keys.signing.map(({ kid }) => kid)).to.deep.equal([kidOf(fresh), kidOf(old)]);
    expect(keys.cookies).to.have.length(2);
    now += 15 * 60_000 - 1;
    expect([await says(old), await says(fresh)]).to.deep.equal(
      Array(2).fill('rotated@slipway.test'),
    );
    // A checked token is believed for five minutes.
    now += 5 * 60_000;
    expect(await says(old)).to.equal('refused');
    expect(await says(fresh)).to.equal('rotated@slipway.test');
  });
});
