import { mkdirSync, writeFileSync } from 'node:fs';

/**
 * Writes the static language data of `public/assets/language` (wire 13) from the Unicode data that
 * Node brings along. Run again after a new Unicode release; the files are committed.
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
const REGIONS = ['001', '150', '419', ...PAIRS.map((pair) => pair.toUpperCase())];
/** Codes that stand for no language, or for private use. */
const LEFT_OUT = /^(mis|mul|und|zxx|q[a-t][a-z])$/;

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
    return english.of(code) !== undefined;
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
  const name = english.of(tag) ?? english.of(locale.language) ?? tag;
  const plain = dialects.of(locale.language);
  const local = ownName(tag);
  return {
    tag,
    name,
    ...(local === undefined || local === name ? {} : { localname: local }),
    ...(plain === undefined || plain === name ? {} : { names: [plain] }),
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

function write(path: string, content: unknown): void {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content)}\n`);
}

const languages = knownLanguages();
const tags = languages.flatMap((code) => [code, ...regionalTags(code)]);
const byTag = [...tags].sort((a, b) => (a < b ? -1 : 1));
write('public/assets/language/langtags.json', byTag.map(describe));
for (const locale of ['en-US', 'es-419', 'fr-FR']) {
  write(`public/assets/language/${locale}/ldml.json`, inLocale(locale, byTag));
}
