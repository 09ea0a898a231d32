/** At most so many characters stand before the first difference, so that one sees where it is. */
const LEADING = 16;

/** A text in one line, at most `most` characters of it; `…` stands for what was cut off. */
export function excerptOf(text: string, most: number): string {
  return cut(charactersOf(text), most);
}

/**
 * Two versions of a text, each in one line with at most `most` characters: where they are alike for
 * long, both begin shortly before they differ.
 */
export function excerptsOf(before: string, after: string, most: number): readonly [string, string] {
  const [was, is] = [charactersOf(before), charactersOf(after)];
  const isShort = was.length <= most && is.length <= most;
  const from = isShort ? 0 : beginningOf(was, is, most);
  const lead = from === 0 ? '' : '…';
  return [`${lead}${cut(was.slice(from), most)}`, `${lead}${cut(is.slice(from), most)}`];
}

/** The place of the first character that shows: a word's beginning where there are words. */
function beginningOf(was: readonly string[], is: readonly string[], most: number): number {
  let alike = 0;
  while (alike < was.length && was[alike] === is[alike]) alike += 1;
  if (alike <= Math.max(LEADING, most / 2)) return 0;
  const from = alike - LEADING;
  const space = was.indexOf(' ', from);
  return space >= 0 && space < alike - 1 ? space + 1 : from;
}

function cut(line: readonly string[], most: number): string {
  return line.length <= most ? line.join('') : `${line.slice(0, most).join('').trimEnd()}…`;
}

/** What people take for one character: a letter with its marks, a picture of several signs. */
function charactersOf(text: string): readonly string[] {
  const line = text.trim().replace(/\s+/g, ' ');
  if (!('Segmenter' in Intl)) return Array.from(line);
  return Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
}
