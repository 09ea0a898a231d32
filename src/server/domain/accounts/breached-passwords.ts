import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A line has 40 digits, a colon and how often the password was found. */
const LONGEST_LINE_BYTES = 64;
const DIGITS = 40;

/**
 * Returns true when `password` is in the file at `path`: SHA-1 hashes in capital hex digits and in
 * order, one a line, as breached passwords are given out. It is searched where it lies, in some 35
 * reads.
 *
 * @throws Error when the file cannot be read
 */
export function isBreached(path: string, password: string): boolean {
  const wanted = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase();
  const file = openSync(path, 'r');
  try {
    // The wanted line, if there is one, is the first that begins at `low` or between it and `high`.
    let [low, high] = [0, fstatSync(file).size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = firstFrom(file, middle);
      if (found === wanted) return true;
      if (found !== null && found < wanted) low = middle + 1;
      else high = middle;
    }
    return firstFrom(file, low) === wanted;
  } finally {
    closeSync(file);
  }
}

/** Returns the hash of the first line that begins at `offset` or behind it; null: there is none. */
function firstFrom(file: number, offset: number): string | null {
  const bytes = Buffer.alloc(2 * LONGEST_LINE_BYTES);
  // A line begins at `offset` if the one before it ends there.
  const from = Math.max(0, offset - 1);
  const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, from));
  const start = offset === 0 ? 0 : text.indexOf('\n') + 1;
  const hash = text.slice(start, start + DIGITS).toUpperCase();
  return (start === 0 && offset > 0) || hash.length < DIGITS ? null : hash;
}
