import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { NoAnswerError } from './environment.ts';
import { browserSession } from './session.ts';
import type { Session, SessionSnapshot, SignInOutcome, AccountStatus } from './session.ts';

const SessionContext = createContext<Session | null>(null);

interface Props {
  /** The browser's own when left out. */
  readonly session?: Session;
  readonly children: ReactNode;
}

/** Gives the screens below it the session, and asks whether a person who was known is so still. */
export function SessionProvider({ session = browserSession(), children }: Props) {
  const { state, accountStatus, userId } = useSyncExternalStore(
    session.subscribe,
    session.snapshot,
  );
  const isToAsk = state === 'signed-in' && accountStatus === 'unknown' && userId !== null;

  useEffect(() => {
    if (!isToAsk) return;
    session.identify().catch((error: unknown) => {
      // Offline nobody is locked out: what the device knows of the person holds.
      if (!(error instanceof NoAnswerError)) throw error;
    });
  }, [session, isToAsk]);

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** The person who is signed in; renders again when that changes, in another tab too. */
export function useSession(): SessionSnapshot {
  const session = useContext(SessionContext) ?? browserSession();
  return useSyncExternalStore(session.subscribe, session.snapshot);
}

/** `Session.identify` of the session that the screens were given. */
export function useIdentify(): Session['identify'] {
  return (useContext(SessionContext) ?? browserSession()).identify;
}

/** Leaves for the issuer and comes back to `/login`. @throws NoAnswerError without a connection */
export function signIn(): Promise<void> {
  return browserSession().signIn();
}

/** Completes the return from the issuer, for `/login?code=…`. */
export function completeSignIn(address: string): Promise<SignInOutcome> {
  return browserSession().completeSignIn(address);
}

/** Forgets the person and leaves the app; the caller clears the local data before. */
export function signOut(): Promise<void> {
  return browserSession().signOut();
}

/** Asks the server who this is; with `renew` by a fresh token. @throws NoAnswerError */
export function identify(options: { readonly renew?: boolean } = {}): Promise<AccountStatus> {
  return browserSession().identify(options);
}

/** Sends the mail to verify one's address again. @throws NoAnswerError */
export function sendVerification(): Promise<'sent' | 'too-soon'> {
  return browserSession().sendVerification();
}
