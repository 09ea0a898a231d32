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
  /** At least one, each in a spelling that browsers know. */
  readonly languages: readonly string[];
  /** The folder of each of them, as the engine spells it. */
  readonly folders: ReadonlyMap<string, string>;
  readonly defaultLanguage: string;
  readonly downloadApkStrings: Readonly<Record<string, string>>;
  readonly files: ReadonlySet<string>;
}

/** The store listing of an app. */
export interface Listing extends Omit<Manifest, 'url' | 'icon' | 'files' | 'folders'> {
  readonly titles: Readonly<Record<string, string>>;
  readonly descriptions: Readonly<Record<string, string>>;
}

/** The color of an app that names none. */
const COLOR = '#0a5aa8';
const MOST_LANGUAGES = 200;
/** What is longer is cut: a page of all its longest parts has 40 kB (screens 15). */
const LONGEST = { title: 250, short_description: 4_000 };

/** Returns the manifest; null: it is none. */
export function manifestIn(text: string): Manifest | null {
  const found = valueIn(text);
  if (!isObject(found) || typeof found.url !== 'string') return null;
  const preferred = foldersIn([found['default-language']]);
  const stated = foldersIn(found.languages);
  const folders = stated.size > 0 ? stated : preferred;
  const languages = [...folders.keys()];
  const [first] = languages;
  const [wanted] = preferred.keys();
  if (first === undefined) return null;
  return {
    url: found.url,
    icon: typeof found.icon === 'string' && found.icon !== '' ? found.icon : null,
    color: colorIn(found.color),
    languages,
    folders,
    defaultLanguage: wanted !== undefined && folders.has(wanted) ? wanted : first,
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
  { color, languages, folders, defaultLanguage, downloadApkStrings, files }: Manifest,
  read: (path: string) => Promise<string | null>,
): Promise<{ readonly listing: Listing; readonly isWhole: boolean }> {
  let isWhole = true;
  const textAt = async (path: string, longest: number): Promise<string> => {
    if (!files.has(path)) return '';
    const text = await read(path);
    if (text === null) isWhole = false;
    return shown(text ?? '', longest);
  };
  const inAll = async (name: keyof typeof LONGEST) => {
    const entries = [...folders].map(
      async ([language, folder]) =>
        [language, await textAt(`${folder}/${name}.txt`, LONGEST[name])] as const,
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

/** Returns the folder of each language; what is no language is left out. */
function foldersIn(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of textsIn(value)) {
    if (found.size === MOST_LANGUAGES) break;
    if (languageTag(folder) === null) continue;
    const spelled = folder.trim().replaceAll('_', '-');
    if (!found.has(spelled)) found.set(spelled, folder);
  }
  return found;
}

/** Control characters but for breaks, and halves of characters: no database stores all of them. */
const UNSEEN = /[^\P{Cc}\t\n]|\p{Cs}/gu;

/** Returns the start of a text, as a page shows it. */
function shown(text: string, longest: number): string {
  const start = text.replace(/\r\n?/g, '\n').trim().slice(0, longest);
  return start.replace(UNSEEN, '');
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
    entries.map(([language, text]) => [language, shown(text, LONGEST.title)]),
  );
}
