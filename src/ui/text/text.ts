import i18next from 'i18next';
import { createContext, useContext } from 'react';
import { initReactI18next } from 'react-i18next';
import { isolated } from '#base/unicode.ts';
import type english from '#text/en-US.json';

/** Languages of the interface, with their own names. */
export const LANGUAGES = {
  'en-US': 'English',
  'es-419': 'Español',
  'fr-FR': 'Français',
} as const;

export type Language = keyof typeof LANGUAGES;

type Plain<K> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K;
/** A text's name; counted texts without their plural's ending. */
export type TextKey = Plain<keyof typeof english>;
type Values = Readonly<Record<string, string | number>>;

/** Says a text in the person's language. */
export type Say = (key: TextKey, values?: Values) => string;

const load = {
  'en-US': () => import(/* webpackChunkName: "first-text-en-US" */ '#text/en-US.json'),
  'es-419': () => import(/* webpackChunkName: "text-es-419" */ '#text/es-419.json'),
  'fr-FR': () => import(/* webpackChunkName: "text-fr-FR" */ '#text/fr-FR.json'),
} as const;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/** The language for someone whose browser asks for `wanted`, most wanted first. */
export function languageFor(wanted: readonly string[]): Language {
  const known = Object.keys(LANGUAGES).filter(isLanguage);
  for (const tag of wanted) {
    const first = tag.split('-')[0] ?? '';
    const found = known.find((language) => language.split('-')[0] === first);
    if (found !== undefined) return found;
  }
  return 'en-US';
}

/** Loads what else must be there before a language shows; `null` until a late screen came. */
let loadLate: ((language: Language) => Promise<void>) | null = null;

/** The language that was asked for last: its texts may still be coming. */
let wanted: Language = 'en-US';

export const wantedLanguage = (): Language => wanted;

/** Has `load` bring what it says in a language before that language shows. */
export function beforeLanguage(load: (language: Language) => Promise<void>): void {
  loadLate = load;
}

/**
 * Shows every text in `language` from now on; loads its texts first.
 *
 * @throws what a script throws that cannot be had: the language stays as it is
 */
export async function speak(language: Language): Promise<void> {
  const before = wanted;
  wanted = language;
  try {
    await bringAndSpeak(language);
  } catch (error) {
    // One that was asked for meanwhile stays asked for.
    if (wantedLanguage() === language) wanted = before;
    throw error;
  }
}

async function bringAndSpeak(language: Language): Promise<void> {
  const { default: texts } = await load[language]();
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: language,
      resources: { [language]: { translation: texts } },
      keySeparator: false,
      nsSeparator: false,
      fallbackLng: false,
      interpolation: { escape: written, useRawValueToEscape: true },
    });
  } else {
    i18next.addResourceBundle(language, 'translation', texts);
    await loadLate?.(language);
    await i18next.changeLanguage(language);
  }
  document.documentElement.lang = language;
}

/**
 * Writes a value into a text: a number as the language does, and a name from right to left so that it
 * leaves the words around it where they are.
 */
const written = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString(i18next.language) : isolated(value);

/**
 * Says a text whose name is known only at run time, such as `states.{name}`; `otherwise` where there
 * is none of that name.
 */
type SayOf = (key: string, otherwise: string, values?: Values) => string;

export interface SpeechParts {
  readonly language: Language;
  readonly say: Say;
  readonly sayOf: SayOf;
}

/** Makes the functions that say everything in the language that `i18next` speaks now. */
export function speechNow({ t, language }: Pick<typeof i18next, 't' | 'language'>): SpeechParts {
  // A list says the same texts in every row: each is looked up once.
  const known = new Map<TextKey, string>();
  const textOf = (key: TextKey): string => {
    const text = known.get(key) ?? t(key, { skipInterpolation: true });
    // A late text that is not here yet may come.
    if (text !== key) known.set(key, text);
    return text;
  };
  const { interpolator } = i18next.services;
  const say: Say = (key, values) => {
    if (values === undefined) return textOf(key);
    const text = 'count' in values ? null : textOf(key);
    // Which text it is depends on the number, or another text is a part of it.
    if (text?.includes('$t(') !== false) return t(key, values);
    return interpolator.interpolate(text, values, language, {});
  };
  return {
    language: isLanguage(language) ? language : 'en-US',
    say,
    sayOf: (key, otherwise, values = {}) => t(key, { ...values, defaultValue: otherwise }),
  };
}

/** See `Speech`; a component outside of one does not notice that the language changes. */
export const SpeechContext = createContext<SpeechParts | null>(null);

const useSpeech = (): SpeechParts => useContext(SpeechContext) ?? speechNow(i18next);

export const useText = (): Say => useSpeech().say;

export const useLanguage = (): Language => useSpeech().language;

export const useTextOf = (): SayOf => useSpeech().sayOf;
