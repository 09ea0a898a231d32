import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import { languageTag } from '#base/language-tag.ts';

/** The store listing of an app, as a build engine writes it down (domain 12). */
export interface Manifest {
  /** The place of its files: an address, or a folder beside the manifest. */
  readonly url: string;
  /** The path is relative to `url`, as in `files`. */
  readonly icon: string | null;
  readonly color: string;
  /** At least one. */
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly downloadApkStrings: Readonly<Record<string, string>>;
  readonly files: ReadonlySet<string>;
}

/** The store listing of an app. */
export interface Listing extends Omit<Manifest, 'url' | 'icon' | 'files'> {
  readonly titles: Readonly<Record<string, string>>;
  readonly descriptions: Readonly<Record<string, string>>;
}

/** The color of an app that names none. */
const COLOR = '#0a5aa8';
const MOST_LANGUAGES = 200;
const LONGEST = 4_000;

/** Returns the manifest; null: it is none. */
export function manifestIn(text: string): Manifest | null {
  const found = valueIn(text);
  if (!isObject(found) || typeof found.url !== 'string') return null;
  const preferred = languagesIn([found['default-language']])[0];
  const stated = languagesIn(found.languages);
  const languages = stated.length > 0 || preferred === undefined ? stated : [preferred];
  const [first] = languages;
  if (first === undefined) return null;
  return {
    url: found.url,
    icon: typeof found.icon === 'string' && found.icon !== '' ? found.icon : null,
    color: colorIn(found.color),
    languages,
    defaultLanguage: preferred !== undefined && languages.includes(preferred) ? preferred : first,
    downloadApkStrings: stringsIn(found['download-apk-strings']),
    files: new Set(textsIn(found.files)),
  };
}

/**
 * Reads the listing in all its languages. `read` gives the text at a path that is relative to the
 * listing's files; null: it cannot be had.
 *
 * @returns also whether every file that the manifest names was there
 */
export async function readListing(
  { color, languages, defaultLanguage, downloadApkStrings, files }: Manifest,
  read: (path: string) => Promise<string | null>,
): Promise<{ readonly listing: Listing; readonly isWhole: boolean }> {
  let isWhole = true;
  const textAt = async (path: string): Promise<string> => {
    if (!files.has(path)) return '';
    const text = await read(path);
    if (text === null) isWhole = false;
    return (text ?? '').trim().slice(0, LONGEST);
  };
  const inAll = async (name: string) => {
    const entries = languages.map(
      async (language) => [language, await textAt(`${language}/${name}.txt`)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };
  const [titles, descriptions] = await Promise.all([inAll('title'), inAll('short_description')]);
  const stated = { color, languages, defaultLanguage, downloadApkStrings };
  return { listing: { ...stated, titles, descriptions }, isWhole };
}

function valueIn(text: string): unknown {
  try {
    return parseJson(text.trim());
  } catch {
    return null;
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/**
 * Returns the languages in their own spelling, which their folders have; what is no language is
 * left out.
 */
function languagesIn(value: unknown): readonly string[] {
  const all = textsIn(value).filter((tag) => languageTag(tag) !== null);
  return [...new Set(all)].slice(0, MOST_LANGUAGES);
}

function colorIn(value: unknown): string {
  return typeof value === 'string' && /^#[\da-f]{6}$/i.test(value) ? value.toLowerCase() : COLOR;
}

function stringsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] =>
      /^[a-z]{2}$/.test(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    entries.map(([language, text]) => [language, text.trim().slice(0, 250)]),
  );
}
