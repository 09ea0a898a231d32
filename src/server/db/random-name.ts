import type { Random } from '#base/id.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

/** Eight random characters `a–z 0–9`: the name of a database, or the mark of a commit (wire 9.3). */
export function randomName(random: Random): string {
  const bytes = random(new Uint8Array(LENGTH));
  return Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}
