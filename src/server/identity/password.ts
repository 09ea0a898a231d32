import { scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import type { Random } from '#base/id.ts';

const COST: ScryptOptions = { N: 16_384, r: 8, p: 5 };
const KEY_BYTES = 32;

/** What is stored of a password: scrypt with its own salt, about a quarter second to make. */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random(new Uint8Array(16)));
  const key = await derive(password, salt);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Whether `password` is the one that `stored` was made of. Takes as long when there is nothing to
 * compare with, so that answers don't tell who has an account.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt = '', expected = ''] = (stored ?? NOBODYS).split('$');
  const key = await derive(password, Buffer.from(salt, 'base64url'));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === key.length && timingSafeEqual(key, wanted) && stored !== null;
}

const NOBODYS = `scrypt$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(KEY_BYTES).toString('base64url')}`;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((done, fail) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => {
      if (error === null) done(key);
      else fail(error);
    });
  });
}
