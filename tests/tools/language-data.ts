import { mkdirSync, writeFileSync } from 'node:fs';
import { iso6393 } from 'iso-639-3';
import { fold } from '#base/unicode.ts';

/**
 * Writes the static language data of `public/assets/language` (wire 13): every language of ISO 639-3,
 * with the Unicode data that Node brings along. Run again after a new release of either; the files
 * are committed.
 */

interface LanguageTag {
  readonly tag: string;
  readonly name: string;
  readonly localname?: string;
  readonly names?: readonly string[];
  readonly region?: string;
  readonly regionname?: string;
  readonly script?: string;
  readonly tags?: readonly string[];
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const PAIRS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
const LANGUAGES = [...PAIRS, ...PAIRS.flatMap((pair) => LETTERS.map((c) => pair + c))];

/** Names of ISO 639-3 by the tag that stands for them: "Mandarin Chinese" is `zh` as well. */
const isoNames = new Map<string, string[]>();
for (const { iso6393: code, name, type } of iso6393) {
  if (type === 'special') continue;
  const [tag = code] = Intl.getCanonicalLocales(code);
  isoNames.set(tag, [...(isoNames.get(tag) ?? []), name]);
}
const REGIONS = ['001', '150', '419', ...PAIRS.map((pair) => pair.toUpperCase())];
/** Codes that stand for no language, or for private use. */
const LEFT_OUT = /^(mis|mul|und|zxx|q[a-t][a-z])$/;

const LOCALES = ['en-US', 'es-419', 'fr-FR'];

const named = (locale: string, type: 'language' | 'region') =>
  new Intl.DisplayNames([locale], { type, fallback: 'none' });

const english = named('en', 'language');
const dialects = new Intl.DisplayNames(['en'], {
  type: 'language',
  fallback: 'none',
  languageDisplay: 'standard',
});
const regions = named('en', 'region');

function knownLanguages(): string[] {
  return LANGUAGES.filter((code) => {
    if (LEFT_OUT.test(code) || Intl.getCanonicalLocales(code)[0] !== code) return false;
    return english.of(code) !== undefined || isoNames.has(code);
  });
}

function regionalTags(code: string): string[] {
  if (Intl.DateTimeFormat.supportedLocalesOf(code).length === 0) return [];
  return REGIONS.map((region) => `${code}-${region}`).filter((tag) => {
    const resolved = new Intl.DateTimeFormat(tag).resolvedOptions().locale;
    return resolved === tag;
  });
}

function ownName(tag: string): string | undefined {
  if (Intl.DisplayNames.supportedLocalesOf(tag).length === 0) return undefined;
  return named(tag, 'language').of(tag);
}

function describe(tag: string): LanguageTag {
  const locale = new Intl.Locale(tag);
  const likely = locale.maximize();
  const region = locale.region ?? likely.region;
  const regionName = region === undefined ? undefined : regions.of(region);
  const [iso] = isoNames.get(locale.language) ?? [];
  const name = english.of(tag) ?? english.of(locale.language) ?? iso ?? tag;
  const others = new Set([dialects.of(locale.language) ?? name, ...(isoNames.get(tag) ?? [])]);
  const names = [...others].filter((other) => other !== name);
  const local = ownName(tag);
  return {
    tag,
    name,
    ...(local === undefined || local === name ? {} : { localname: local }),
    ...(names.length === 0 ? {} : { names }),
    ...(region === undefined ? {} : { region }),
    ...(regionName === undefined ? {} : { regionname: regionName }),
    ...(likely.script === undefined ? {} : { script: likely.script }),
    ...(likely.baseName === tag ? {} : { tags: [likely.baseName] }),
  };
}

function inLocale(locale: string, languages: readonly string[]) {
  const languageNames = named(locale, 'language');
  const regionNames = named(locale, 'region');
  const table = (codes: readonly string[], names: Intl.DisplayNames) =>
    Object.fromEntries(
      codes.flatMap((code) => [[code, names.of(code)] as const].filter(([, name]) => name)),
    );
  return {
    locale,
    languages: table(languages, languageNames),
    territories: table(REGIONS, regionNames),
  };
}

/**
 * The names of the language that the subtag `code` means, folded, joined by U+0000 (wire 5.2): in
 * every language of the interface, its own, and those of ISO 639-3; '' for what is no language.
 */
function searchNamesOf(code: string): string {
  const { language } = new Intl.Locale(code);
  const [tag = code] = Intl.getCanonicalLocales(code);
  if (LEFT_OUT.test(code) || LEFT_OUT.test(language)) return '';
  const names = [
    ...interfaceNames.map((inLanguage) => inLanguage.of(language)),
    ownName(language),
    ...(isoNames.get(language) ?? []),
    ...(isoNames.get(tag) ?? []),
  ];
  const folded = names.flatMap((name) => (name === undefined ? [] : fold(name)));
  return [...new Set(folded)].join('\0');
}

const interfaceNames = LOCALES.map((locale) => named(locale, 'language'));

function write(path: string, content: unknown): void {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content)}\n`);
}

const languages = knownLanguages();
const tags = languages.flatMap((code) => [code, ...regionalTags(code)]);
const byTag = [...tags].sort((a, b) => (a < b ? -1 : 1));
write('public/assets/language/langtags.json', byTag.map(describe));
for (const locale of LOCALES) {
  write(`public/assets/language/${locale}/ldml.json`, inLocale(locale, byTag));
}
const searchNames = LANGUAGES.map((code) => [code, searchNamesOf(code)] as const);
write(
  'public/assets/language/search-names.json',
  Object.fromEntries(searchNames.filter(([, names]) => names !== '')),
);
