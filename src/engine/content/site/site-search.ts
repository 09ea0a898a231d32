import { fold } from '#base/unicode.ts';

/** A page as the index of a site has it. */
export interface Entry {
  readonly title: string;
  /** The path from the top of the site. */
  readonly path: string;
  readonly text: string;
}

export interface SearchMatch {
  readonly title: string;
  readonly path: string;
  /** Some words around the first place found. */
  readonly excerpt: string;
}

const MOST_HITS = 20;
const IN_TITLE = 10;
const AROUND = { before: 40, after: 120 };
/** Longer texts are rare, and folding one letter by letter takes a while on a phone. */
const EXCERPT_FROM = 20_000;

/** Searches `entries`: every word has to be in a page, in any order; pages named for it come first. */
export function searchIn(entries: readonly Entry[]): (wanted: string) => readonly SearchMatch[] {
  const folded = entries.map((entry) => ({
    entry,
    title: fold(entry.title),
    text: fold(entry.text),
  }));
  return (wanted) => {
    const words = fold(wanted).split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return folded
      .filter(({ title, text }) =>
        words.every((word) => title.includes(word) || text.includes(word)),
      )
      .map(({ entry, title }) => ({
        entry,
        weight: words.filter((word) => title.includes(word)).length * IN_TITLE,
      }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_HITS)
      .map(({ entry: { title, path, text } }) => ({
        title,
        path,
        excerpt: excerptOf(text, words),
      }));
  };
}

function excerptOf(text: string, words: readonly string[]): string {
  const letters = Array.from(text.slice(0, EXCERPT_FROM));
  let key = '';
  // Folding may lengthen or drop a letter: where each letter's key ends is where it was found.
  const ends = letters.map((letter) => (key += fold(letter)).length);
  const places = words.map((word) => key.indexOf(word)).filter((place) => place >= 0);
  const place = places.length === 0 ? 0 : Math.min(...places);
  const at = ends.findIndex((end) => end > place);
  const start = Math.max(0, at - AROUND.before);
  const before = letters.slice(start, at).join('');
  const after = letters.slice(at, at + AROUND.after).join('');
  const isCut = at + AROUND.after < letters.length;
  // Begins and ends with whole words, where there are spaces.
  const begin = start > 0 ? `… ${before.replace(/^\S*\s/, '')}` : before;
  return begin + (isCut ? `${after.replace(/\s\S*$/, '')} …` : after);
}
