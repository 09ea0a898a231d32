import { exportJWK, calculateJwkThumbprint, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { sql } from 'kysely';
import type { Random } from '#base/id.ts';
import type { Database, Tx } from '../database/database.ts';

/** What every process of an installation signs with. */
export interface Keys {
  /** Private, ES256; the first signs, all verify. */
  readonly signing: readonly [JWK, ...JWK[]];
  /** For cookies and form tokens. */
  readonly cookies: readonly [string, ...string[]];
}

const NAME = 'identity';

interface KeysRow {
  readonly value: Keys;
}

/** The installation's keys; made and stored by whoever asks first. */
export async function keysOf(db: Database, random: Random): Promise<Keys> {
  const stored = await db.read(readKeys);
  if (stored !== null) return stored;

  const made = JSON.stringify(await makeKeys(random));
  return db.transact(async (tx) => {
    // Two processes may start at once: the first row stays, and both read it.
    await tx.query(sql`insert into keys (name, value) values (${NAME}, ${made}::text::jsonb)
      on conflict (name) do nothing`);
    const keys = await readKeys(tx);
    if (keys === null) throw new Error('The signing keys were stored and are not there');
    return keys;
  });
}

async function readKeys(tx: Tx): Promise<Keys | null> {
  const [row] = await tx.query<KeysRow>(sql<KeysRow>`select value from keys where name = ${NAME}`);
  return row?.value ?? null;
}

async function makeKeys(random: Random): Promise<Keys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const cookie = Buffer.from(random(new Uint8Array(32))).toString('base64url');
  return { signing: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }], cookies: [cookie] };
}
