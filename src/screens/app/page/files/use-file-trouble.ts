import { useCallback } from 'react';
import { limits } from '#protocol/limits.ts';
import type { FileRequestFailure } from '#files/file-requests.ts';
import type { Unfit } from '#files/uploading.ts';
import { useLanguage, useText, useTextOf } from '#ui/text/text.ts';
import { useProblemText } from '../changes/problem-text.ts';
import { sizeOf } from '#base/file-size.ts';

/** The most that a file may weigh, in a round number below the limit: "100 MB". */
export function mostOf(language: string): string {
  return sizeOf(limits.repositoryBytes - (limits.repositoryBytes % 10_000_000), language);
}

/** Says in the reader's language why a file did not go where it should. */
export function useFileTrouble(): (trouble: FileRequestFailure | Unfit) => string {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  const reasonOf = useProblemText();
  return useCallback(
    (trouble) => {
      switch (trouble.is) {
        case 'no-answer':
          return t('files.noAnswer');
        case 'sign-in':
          return t('files.signIn');
        case 'unfit':
          return t(`files.refused.${trouble.why}`, { limit: mostOf(language) });
        case 'refused': {
          const { problem } = trouble;
          const { reason, entry } = problem.meta ?? {};
          const why = typeof reason === 'string' ? reason : problem.code;
          const said = textOf(`files.refused.${why}`, reasonOf(problem), {
            limit: mostOf(language),
          });
          return typeof entry === 'string' ? `${said} ${t('files.entry', { entry })}` : said;
        }
      }
    },
    [t, textOf, language, reasonOf],
  );
}
