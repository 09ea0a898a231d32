import { useEffect } from 'react';
import { useViewer } from '#data/react/hooks.ts';
import { readSetting, useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import type { KeyValueStorage } from '#ui/ui-environment.tsx';
import { isLanguage, languageFor, speak } from '#ui/text/text.ts';
import type { Language } from '#ui/text/text.ts';
import { LANGUAGE_KEY, languageKeyOf } from '../page/device/language-menu.tsx';
import { isMissingScript } from '../page/late/late-part.tsx';

/** Someone who chose a language elsewhere finds it here too, unless this device has its own. */
export function ViewerLanguage() {
  const { storage } = useUiEnvironment();
  const { id, locale } = useViewer().user;
  useEffect(() => {
    const isKnown = isLanguage(locale);
    // Every page begins with it from now on, also where it never reads the person's record.
    writeSetting(storage, languageKeyOf(id), isKnown ? locale : null);
    if (!isKnown || isLanguage(readSetting(storage, LANGUAGE_KEY))) return;
    speak(locale).catch((error: unknown) => {
      // The page goes on in the language that it speaks.
      if (!isMissingScript(error)) throw error;
    });
  }, [storage, id, locale]);
  return null;
}

/**
 * Says which language a page begins with: this device's own choice, else that of `user`, who is signed
 * in, else the one that the browser asks for, most wanted first.
 */
export function firstLanguage(
  storage: KeyValueStorage,
  user: string | null,
  wanted: readonly string[],
): Language {
  const chosen = readSetting(storage, LANGUAGE_KEY);
  const own = user === null ? null : readSetting(storage, languageKeyOf(user));
  return [chosen, own].find(isLanguage) ?? languageFor(wanted);
}
