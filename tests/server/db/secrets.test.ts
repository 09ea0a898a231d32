import { randomBytes, randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import type pg from 'pg';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import { openEmbedded } from '#server/db/connections/embedded.ts';
import type { Server } from '#server/db/connections/embedded.ts';
import { openOn } from '#server/db/open-database.ts';
import { openPostgres } from '#server/db/connections/postgres.ts';
import type { Secrets } from '#server/db/secret-places.ts';
import { rotateSecrets, secretsOf } from '#server/db/secrets.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { begin, transaction } from '#server/db/connections/transaction-session.ts';
import { freshPlace } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { addAccount } from '#server/domain/accounts/accounts.ts';
import { anOrganization, newId } from '../../support/make.ts';

const TOKEN = 'wrapped:1: is what this engine token happens to begin with';
const clear = {
  keys: '"a cookie secret"',
  engine_signing_keys: '-----BEGIN PRIVATE KEY-----',
  second_factors: 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT',
};

const aKey = (): Secrets => secretsOf(randomBytes(32));
const fail = (error: Error) => {
  throw error;
};

describe('secrets in the database', () => {
  let place: Place;
  let server: Server;
  let organization: string;
  let account: string;

  const openWith = (secrets: Secrets) =>
    openOn(server, 'embedded', {
      bus: localBus(),
      clock: Date.now,
      random: (bytes) => randomFillSync(bytes),
      secrets,
      recorder: feedRecorder,
    });
  const within = <T>(work: Parameters<typeof transaction<T>>[2], pool = server.pool) =>
    transaction({ pool, transactionQueue: null }, begin.transact, work);

  /** The secrets are as a version from before there were keys left them. */
  const putInClear = () =>
    within(async (tx) => {
      await tx.query(sql`delete from secret_key`);
      await tx.query(sql`delete from organization_secrets`);
      await tx.query(sql`delete from engine_signing_keys`);
      await tx.query(sql`delete from second_factors`);
      await tx.query(sql`delete from keys`);
      await tx.query(sql`insert into keys values ('identity', ${clear.keys})`);
      await tx.query(sql`insert into engine_signing_keys
        values (${organization}, ${clear.engine_signing_keys}, 'open', now())`);
      await tx.query(sql`insert into organization_secrets values (${organization}, ${TOKEN})`);
      await tx.query(sql`insert into second_factors (account_id, secret, prepared_at)
        values (${account}, ${clear.second_factors}, now())`);
    });

  /** Returns what is stored, opened with `secrets`. */
  const opened = (secrets: Secrets) =>
    within(async (tx) => {
      const [row] = await tx.query(sql<{
        readonly keys: string;
        readonly signing: string;
        readonly token: string;
        readonly factor: string;
      }>`select keys.value as keys, private_key as signing, build_engine_api_access_token as token,
          second_factors.secret as factor
        from keys, engine_signing_keys, organization_secrets, second_factors
        where keys.name = 'identity'`);
      if (row === undefined) throw new Error('A secret is lost');
      return [
        secrets.open({ column: 'keys', row: 'identity' }, row.keys),
        secrets.open({ column: 'engine_signing_keys', row: organization }, row.signing),
        secrets.open({ column: 'organization_secrets', row: organization }, row.token),
        secrets.open({ column: 'second_factors', row: account }, row.factor),
      ];
    });
  const whole = [clear.keys, clear.engine_signing_keys, TOKEN, clear.second_factors];

  before(async () => {
    place = await freshPlace();
    server =
      place.databaseUrl === null
        ? await openEmbedded(place.dataDir, fail)
        : await openPostgres(place.databaseUrl, fail);
    const db = await openWith(aKey());
    organization = (await anOrganization(db)).id;
    account = await db.transact(async (tx) => {
      const someone = { email: 'ana@secrets.test', name: null, passwordHash: '', locale: null };
      const random = (bytes: Uint8Array) => randomFillSync(bytes);
      const added = await addAccount(tx, { ...someone, isVerified: true }, Date.now, random);
      return added ?? '';
    });
  });
  beforeEach(() => putInClear());
  after(async () => {
    await server.close();
    await place.remove();
  });

  it('that are in clear from before are wrapped at the first start, and the same at the next [F16]', async () => {
    const key = aKey();
    await openWith(key);
    expect(await opened(key)).to.deep.equal(whole);
    await openWith(key);
    expect(await opened(key)).to.deep.equal(whole);
  });

  it('stop the start when the key is another than the database’s, and stay as they are [F16]', async () => {
    const [key, other] = [aKey(), aKey()];
    await openWith(key);
    const error = await openWith(other).catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/SECRET_KEY is not the key of this database/);
    expect(String(error)).to.include(key.keyId).and.include(other.keyId);
    expect(await opened(key)).to.deep.equal(whole);
  });

  it('do not open in another row, in another column, or changed by a bit [F16]', () => {
    const secrets = aKey();
    const at = { column: 'organization_secrets', row: newId() } as const;
    const wrapped = secrets.wrap(at, TOKEN);
    expect(secrets.open(at, wrapped)).to.equal(TOKEN);
    expect(secrets.wrap(at, TOKEN)).not.to.equal(wrapped);
    expect(() => secrets.open({ ...at, row: newId() }, wrapped)).to.throw(/changed or moved/);
    expect(() => secrets.open({ ...at, column: 'keys' }, wrapped)).to.throw(/changed or moved/);
    const last = wrapped.endsWith('A') ? 'Q' : 'A';
    expect(() => secrets.open(at, wrapped.slice(0, -4) + last.repeat(4))).to.throw(/changed/);
    expect(() => secrets.open(at, wrapped.slice(0, -20))).to.throw(/changed/);
    expect(() => aKey().open(at, wrapped)).to.throw(/not wrapped with this SECRET_KEY/);
  });

  it('cannot be stored in clear, or with another key, once the database has one [F16]', async () => {
    const secrets = aKey();
    await openWith(secrets);
    const at = { column: 'organization_secrets', row: organization } as const;
    const store = (token: string) =>
      within((tx) =>
        tx.query(sql`update organization_secrets set build_engine_api_access_token = ${token}`),
      ).then(
        () => 'stored',
        (error: unknown) => String(error),
      );
    expect(await store(TOKEN)).to.match(/not wrapped with the key of this database/);
    expect(await store(aKey().wrap(at, TOKEN))).to.match(/not wrapped with the key/);
    expect(await store(secrets.wrap(at, TOKEN))).to.equal('stored');
  });

  it('survive a rotation that is cut at any statement, which then can be run again [F16]', async () => {
    const [old, fresh] = [aKey(), aKey()];
    let cuts = 0;
    for (let isCut = true; isCut; cuts += 1) {
      await putInClear();
      await openWith(old);
      const cut = new CutPool(server.pool, cuts);
      await within((tx) => rotateSecrets(tx, old, fresh), cut.pool).catch((error: unknown) => {
        if (!(error instanceof Cut)) throw error;
      });
      ({ isCut } = cut);
      if (isCut) {
        expect(await opened(old), `after ${cuts} statements`).to.deep.equal(whole);
        expect(await within((tx) => rotateSecrets(tx, old, fresh))).to.equal('done');
      }
      expect(await opened(fresh), `after ${cuts} statements, again`).to.deep.equal(whole);
      expect(await within((tx) => rotateSecrets(tx, old, fresh))).to.equal('done before');
    }
    expect(cuts).to.be.greaterThan(8);
  });

  it('are rotated with the key that the database has, and no other [F16]', async () => {
    const [present, fresh, other] = [aKey(), aKey(), aKey()];
    await openWith(present);
    const rotate = (old: Secrets | null) =>
      within((tx) => rotateSecrets(tx, old, fresh)).catch((error: unknown) => String(error));
    expect(await rotate(other)).to.match(/SECRET_KEY_OLD is not the key of this database/);
    expect(await rotate(null)).to.match(/SECRET_KEY_OLD is missing/);
    expect(await opened(present)).to.deep.equal(whole);
    expect(await rotate(present)).to.equal('done');
  });
});

class Cut extends Error {}

/** The connections break after this many statements, as when the process is killed. */
class CutPool {
  isCut = false;
  readonly pool: pg.Pool;

  constructor(pool: pg.Pool, statements: number) {
    let left = statements;
    const connect = async () => {
      const client = await pool.connect();
      return {
        query: (text: string, values: unknown[]) => {
          if (text === 'rollback') return client.query(text);
          this.isCut ||= left <= 0;
          if (this.isCut) return Promise.reject(new Cut());
          left -= 1;
          return client.query(text, values);
        },
        release: () => {
          client.release();
        },
      };
    };
    this.pool = { connect } as unknown as pg.Pool;
  }
}
