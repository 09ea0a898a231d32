import type { ServerError } from '#protocol/server-error.ts';
import { ErrorBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../changes/problem-text.ts';

/** Says the status of an answer of 500 or more, and the problem's title in the reader's language. */
export function useServerErrorText(): (serverError: ServerError) => string {
  const t = useText();
  const reasonOf = useProblemText();
  return (serverError) => {
    const { status } = serverError;
    const reason = reasonOf(serverError);
    return reason === ''
      ? t('errors.serverStatus', { status })
      : t('errors.serverSaid', { status, reason });
  };
}

interface Props {
  readonly serverError: ServerError;
  /** Stands for the whole page, so that its title is the page's. */
  readonly isPage: boolean;
  readonly onTryAgain: () => void;
}

/** Stands where nothing is on the device, and the server or what is before it is broken. */
export function ServerErrorBox({ serverError, isPage, onTryAgain }: Props) {
  const t = useText();
  const textOf = useServerErrorText();
  return (
    <ErrorBox title={t('errors.serverTitle')} isPage={isPage} onTryAgain={onTryAgain}>
      {textOf(serverError)}
      <br />
      {t('errors.listText')}
    </ErrorBox>
  );
}

/** The sentence alone, within a page that says the rest. */
export function ServerErrorLine({ serverError }: Pick<Props, 'serverError'>) {
  const textOf = useServerErrorText();
  return <p className="soft">{textOf(serverError)}</p>;
}
