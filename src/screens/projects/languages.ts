import { useCallback, useState } from 'react';
import { fold } from '#base/fold.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { useSurroundings } from '#ui/surroundings.tsx';
import { useLanguage } from '#ui/text.ts';

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
}

/** Where the words were found, when not in a name that shows anyway. */
type Where = 'name' | 'region' | 'variant' | 'tag';

export interface Hit {
  readonly language: KnownLanguage;
  readonly where: Where | null;
  readonly found: string;
}

/** Every language, once `want` was called and the data is here; null before. */
export function useLanguages(): {
  readonly languages: readonly KnownLanguage[] | null;
  readonly want: () => void;
} {
  const { load } = useSurroundings();
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
  return (tags as Omit<KnownLanguage, 'localized'>[]).map((entry) => ({
    ...entry,
    localized: localized[entry.tag] ?? entry.name,
  }));
}

/** At most five, best first: name equals, tag equals, another name equals, name begins, shorter tag. */
export function suggestionsFor(typed: string, languages: readonly KnownLanguage[]): Hit[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [];
  return languages
    .map((language) => hitIn(language, wanted))
    .filter((hit) => hit !== null)
    .sort((a, b) => rank(a, wanted) - rank(b, wanted) || byTag(a, b))
    .slice(0, limits.languageSuggestions);
}

function byTag({ language: a }: Hit, { language: b }: Hit): number {
  return a.tag.length - b.tag.length || (a.tag < b.tag ? -1 : 1);
}

function hitIn(language: KnownLanguage, wanted: string): Hit | null {
  const has = (text: string | undefined) => text !== undefined && fold(text).includes(wanted);
  const hit = (where: Where | null, found: string | undefined): Hit => ({
    language,
    where,
    found: found ?? '',
  });
  if (has(language.localized) || has(language.localname)) return hit(null, '');
  if (has(language.name)) return hit('name', language.name);
  const name = language.names?.find(has);
  if (name !== undefined) return hit('name', name);
  if (has(language.region) || has(language.regionname)) return hit('region', language.regionname);
  const variant = language.variants?.find(has);
  if (variant !== undefined) return hit('variant', variant);
  return has(language.tag) ? hit('tag', language.tag) : null;
}

function rank({ language }: Hit, wanted: string): number {
  const { localized, localname = '', name, names = [], tag } = language;
  if (fold(localized) === wanted) return 0;
  if (fold(tag) === wanted) return 1;
  if ([localname, name, ...names].some((other) => fold(other) === wanted)) return 2;
  return fold(localized).startsWith(wanted) ? 3 : 4;
}
