import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useLanguage } from './text.ts';
import type { Language, TextKey } from './text.ts';

const load = {
  'en-US': () => import(/* webpackChunkName: "late-text-en-US" */ '#text/en-US.json?late'),
  'es-419': () => import(/* webpackChunkName: "late-text-es-419" */ '#text/es-419.json?late'),
  'fr-FR': () => import(/* webpackChunkName: "late-text-fr-FR" */ '#text/fr-FR.json?late'),
} as const;

/** One of them: where it is, all of its language are. */
const ONE: TextKey = 'flow.facts';

const isHere = (language: Language): boolean => i18next.exists(ONE, { lng: language });

/** Adds what only late screens say in `language`; `speak` comes first. */
export async function speakLate(language: Language): Promise<void> {
  if (isHere(language)) return;
  const { default: texts } = await load[language]();
  i18next.addResourceBundle(language, 'translation', texts);
}

/** Whether what only late screens say is here; loads it when it is not, at a change of language too. */
export function useLateTexts(): boolean {
  const language = useLanguage();
  const [failure, setFailure] = useState<unknown>(null);
  const [, draw] = useState<Language | null>(null);
  useEffect(() => {
    speakLate(language).then(() => {
      draw(language);
    }, setFailure);
  }, [language]);
  // Such a part that cannot be had is told where a script would be.
  if (failure !== null) throw failure as Error;
  return isHere(language);
}
