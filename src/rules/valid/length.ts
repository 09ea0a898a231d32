import type { Attribute } from '#schema/define.ts';

/** Decomposed text is at most this many times as long as the composed text that limits count. */
const DECOMPOSED = 4;
/** No text is longer than a file of projects, and no list has more members than a bulk action. */
const LONGEST = 524_288;
const MOST_MEMBERS = 500;

/**
 * Says whether `value` is a text, or a list with a text, so long that nothing else may look at it
 * (wire 15.2): not even composed does it fit the field's limit. The answer costs nothing, however
 * long the text is.
 */
export function isTooLong(field: Pick<Attribute, 'limit'>, value: unknown): boolean {
  const { limit } = field;
  if (Array.isArray(value))
    return value.length > MOST_MEMBERS || value.some((one: unknown) => isTooLong(field, one));
  if (limit === null || typeof value !== 'string') return false;
  return value.length > Math.min(DECOMPOSED * limit, LONGEST);
}

/**
 * Databases cannot store U+0000 and half characters. Composing takes a time that grows with the
 * square of the number of marks on one letter; Unicode's stream-safe texts have 30 at most. Marks
 * are counted from the first on each letter alone, so each is looked at once.
 */
const NOT_PLAIN = /[\0\p{Cs}]|(?:^|\P{M})\p{M}{31}/u;

/** The text that was found plain last: normalising and checking a long one ask for it repeatedly. */
let lastPlain = '';

/** Says whether `text` can be stored without a change, and composed at once. */
export function isPlain(text: string): boolean {
  if (text === lastPlain) return true;
  const answer = !NOT_PLAIN.test(text);
  if (answer) lastPlain = text;
  return answer;
}
