import { useCallback, useState } from 'react';
import { fold } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useLanguage } from '#ui/text/text.ts';

/** One language of the static list (wire 13), with its name in the interface's language. */
export interface KnownLanguage {
  readonly tag: string;
  readonly name: string;
  readonly localname?: string;
  readonly names?: readonly string[];
  readonly region?: string;
  readonly regionname?: string;
  readonly variants?: readonly string[];
  readonly localized: string;
  /** The searched texts, folded once: there are thousands. */
  readonly folded: Folded;
}

type Entry = Omit<KnownLanguage, 'localized' | 'folded'>;

interface Folded {
  readonly localized: string;
  /** Other names that show anyway. */
  readonly shown: readonly string[];
  readonly names: readonly string[];
  readonly region: readonly string[];
  readonly variants: readonly string[];
  readonly tag: string;
}

/** Says where the words were found, when not in a name that shows anyway. */
type Where = 'name' | 'region' | 'variant' | 'tag';

export interface LanguageMatch {
  readonly language: KnownLanguage;
  readonly where: Where | null;
  readonly found: string;
}

/** Every language, once `want` was called and the data is here; null before. */
export function useLanguages(): {
  readonly languages: readonly KnownLanguage[] | null;
  readonly want: () => void;
} {
  const { load } = useUiEnvironment();
  const language = useLanguage();
  const [held, hold] = useState<{ of: string; languages: readonly KnownLanguage[] } | null>(null);
  const languages = held?.of === language ? held.languages : null;

  const want = useCallback(() => {
    if (languages !== null) return;
    Promise.all([load(paths.languageTags), load(paths.languageNames(language))]).then(
      ([tags, names]) => {
        hold({ of: language, languages: joined(tags, names) });
      },
      () => {
        // Without the list a language is typed as it is; the next focus asks again.
      },
    );
  }, [languages, load, language]);
  return { languages, want };
}

function joined(tags: unknown, names: unknown): readonly KnownLanguage[] {
  const localized = (names as { languages?: Readonly<Record<string, string>> }).languages ?? {};
  return (tags as Entry[]).map((entry) => inLanguage(entry, localized[entry.tag] ?? entry.name));
}

function inLanguage(entry: Entry, localized: string): KnownLanguage {
  const { tag, name, localname = name, names = [], variants = [] } = entry;
  const { region = '', regionname = '' } = entry;
  const folded = {
    localized: fold(localized),
    shown: [fold(localname), fold(name)],
    names: names.map(fold),
    region: [fold(region), fold(regionname)],
    variants: variants.map(fold),
    tag: fold(tag),
  };
  return { ...entry, localized, folded };
}

/**
 * Finds at most five, best first: name equals, tag equals, another name equals, name begins,
 * shorter tag.
 */
export function suggestionsFor(
  typed: string,
  languages: readonly KnownLanguage[],
): LanguageMatch[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [];
  return languages
    .flatMap((language) => {
      const hit = hitIn(language, wanted);
      return hit === null ? [] : [{ hit, rank: rankOf(language.folded, wanted) }];
    })
    .sort((a, b) => a.rank - b.rank || byTag(a.hit.language, b.hit.language))
    .slice(0, limits.languageSuggestions)
    .map(({ hit }) => hit);
}

function byTag({ tag: a }: KnownLanguage, { tag: b }: KnownLanguage): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function hitIn(language: KnownLanguage, wanted: string): LanguageMatch | null {
  const { localized, shown, names, region, variants, tag } = language.folded;
  const has = (text: string) => text.includes(wanted);
  if (has(localized) || shown.some(has)) return { language, where: null, found: '' };
  const placeOf = (where: Where, texts: readonly string[], as: readonly string[] | undefined) => {
    const at = texts.findIndex(has);
    return at < 0 ? null : { language, where, found: as?.[at] ?? '' };
  };
  const place = language.regionname ?? language.region ?? '';
  return (
    placeOf('name', names, language.names) ??
    placeOf('region', region, [place, place]) ??
    placeOf('variant', variants, language.variants) ??
    placeOf('tag', [tag], [language.tag])
  );
}

function rankOf({ localized, shown, names, tag }: Folded, wanted: string): number {
  if (localized === wanted) return 0;
  if (tag === wanted) return 1;
  if (shown.includes(wanted) || names.includes(wanted)) return 2;
  return localized.startsWith(wanted) ? 3 : 4;
}
