import { useState, useEffect } from 'react';
import { Link, Navigate, useNavigate, useLocation } from 'react-router-dom';
import { sendVerification, signOut, identify, useSession } from '#session/sign-in.tsx';
import { useViewer, useChanges, DataContext } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { SignInAgain } from '../changes/sign-in-again.tsx';
import { useOnline } from '../app/page/device/use-online.ts';
import { FocusPage } from '../app/page/focus-page.tsx';
import { NoAnswerError } from '#session/environment.ts';
import type { SessionSnapshot } from '#session/session.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { Slices } from '#ui/table/slices.tsx';
import { textOfAll } from '../changes/lost-groups.tsx';
import { useReadable } from '../changes/readable.ts';
import { saveAsFile } from '../app/page/device/save-as-file.ts';
import { useDataOf } from '../app/page/device/data-opener.ts';
import { recordMark } from '../app/page/changes/record-badge.tsx';

function SignOutButton() {
  const t = useText();
  return <Button onClick={() => void signOut()}>{t('header.signOut')}</Button>;
}

/** Stands for every page where the sign-in has ended before anything came to this device. */
export function SignInEnded() {
  const t = useText();
  return (
    <FocusPage title={t('login.title')}>
      <SignInAgain />
      <SignOutButton />
    </FocusPage>
  );
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
  const email = session.claims?.email ?? null;
  return (
    <FocusPage title={t('status.verify.title')}>
      <p>{email === null ? t('status.verify.unknown') : t('status.verify.text', { email })}</p>
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
      <p>
        <Link to="/request-access-for-organization">{t('login.requestAccess')}</Link>
      </p>
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
function useKeptOut({ renew }: { readonly renew: boolean }): KeptOut {
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

function ignoreNoAnswer(error: unknown): void {
  if (!(error instanceof NoAnswerError)) throw error;
}

const LINE_PX = 44;

/**
 * Shows which of the person's changes wait on this device while the server answers them nothing.
 */
function WaitingHere() {
  const { userId } = useSession();
  return userId === null ? null : <WaitingOf userId={userId} />;
}

function WaitingOf({ userId }: { readonly userId: string }) {
  return (
    <DataContext.Provider value={useDataOf(userId)}>
      <Waiting />
    </DataContext.Provider>
  );
}

function Waiting() {
  const t = useText();
  const { sentence } = useReadable();
  const { waiting, attention, rows, exportText } = useChanges();
  if (waiting + attention === 0) return null;
  const open = rows.filter(({ state }) => state !== 'done');
  const label = t('sync.waiting', { count: open.length });
  return (
    <section className="waiting-here">
      <p>
        <strong>{label}</strong>
      </p>
      <div className="waiting-list">
        <Slices rows={open} label={label} rowPx={LINE_PX}>
          {({ id, says, about, madeAt }) => (
            <div key={id} role="listitem" dir="auto" data-record={recordMark(about.type, about.id)}>
              {sentence(says)}
              <Dot />
              <span className="caption">
                <RelativeTime at={madeAt} />
              </span>
            </div>
          )}
        </Slices>
      </div>
      <Button
        onClick={() => {
          saveAsFile('slipway-changes.json', textOfAll(open, exportText));
        }}
      >
        {t('changes.exportAll')}
      </Button>
    </section>
  );
}
