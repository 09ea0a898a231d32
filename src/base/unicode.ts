const ASCII = /^[\0-\x7f]*$/;

/**
 * The one key by which text is ordered, searched and compared, the same in SQL, on the device and
 * in filters (wire 5.3): Unicode NFKD, marks removed, lower case of no language.
 */
export function fold(text: string): string {
  // Most texts, and nothing in them to decompose.
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

const SEARCH_WORDS_MOST = 10;

/** Each text of a page asks for the words of the same search. */
let last: { readonly search: string; readonly words: readonly string[] } = {
  search: '',
  words: [],
};

/**
 * Returns the words of a search (wire 5.2): folded, split at white space, each once, the first 10.
 * None contains U+0000, by which texts may so be joined. The same words again are the same array.
 */
export function wordsOf(search: string): readonly string[] {
  if (search === last.search) return last.words;
  const words = new Set(fold(search).split(/[\s\0]+/));
  last = { search, words: [...words].filter((word) => word !== '').slice(0, SEARCH_WORDS_MOST) };
  return last.words;
}

/** Orders two folded keys by code point, as `COLLATE "C"` does; UTF-16 order differs above U+FFFF. */
export function compareFolded(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The place of half a character: halves of those above U+FFFF come after all others. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Returns `text` so that what is written in it from right to left moves nothing beside it, for
 * places that take no markup, such as a page's title. Elsewhere `<bdi>` does it.
 */
export const isolated = (text: string): string =>
  LEFTWARD.test(text) ? `\u2068${text}\u2069` : text;
