import { kebab } from '#base/kebab.ts';
import english from '#text/en-US.json' with { type: 'json' };
import spanish from '#text/es-419.json' with { type: 'json' };
import french from '#text/fr-FR.json' with { type: 'json' };

/** The texts that the server itself says to people: in mail, on its own pages, in notifications. */

const texts = { 'en-US': english, 'es-419': spanish, 'fr-FR': french };

/** The server speaks the languages that have a file of texts. */
export type MailLanguage = keyof typeof texts;
export type MailTextKey = keyof typeof english;
export type TextValues = Readonly<Record<string, string | number>>;

/** A key may be missing in any language. */
const textsIn = (language: MailLanguage): Readonly<Record<string, string>> => texts[language];

/**
 * The text called `key`, with its `{{values}}` put in as they are: escape them for HTML. Numbers are
 * written as the language does.
 */
export function translate(
  language: MailLanguage,
  key: MailTextKey,
  values: TextValues = {},
): string {
  const text = textsIn(language)[key] ?? english[key];
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole;
    return typeof value === 'number'
      ? new Intl.NumberFormat(language).format(value)
      : (value ?? whole);
  });
}

/** The day and the time of an instant, in UTC, which it names: where the reader is, nobody knows. */
export function instantIn(language: MailLanguage, instant: string): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(new Date(instant))} UTC`;
}

/** A state of a workflow as screens call it; an unknown one as it is. */
export function stateName(language: MailLanguage, state: string): string {
  return textsIn(language)[`states.${kebab(state)}`] ?? state;
}

/** No browser asks for more languages; whoever does would have all of them looked for. */
const MOST_WISHES = 50;

/** The tags that an `Accept-Language` header asks for, best liked first. */
export function acceptedLanguagesIn(accepted: string | undefined): readonly string[] {
  const wishes = (accepted ?? '').split(',', MOST_WISHES).map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const weight = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find((q) => q);
    return { tag: tag.toLowerCase(), weight: Number(weight ?? 1) };
  });
  return wishes
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The language best liked by an `Accept-Language` header; English when it names none of ours. */
export function languageOf(accepted: string | undefined): MailLanguage {
  const liked = acceptedLanguagesIn(accepted)
    .map(ourOwn)
    .find((locale) => locale !== null);
  return liked ?? 'en-US';
}

/** Ours for `tag`: French for `fr-CA`. Null: we do not speak it. */
export function ourOwn(tag: string): MailLanguage | null {
  const languages = Object.keys(texts) as MailLanguage[];
  return languages.find((each) => each.slice(0, 2) === tag.toLowerCase().slice(0, 2)) ?? null;
}
