import type { Attribute } from '#schema/define.ts';

/** Decomposed text is at most this many times as long as the composed text that limits count. */
const DECOMPOSED = 4;

/**
 * Whether `text` is so long that nothing else may look at it (wire 15.2): not even composed does it
 * fit the field's limit. Costs nothing, however long the text is.
 */
export function isTooLong({ limit }: Pick<Attribute, 'limit'>, text: string): boolean {
  return limit !== null && text.length > DECOMPOSED * limit;
}

/**
 * Databases cannot store U+0000 and half characters. Composing takes a time that grows with the
 * square of the number of marks on one letter; Unicode's stream-safe texts have 30 at most.
 */
const NOT_PLAIN = /[\0\p{Cs}]|\p{M}{31}/u;

/** Whether `text` can be stored without a change, and composed at once. */
export function isPlain(text: string): boolean {
  return !NOT_PLAIN.test(text);
}
