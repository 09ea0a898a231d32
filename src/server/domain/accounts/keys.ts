import { exportJWK, calculateJwkThumbprint, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import type { Secrets } from '../../db/secret-places.ts';

/** The keys with which every process of an installation signs. */
export interface Keys {
  /** Private, ES256; the first signs, all verify. */
  readonly signing: readonly [JWK, ...JWK[]];
  /** For cookies and form tokens; the first signs, all verify. */
  readonly cookies: readonly [string, ...string[]];
  /** The time until which signatures of retired keys count, by `kid`, in ms since 1970. */
  readonly until: ReadonlyMap<string, number>;
}

/** The stored form; `retired` are the keys before, the newest first. */
interface Stored extends Pick<Keys, 'signing' | 'cookies'> {
  readonly retired?: readonly Retired[];
}

interface Retired extends Pick<Keys, 'signing' | 'cookies'> {
  /** The time in ms since 1970. */
  readonly at: number;
}

const NAME = 'identity';
const PLACE = { column: 'keys', row: NAME } as const;

/**
 * The time for which what a retired key has signed may still be shown: a token, and a cookie of a
 * session.
 */
const TOKENS_LAST_MS = 15 * 60_000;
const COOKIES_LAST_MS = 14 * 86_400_000;

/** Returns the installation's keys; the first caller makes and stores them. */
export async function keysOf(db: Database, random: Random): Promise<Keys> {
  const known = await db.read((tx) => storedKeys(tx, db.secrets));
  if (known !== null) return keysIn(known);

  const made = db.secrets.wrap(PLACE, JSON.stringify(await makeKeys(random)));
  return db.transact(async (tx) => {
    // Two processes may start at once: the first row stays, and both read it.
    await tx.query(sql`insert into keys (name, value) values (${NAME}, ${made})
      on conflict (name) do nothing`);
    const stored = await storedKeys(tx, db.secrets);
    if (stored === null) throw new Error('The signing keys were stored and are not there');
    return keysIn(stored);
  });
}

/** From now on new keys sign; what the old ones signed is believed until it has ended by itself. */
export async function rotateKeysOf(
  tx: DatabaseTransaction,
  secrets: Secrets,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<void> {
  const stored = await storedKeys(tx, secrets);
  if (stored === null) return;
  const { signing, cookies, retired = [] } = stored;
  const at = clock();
  const kept = retired.filter((one) => at < one.at + COOKIES_LAST_MS);
  const next: Stored = {
    ...(await makeKeys(random)),
    retired: [{ signing, cookies, at }, ...kept],
  };
  await tx.query(sql`update keys set value = ${secrets.wrap(PLACE, JSON.stringify(next))}
    where name = ${NAME}`);
}

function keysIn({ signing, cookies, retired = [] }: Stored): Keys {
  return {
    signing: [...signing, ...retired.flatMap((one) => one.signing)],
    cookies: [...cookies, ...retired.flatMap((one) => one.cookies)],
    until: new Map(
      retired.flatMap((one) =>
        one.signing.map(({ kid = '' }) => [kid, one.at + TOKENS_LAST_MS] as const),
      ),
    ),
  };
}

async function storedKeys(tx: DatabaseTransaction, secrets: Secrets): Promise<Stored | null> {
  const [row] = await tx.query(
    sql<{ readonly value: string }>`select value from keys where name = ${NAME}`,
  );
  return row === undefined ? null : (JSON.parse(secrets.open(PLACE, row.value)) as Stored);
}

async function makeKeys(random: Random): Promise<Stored> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const cookie = Buffer.from(random(new Uint8Array(32))).toString('base64url');
  return { signing: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }], cookies: [cookie] };
}
