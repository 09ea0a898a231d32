import { createHmac } from 'node:crypto';

/** Returns the code of RFC 6238 that an app shows for `secret`, in base 32, at `at` in ms. */
export function oneTimeCode(secret: string, at: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret.replace(/\s/g, ''), (letter) =>
    letters.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const from = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(from) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
