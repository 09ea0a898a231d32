import { scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import type { Random } from '#base/id.ts';
import { isImpossible } from './password-rules.ts';

/** The costs of hashes that do not name theirs. */
const FIRST_COST: ScryptOptions = { N: 16_384, r: 8, p: 5 };
/** The costs of new hashes. */
const COST = FIRST_COST;
/**
 * The costs of hashes of a password that is published: there is nothing to protect. A comparison
 * with one is faster than others, which reveals no more than the list of accounts that is published
 * with it.
 */
export const PUBLISHED_COST: ScryptOptions = { N: 1_024, r: 8, p: 1 };
const KEY_BYTES = 32;
/** This is enough for 64 times the present costs. */
const MOST_MEMORY_BYTES = 2 ** 30;

/**
 * Returns what is stored of a password: scrypt with its costs and a salt of its own, about a
 * quarter second to make. Other costs may be chosen at any time: a hash is read by those that it
 * names.
 */
export async function hashPassword(
  password: string,
  random: Random,
  cost: ScryptOptions = COST,
): Promise<string> {
  const salt = Buffer.from(random(new Uint8Array(16)));
  const key = await derive(password, salt, cost);
  const { N = 0, r = 0, p = 0 } = cost;
  return `scrypt,${N},${r},${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Returns true when `password` is the one that `stored` was made of. It takes as long when there is
 * nothing to compare with, so that answers don't reveal who has an account.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [how = '', salt = '', expected = ''] = (stored ?? NOBODYS).split('$');
  const isTried = !isImpossible(password);
  const key = await derive(isTried ? password : '', Buffer.from(salt, 'base64url'), costIn(how));
  const wanted = Buffer.from(expected, 'base64url');
  const isSame = wanted.length === key.length && timingSafeEqual(key, wanted);
  return isSame && isTried && stored !== null;
}

const NOBODYS = `scrypt$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(KEY_BYTES).toString('base64url')}`;

/** Returns the costs that the beginning of a hash names. */
function costIn(how: string): ScryptOptions {
  const [N, r, p] = how.split(',').slice(1).map(Number);
  return N === undefined || r === undefined || p === undefined ? FIRST_COST : { N, r, p };
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const options = { ...cost, maxmem: MOST_MEMORY_BYTES };
  return new Promise((done, fail) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) done(key);
      else fail(error);
    });
  });
}
