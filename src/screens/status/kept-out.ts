import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { NoAnswerError } from '#session/environment.ts';
import { identify, useSession } from '#session/sign-in.tsx';
import type { SessionSnapshot } from '#session/session.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';

const ASK_EVERY_MS = 5_000;

/**
 * The page where somebody was when the server stopped answering them, as the state of the page that
 * says so.
 */
interface KeptOutFrom {
  readonly from: string;
}

interface KeptOut {
  readonly session: SessionSnapshot;
  readonly from: string;
}

/**
 * Used by a page that is open while the server answers the person nothing: it asks every few
 * seconds whether it does again, and then goes back to where they were.
 */
export function useKeptOut({ renew }: { readonly renew: boolean }): KeptOut {
  const { later } = useUiEnvironment();
  const go = useNavigate();
  const session = useSession();
  const { from = '/tasks' } = (useLocation().state ?? {}) as Partial<KeptOutFrom>;
  const [round, setRound] = useState(0);
  useEffect(
    () =>
      later(() => {
        void identify({ renew })
          .catch(ignoreNoAnswer)
          .then(() => {
            setRound(round + 1);
          });
      }, ASK_EVERY_MS),
    [later, round, renew],
  );
  const isLetIn = session.accountStatus === 'active';
  useEffect(() => {
    if (isLetIn) void go(from, { replace: true });
  }, [isLetIn, go, from]);
  return { session, from };
}

export function ignoreNoAnswer(error: unknown): void {
  if (!(error instanceof NoAnswerError)) throw error;
}
