import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SpeechContext, speechNow } from './text.ts';

/**
 * Says everything below in the person's language. It listens for a change of language, on behalf of
 * all texts.
 */
export function Speech({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const speech = useMemo(() => speechNow({ t, language }), [t, language]);
  return <SpeechContext.Provider value={speech}>{children}</SpeechContext.Provider>;
}
