import i18next from 'i18next';
import { useEffect, useReducer } from 'react';
import { beforeLanguage, isLanguage, useLanguage, wantedLanguage } from './text.ts';
import type { Language, TextKey } from './text.ts';

const load = {
  'en-US': () => import(/* webpackChunkName: "late-text-en-US" */ '#text/en-US.json?late'),
  'es-419': () => import(/* webpackChunkName: "late-text-es-419" */ '#text/es-419.json?late'),
  'fr-FR': () => import(/* webpackChunkName: "late-text-fr-FR" */ '#text/fr-FR.json?late'),
} as const;

/** One of them: where it is, all of its language are. */
const ONE: TextKey = 'flow.facts';

const isHere = (language: Language): boolean => i18next.exists(ONE, { lng: language });

async function bring(language: Language): Promise<void> {
  if (isHere(language)) return;
  const { default: texts } = await load[language]();
  i18next.addResourceBundle(language, 'translation', texts);
}

/**
 * Brings what only screens say that come late, in the person's language; from then on in every
 * language before it shows. `speak` comes first.
 *
 * @throws what a script throws that cannot be had
 */
export async function speakLate(): Promise<void> {
  beforeLanguage(bring);
  const { language } = i18next;
  // One that was asked for meanwhile may be past the point at which it would bring them itself.
  await Promise.all(
    [wantedLanguage(), isLanguage(language) ? language : wantedLanguage()].map(bring),
  );
}

/**
 * Brings them while `isWanted`, for a part of the first load that hardly ever says one of them.
 *
 * @returns whether they are wanted and here; false for good where they cannot be had
 */
export function useLateTexts(isWanted: boolean): boolean {
  const language = useLanguage();
  const [, showAnew] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (isWanted && !isHere(language)) speakLate().then(showAnew, () => undefined);
  }, [isWanted, language]);
  return isWanted && isHere(language);
}
