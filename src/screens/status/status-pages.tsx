import { useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { NoAnswerError } from '#session/environment.ts';
import { identify, sendVerification, signOut, useSession } from '#session/sign-in.tsx';
import { useViewer } from '#data/use-viewer.ts';
import { Button } from '#ui/button.tsx';
import { NeedsConnection, Note } from '#ui/boxes.tsx';
import { useSurroundings } from '#ui/surroundings.tsx';
import { useText } from '#ui/text.ts';
import { useOnline } from '../shell/use-online.ts';
import { FocusPage } from './focus-page.tsx';

const ASK_EVERY_MS = 5_000;

/** Asks the server every few seconds who this is, while the page is open. */
function useKeepAsking(): void {
  const { later } = useSurroundings();
  const [round, setRound] = useState(0);
  useEffect(
    () =>
      later(() => {
        void identify({ renew: true })
          .catch(ignoreNoAnswer)
          .then(() => {
            setRound(round + 1);
          });
      }, ASK_EVERY_MS),
    [later, round],
  );
}

function ignoreNoAnswer(error: unknown): void {
  if (!(error instanceof NoAnswerError)) throw error;
}

function SignOutButton() {
  const t = useText();
  return <Button onClick={() => void signOut()}>{t('header.signOut')}</Button>;
}

/** `/verify-email`: goes on by itself once the address is verified. */
export function VerifyEmail() {
  const t = useText();
  const go = useNavigate();
  const isOnline = useOnline();
  const { standing, claims } = useSession();
  const [sent, setSent] = useState<'sent' | 'too-soon' | 'no-answer' | null>(null);
  useKeepAsking();
  useEffect(() => {
    if (standing === 'active') void go('/tasks', { replace: true });
  }, [standing, go]);

  const send = async () => {
    try {
      setSent(await sendVerification());
    } catch (error) {
      ignoreNoAnswer(error);
      setSent('no-answer');
    }
  };
  return (
    <FocusPage title={t('status.verify.title')}>
      <p>{t('status.verify.text', { email: claims?.email ?? '' })}</p>
      <div role="status">
        {sent !== null && (
          <Note tone={sent === 'sent' ? 'info' : 'warning'}>{t(`status.verify.${sent}`)}</Note>
        )}
      </div>
      <div className="button-row">
        <Button
          primary
          disabled={!isOnline}
          aria-describedby={isOnline ? undefined : 'verify-needs'}
          onClick={() => void send()}
        >
          {t('status.verify.again')}
        </Button>
        <SignOutButton />
        {!isOnline && <NeedsConnection id="verify-needs" />}
      </div>
    </FocusPage>
  );
}

/** `/not-active-user` */
export function NotActiveUser() {
  const t = useText();
  const go = useNavigate();
  const { standing } = useSession();
  useKeepAsking();
  useEffect(() => {
    if (standing === 'active') void go('/tasks', { replace: true });
  }, [standing, go]);
  return (
    <FocusPage title={t('status.notActive.title')}>
      <p>{t('status.notActive.text')}</p>
      <div className="button-row">
        <SignOutButton />
      </div>
    </FocusPage>
  );
}

/** `/organization-membership-required`: goes on by itself when a membership arrives. */
export function MembershipRequired() {
  const t = useText();
  const viewer = useViewer();
  if (viewer.isSuperAdmin || viewer.memberOf.size > 0) return <Navigate to="/tasks" replace />;
  return (
    <FocusPage title={t('errors.orgMembershipRequired')}>
      <p>{t('status.required.text')}</p>
      <p>{t('status.required.invitation')}</p>
      <div className="button-row">
        <SignOutButton />
      </div>
    </FocusPage>
  );
}

/** `/organization-membership-changed` */
export function MembershipChanged() {
  const t = useText();
  const go = useNavigate();
  return (
    <FocusPage title={t('status.changed.title')}>
      <p>{t('status.changed.text')}</p>
      <div className="button-row">
        <Button primary onClick={() => void go('/tasks')}>
          {t('status.changed.continue')}
        </Button>
        <SignOutButton />
      </div>
    </FocusPage>
  );
}
