import { formatter } from './formatter.ts';
import { Marked } from './marked.tsx';
import { useLanguage } from '../text/text.ts';

const known = new Map<string, string | null>();

/** The name of a tag's language in the interface's language: "Spanish" of `es-419`; null when unknown. */
export function languageNameOf(tag: string, language: string): string | null {
  const key = `${language} ${tag}`;
  const there = known.get(key);
  if (there !== undefined) return there;
  let name: string | null = null;
  try {
    const options = { type: 'language', fallback: 'none' } as const;
    const names = formatter(Intl.DisplayNames, language, options);
    name = names.of(new Intl.Locale(tag).language) ?? null;
  } catch {
    // Any text may stand for a language.
  }
  known.set(key, name);
  return name;
}

interface Props {
  readonly tag: string;
  /** Marked in the tag, which is what is searched. */
  readonly search?: string;
}

/** "Spanish (es-419)"; a tag that nobody knows as it was typed. */
export function LanguageName({ tag, search = '' }: Props) {
  const name = languageNameOf(tag, useLanguage());
  const marked = <Marked text={tag} search={search} />;
  if (name === null) return marked;
  return (
    <>
      {name} <span className="soft">({marked})</span>
    </>
  );
}
