import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadStart } from './bad-start.ts';

const KEY_BYTES = 32;

/** The command that makes a key, for an operator without one. */
export const MAKE_KEY = `node -e "console.log(require('crypto').randomBytes(${KEY_BYTES}).toString('base64url'))" makes one`;

/** The file, below `DATA_DIR`, in which the demo keeps the key that it made. */
export const KEY_FILE = 'secret-key';

/** Returns the 32 bytes that `text` has in hex, base64url or base64; null when it has none. */
export function secretKeyIn(text: string): Uint8Array | null {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[\w+/-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  return bytes.length === KEY_BYTES ? bytes : null;
}

/** These settings decide the key. */
interface KeySettings {
  readonly secretKey: Uint8Array | null;
  readonly demo: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/**
 * Returns the key that wraps secrets in the database: `SECRET_KEY`, or that of a demo, which makes
 * its own once. @throws BadStart when there is none
 */
export function secretKeyOf({ secretKey, demo, dataDir, databaseUrl }: KeySettings): Uint8Array {
  if (secretKey !== null) return secretKey;
  if (!demo) throw new BadStart(`SECRET_KEY is missing; ${MAKE_KEY}. Keep it apart from backups.`);
  const file = join(dataDir, KEY_FILE);
  const key = secretKeyIn((readIfThere(file) ?? makeOnce(file)).trim());
  if (key === null) {
    // A reset removes the key only together with the secrets that it opens.
    const orReset = databaseUrl === null ? ', or run npm run reset' : '';
    throw new BadStart(`${file} holds no key; put the one back that it held${orReset}.`);
  }
  return key;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Makes the key once: of two processes the second takes the first's; nobody reads half a key. */
function makeOnce(file: string): string {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(own);
  }
  return readFileSync(file, 'utf8');
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
