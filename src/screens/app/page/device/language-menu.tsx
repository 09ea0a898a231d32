import { useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import { isLanguage, LANGUAGES, speak, useLanguage, useText } from '#ui/text/text.ts';
import type { Language } from '#ui/text/text.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { isMissingScript } from '../late/late-part.tsx';

/** The key under which the choice of this device is kept. */
export const LANGUAGE_KEY = 'slipway.language';

/** The key under which the language of `user` is kept on this device. */
export const languageKeyOf = (user: string): string => `${LANGUAGE_KEY}.${user}`;

interface Props {
  /** Called as well, so that the choice can be saved for a person who is signed in. */
  readonly onChosen?: (language: Language) => void;
}

/** `en`, `es` or `fr`; switches at once. */
export function LanguageMenu({ onChosen }: Props) {
  const t = useText();
  const { storage } = useUiEnvironment();
  const show = useToast();
  const present = useLanguage();
  const choose = async (language: Language) => {
    try {
      await speak(language);
    } catch (error) {
      if (!isMissingScript(error)) throw error;
      show({
        tone: 'error',
        title: t('errors.partMissing'),
        detail: t('errors.partMissingText'),
      });
      return;
    }
    writeSetting(storage, LANGUAGE_KEY, language);
    onChosen?.(language);
  };
  const entries = Object.keys(LANGUAGES)
    .filter(isLanguage)
    .map((language) => ({
      id: language,
      label: LANGUAGES[language],
      lang: language,
      isChosen: language === present,
      run: () => void choose(language),
    }));
  return (
    <MenuButton label={t('header.language', { language: LANGUAGES[present] })} entries={entries}>
      <Icon name="globe" />
      <span aria-hidden>{present.slice(0, 2)}</span>
    </MenuButton>
  );
}
