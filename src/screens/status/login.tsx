import { useEffect, useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import { paths } from '#protocol/paths.ts';
import { keptReturnTo } from '#session/return-to.ts';
import type { SignInOutcome } from '#session/session.ts';
import { completeSignIn, useSession } from '#session/sign-in.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { LanguageMenu } from '../app/page/device/language-menu.tsx';
import { FocusPage } from '../app/page/focus-page.tsx';
import { SignInButton } from '../app/page/sign-in-button.tsx';

type Failure = Extract<SignInOutcome, { is: 'failed' }>['reason'];

/** `/login`: to the identity provider, and the way back from it. */
export function Login() {
  const t = useText();
  const go = useNavigate();
  const { state } = useSession();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isReturning, setReturning] = useState(isReturn);
  const [isInvited] = useState(isFromInvitation);

  useEffect(() => {
    if (!isReturning) return;
    void completeSignIn(location.href).then((outcome) => {
      // Until the wanted page is there this one stays: whoever is signed in is sent to their tasks.
      if (outcome.is === 'signed-in')
        void go(placeAfter(outcome), {
          replace: true,
          state: { from: outcome.returnTo ?? undefined },
        });
      else {
        setReturning(false);
        setFailure(outcome.reason);
        void go('/login', { replace: true });
      }
    });
  }, [isReturning, go]);

  if (isReturning)
    return (
      <FocusPage title={t('login.returning')}>
        <p className="soft">{t('login.oneMoment')}</p>
      </FocusPage>
    );
  if (state === 'signed-in') return <Navigate to="/tasks" replace />;
  return (
    <FocusPage title={t('login.title')}>
      <p className="soft">{t('login.tagline')}</p>
      {isInvited && <Note tone="info">{t('login.invited')}</Note>}
      {failure !== null && <Note tone="error">{t(`login.failed.${failure}`)}</Note>}
      <SignInButton
        label={failure === null ? t('login.signIn') : t('common.tryAgain')}
        onFailure={() => {
          setFailure('no-answer');
        }}
      />
      <p className="caption">{t('login.createAccount')}</p>
      {!isInvited && (
        <p className="caption">
          {t('login.organizations')}{' '}
          <Link to="/request-access-for-organization">{t('login.requestAccess')}</Link>
        </p>
      )}
      <div className="focus-foot">
        <LanguageMenu />
        <span className="caption">
          <Link to="/open-source">{t('openSource.title')}</Link>
        </span>
      </div>
    </FocusPage>
  );
}

/** Says whether the address is a return from the provider. */
function isReturn(): boolean {
  const query = new URLSearchParams(location.search);
  return query.has('state') && (query.has('code') || query.has('error'));
}

/** Says whether they came by the link in the mail of an invitation to an organization. */
function isFromInvitation(): boolean {
  return keptReturnTo()?.startsWith('/invitations/organization-membership/') === true;
}

function placeAfter(outcome: Extract<SignInOutcome, { is: 'signed-in' }>): string {
  if (outcome.accountStatus === 'email-not-verified') return '/verify-email';
  if (outcome.accountStatus === 'locked') return '/not-active-user';
  // Whoever had to sign in again for their account has done so.
  if (outcome.returnTo === paths.signInForAccount) return '/account';
  return outcome.returnTo ?? '/tasks';
}
