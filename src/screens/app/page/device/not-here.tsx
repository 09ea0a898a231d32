import type { ComponentType, ReactNode } from 'react';
import type { ServerError } from '#protocol/server-error.ts';
import type { TypeName } from '#schema/index.ts';
import type { ListView } from '#data/model/views.ts';
import { useChanges } from '#data/react/hooks.ts';
import { ErrorBox, NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../late/late-part.tsx';

const loadServerErrorBox = loadWithTexts(
  async () => (await import('../late/server-error.tsx')).ServerErrorBox,
);

interface Props {
  /** What the server said of what is missing, where it is broken; left out: what it said last. */
  readonly serverError?: ServerError | undefined;
  readonly isPage?: boolean;
  /** Left out: everything that waits for the server is tried at once. */
  readonly onTryAgain?: () => void;
}

/** Stands where nothing is on the device: there was no connection, or the server is broken. */
export function NotHere({ serverError, isPage = false, onTryAgain }: Props) {
  const { serverError: last, sendNow } = useChanges();
  const said = serverError ?? last;
  const tryAgain = onTryAgain ?? sendNow;
  const notHere = <NotOnDevice isPage={isPage} onTryAgain={tryAgain} />;
  if (said === undefined) return notHere;
  return (
    <LatePart
      load={loadServerErrorBox}
      props={{ serverError: said, isPage, onTryAgain: tryAgain }}
      meanwhile={notHere}
      // A server that is broken may not bring the script either.
      frame={() => notHere}
    />
  );
}

interface WithoutRowsProps {
  readonly list: Pick<ListView<TypeName>, 'state' | 'serverError'>;
  /** Shown where the list is here; what a function brings comes when it is wanted. */
  readonly empty: ReactNode | (() => Promise<ComponentType>);
}

/** Stands in place of a list's rows, while there are none. */
export function WithoutRows({ list, empty }: WithoutRowsProps) {
  const t = useText();
  const { sendNow } = useChanges();
  switch (list.state) {
    case 'loading':
      return <Skeleton rows={6} />;
    case 'not-here':
      return <NotHere serverError={list.serverError} />;
    case 'error':
      return (
        <ErrorBox title={t('errors.listTitle')} onTryAgain={sendNow}>
          {t('errors.listText')}
        </ErrorBox>
      );
    case 'ready':
      return typeof empty === 'function' ? <LatePart load={empty} props={{}} /> : empty;
  }
}
