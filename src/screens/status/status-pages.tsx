import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { sendVerification, signOut } from '#session/sign-in.tsx';
import { useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { SignInAgain } from '../changes/sign-in-again.tsx';
import { useOnline } from '../app/page/device/use-online.ts';
import { FocusPage } from '../app/page/focus-page.tsx';
import { ignoreNoAnswer, useKeptOut } from './kept-out.ts';
import { WaitingHere } from './waiting-here.tsx';

function SignOutButton() {
  const t = useText();
  return <Button onClick={() => void signOut()}>{t('header.signOut')}</Button>;
}

/** `/verify-email`: goes on by itself once the address is verified. */
export function VerifyEmail() {
  const t = useText();
  const isOnline = useOnline();
  // Only a new token knows of the address.
  const { session, from } = useKeptOut({ renew: true });
  const [sent, setSent] = useState<'sent' | 'too-soon' | 'no-answer' | null>(null);

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
      <p>{t('status.verify.text', { email: session.claims?.email ?? '' })}</p>
      {session.state === 'expired' && <SignInAgain returnTo={from} />}
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
      <WaitingHere />
    </FocusPage>
  );
}

/** `/not-active-user`: goes on by itself after the unlock, or asks for the sign-in that it takes. */
export function NotActiveUser() {
  const t = useText();
  const { session, from } = useKeptOut({ renew: false });
  const isEnded = session.state === 'expired';
  return (
    <FocusPage title={isEnded ? t('status.notActive.signIn') : t('status.notActive.title')}>
      {isEnded ? <SignInAgain returnTo={from} /> : <p>{t('status.notActive.text')}</p>}
      <div className="button-row">
        <SignOutButton />
      </div>
      <WaitingHere />
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
