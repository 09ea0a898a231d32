/** No text has it. */
const MARK = '\0';

/**
 * Splits a sentence in which an element stands.
 *
 * @param says gives the sentence, with what it is given in the place of the element
 */
export function splitAtElement(
  says: (element: string) => string,
): readonly [before: string, after: string] {
  const [before = '', after = ''] = says(MARK).split(MARK);
  return [before, after];
}
