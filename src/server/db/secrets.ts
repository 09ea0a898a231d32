import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { BadStart } from '../kernel/bad-start.ts';
import type { DatabaseTransaction } from './database.ts';
import { lockNumberOf } from './lock-numbers.ts';
import { columns } from './secret-places.ts';
import type { SecretColumn, SecretPlace, Secrets } from './secret-places.ts';

const COLUMNS = Object.keys(columns) as SecretColumn[];
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SIGN = 'wrapped:1';

/** @param key 32 random bytes */
export function secretsOf(key: Uint8Array): Secrets {
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `slipway ${purpose}`, bytes));
  const cipherKey = derived('wrap', KEY_BYTES);
  const keyId = derived('key id', 6).toString('hex');
  const prefix = `${SIGN}:${keyId}:`;
  return {
    keyId,
    wrap: (place, clear) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce);
      cipher.setAAD(placeBytes(place));
      const content = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), content];
      return `${prefix}${Buffer.concat(parts).toString('base64url')}`;
    },
    open: (place, wrapped) => {
      if (!wrapped.startsWith(prefix))
        throw new Error(`The secret of ${nameOf(place)} is not wrapped with this SECRET_KEY`);
      const bytes = Buffer.from(wrapped.slice(prefix.length), 'base64url');
      const content = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(placeBytes(place));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error(`The secret of ${nameOf(place)} was changed or moved`, { cause });
      }
    },
  };
}

const nameOf = ({ column, row }: SecretPlace): string =>
  `${column}.${columns[column].column} (${row})`;

const placeBytes = (place: SecretPlace): Buffer => Buffer.from(nameOf(place));

/**
 * Ensures that the database's secrets are wrapped with this key; those in clear, from before there
 * was one, are wrapped now. @throws BadStart when it is another key than the database's
 */
export async function ensureSecretsKey(tx: DatabaseTransaction, secrets: Secrets): Promise<void> {
  const present = await keyIdOf(tx);
  if (present === secrets.keyId) return;
  if (present !== null)
    throw new BadStart(
      `SECRET_KEY is not the key of this database (its id is ${secrets.keyId}, the database's is ` +
        `${present}); set that key, or give it as SECRET_KEY_OLD to npm run rotate-keys.`,
    );
  await rewrap(tx, secrets, (_place, clear) => clear);
}

/** Says whether there was anything to do. */
export type Rotated = 'done' | 'done before';

/**
 * Wraps with `fresh` what `old` wrapped, or what is in clear. All of it is one transaction, so a
 * crash leaves everything as it was and it can be run again. @throws BadStart when `old` is not the
 * key of the database
 */
export async function rotateSecrets(
  tx: DatabaseTransaction,
  old: Secrets | null,
  fresh: Secrets,
): Promise<Rotated> {
  const present = await keyIdOf(tx);
  if (present === fresh.keyId) return 'done before';
  if (present === null) {
    await rewrap(tx, fresh, (_place, clear) => clear);
    return 'done';
  }
  if (old === null)
    throw new BadStart(
      `SECRET_KEY_OLD is missing; set the key that the database has now (its id is ${present}).`,
    );
  if (old.keyId !== present)
    throw new BadStart(
      `SECRET_KEY_OLD is not the key of this database (its id is ${old.keyId}, the database's is ` +
        `${present}); set that one.`,
    );
  await rewrap(tx, fresh, (place, wrapped) => old.open(place, wrapped));
  return 'done';
}

/**
 * Returns the id of the key of the database, which nobody else reads meanwhile; null: it has none
 * yet.
 */
async function keyIdOf(tx: DatabaseTransaction): Promise<string | null> {
  // If several processes start at once, one wraps and the others wait.
  await tx.query(sql`select pg_advisory_xact_lock(${sql.lit(lockNumberOf('secrets'))})`);
  const [row] = await tx.query(
    sql<{ readonly keyId: string }>`select key_id as "keyId" from secret_key`,
  );
  return row?.keyId ?? null;
}

async function rewrap(
  tx: DatabaseTransaction,
  fresh: Secrets,
  clearOf: (place: SecretPlace, stored: string) => string,
): Promise<void> {
  // A process that is about to store a secret with the key before waits, and is then refused by the
  // trigger.
  await tx.query(
    sql`lock table ${sql.join(COLUMNS.map((name) => sql.id(name)))} in exclusive mode`,
  );
  await tx.query(sql`insert into secret_key (key_id) values (${fresh.keyId})
    on conflict (single) do update set key_id = excluded.key_id`);
  for (const column of COLUMNS) {
    const names = columns[column];
    const [table, value, row] = [column, names.column, names.row].map((name) => sql.id(name));
    const stored = await tx.query(
      sql<{ readonly row: string; readonly value: string }>`select ${row}::text as row,
        ${value} as value from ${table} where ${value} is not null`,
    );
    for (const one of stored) {
      const place = { column, row: one.row };
      const wrapped = fresh.wrap(place, clearOf(place, one.value));
      await tx.query(
        sql`update ${table} set ${value} = ${wrapped} where ${row}::text = ${one.row}`,
      );
    }
  }
}
