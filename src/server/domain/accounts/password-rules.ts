import { readFileSync } from 'node:fs';
import type { MailTextKey } from '#text/say.ts';
import { isBreached } from './breached-passwords.ts';

const FEWEST_CHARACTERS = 8;
const MOST_CHARACTERS = 200;
/** A decomposed password has at most this many times as many UTF-16 units as composed characters. */
const UNITS_PER_CHARACTER = 4;
const PRODUCT = 'slipway';

/**
 * Returns what is wrong with a new password, or null (wire 2): its length, that it is among the
 * 10,000 commonest, that somebody who knows the address or the product has guessed it, or that it
 * was breached.
 *
 * @param breached the list of breached passwords, if the installation has one
 */
export function mistakeOfPassword(
  password: string,
  email: string,
  breached: string | null,
): MailTextKey | null {
  if (isImpossible(password)) return 'identity.error.passwordLong';
  const characters = Array.from(password.normalize('NFC')).length;
  if (characters < FEWEST_CHARACTERS) return 'identity.error.passwordShort';
  if (characters > MOST_CHARACTERS) return 'identity.error.passwordLong';

  const folded = fold(password);
  if (isCommon(folded)) return 'identity.error.passwordCommon';
  if (isOfPersonOrProduct(folded, fold(email))) return 'identity.error.passwordOwn';
  const isStolen = breached !== null && isBreached(breached, password);
  return isStolen ? 'identity.error.passwordBreached' : null;
}

/**
 * Returns true when no account can have that password, because it is longer than any that is taken.
 * This is checked before a password is composed, which takes long for a long one.
 */
export function isImpossible(password: string): boolean {
  return password.length > UNITS_PER_CHARACTER * MOST_CHARACTERS;
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

let commonest: ReadonlySet<string> | null = null;

function isCommon(folded: string): boolean {
  commonest ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# '))
      .map(fold),
  );
  return commonest.has(folded) || new Set(folded).size <= 1;
}

/** Digits and signs around the word make it no harder to guess: `slipway1`, `ana.hill!`. */
function isOfPersonOrProduct(folded: string, email: string): boolean {
  const [local = ''] = email.split('@');
  const core = withoutEnds(folded);
  // A short word among many digits is another matter.
  const isMostly = core.length * 2 >= folded.length;
  return (
    folded === email ||
    folded === local ||
    (isMostly && [PRODUCT, withoutEnds(local)].includes(core))
  );
}

function withoutEnds(text: string): string {
  const signs = Array.from(text);
  const isLetter = (sign: string) => /\p{L}/u.test(sign);
  return signs.slice(signs.findIndex(isLetter), signs.findLastIndex(isLetter) + 1).join('');
}
