import { EmptyBox, ErrorBox, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../changes/problem-text.ts';
import { useServerErrorText } from '../late/server-error.tsx';
import type { OnlineQuery } from './use-online-query.ts';

interface Props {
  readonly query: Pick<OnlineQuery<unknown>, 'known' | 'tryAgain'>;
  /** The number of rows that are drawn while the answer is coming. */
  readonly rows: number;
  /** The title where there is no connection. */
  readonly offline: string;
  /** The title where the server did not answer, or refused to. */
  readonly noAnswer: string;
  readonly noAnswerText: string;
}

/** Stands for what only the server knows as long as it has not told: it is coming, or why it is not. */
export function WithoutAnswer({ query, rows, offline, noAnswer, noAnswerText }: Props) {
  const t = useText();
  const reasonOf = useProblemText();
  const serverErrorTextOf = useServerErrorText();
  const { known, tryAgain } = query;
  switch (known.is) {
    case 'coming':
    case 'told':
      return <Skeleton rows={rows} />;
    case 'offline':
      return (
        <EmptyBox icon="cloudOff" title={offline}>
          {t('admin.audit.offlineText')}
        </EmptyBox>
      );
    case 'no-answer':
    case 'refused':
      return (
        <ErrorBox title={noAnswer} onTryAgain={tryAgain}>
          {known.is === 'refused'
            ? reasonOf(known.problem)
            : known.serverError === undefined
              ? noAnswerText
              : serverErrorTextOf(known.serverError)}
        </ErrorBox>
      );
  }
}
