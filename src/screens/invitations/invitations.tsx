import { useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate, useParams } from 'react-router-dom';
import type { ErrorObject } from '#protocol/problem.ts';
import { chooseOrganization } from '#session/organization.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { useSession } from '#session/sign-in.tsx';
import { acceptInvitation, foundOrganization } from '#data/actions/invitations.ts';
import type { Founding } from '#data/actions/invitations.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useChanges, useData, useViewer } from '#data/react/hooks.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { useOnline } from '../app/page/device/use-online.ts';
import { FocusPage } from '../app/page/focus-page.tsx';
import { NotFoundPage } from '../app/page/not-found.tsx';
import { SignInButton } from '../app/page/sign-in-button.tsx';
import { CardForm } from './card-form.tsx';
import type { CardTrouble } from './card-form.tsx';

/** `/invitations/missing-token`, where a link leads that lacks its end. */
export function MissingToken() {
  const t = useText();
  const { search } = useLocation();
  if (new URLSearchParams(search).has('token')) return <NotFoundPage />;
  return (
    <FocusPage title={t('invitations.missingToken.title')}>
      <p>{t('invitations.missingToken.text')}</p>
      <HomeLink />
    </FocusPage>
  );
}

function HomeLink() {
  const t = useText();
  return (
    <div className="button-row">
      <Link className="ui primary button" to="/">
        {t('status.home')}
      </Link>
    </div>
  );
}

const TRY_EVERY_MS = 5_000;

/** `/invitations/organization-membership/{token}`: redeems it, once, and goes on. */
export function MembershipInvitation() {
  const t = useText();
  const go = useNavigate();
  const { token = '' } = useParams();
  const data = useData();
  const { later } = useUiEnvironment();
  const isOnline = useOnline();
  const [send] = useState(() => acceptInvitation(data, token));
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<OnlineResult<string> | null>(null);
  const isUnderWay = useRef(false);
  const isUndecided = answer === null || answer.is === 'no-answer';

  useEffect(() => {
    if (!isOnline || !isUndecided || isUnderWay.current) return;
    const redeem = async () => {
      isUnderWay.current = true;
      const result = await send();
      isUnderWay.current = false;
      setAnswer(result);
      if (result.is === 'told' && result.value !== '')
        void go('/organization-membership-changed', { replace: true });
      else setRound(round + 1);
    };
    return later(() => void redeem(), round === 0 ? 0 : TRY_EVERY_MS);
  }, [isOnline, isUndecided, round, send, go, later]);

  const failure = useFailureOf(answer);
  const { state } = useSession();
  if (state === 'expired')
    return (
      <FocusPage title={t('status.notActive.signIn')}>
        <ToSignIn />
      </FocusPage>
    );
  if (failure === null)
    return (
      <FocusPage title={t('organization-membership.invite.loading')}>
        <div role="status">
          {!isOnline && <Note tone="info">{t('sync.needsConnection')}</Note>}
          {isOnline && answer?.is === 'no-answer' && (
            <Note tone="warning">{t('organization-membership.invite.noAnswer')}</Note>
          )}
        </div>
      </FocusPage>
    );
  return (
    <FocusPage title={t('organization-membership.invite.error.title')}>
      <div role="alert">
        <Note tone="error">{failure}</Note>
      </div>
      <HomeLink />
    </FocusPage>
  );
}

const QUOTED_CHARACTERS = 200;

/** What is wrong with an invitation, by the codes of the server (domain 9.2, I5). */
const REFUSALS = {
  'invite-not-found': 'not-found',
  'invite-redeemed': 'redeemed',
  'invite-expired': 'expired',
  'not-signed-in': 'user-not-found',
} as const;

type RefusalCode = keyof typeof REFUSALS;
const isKnown = (code: string): code is RefusalCode => code in REFUSALS;

/** Says why an invitation was not taken; null: it was, or nobody knows yet. */
function useFailureOf(answer: OnlineResult<string> | null): string | null {
  const t = useText();
  const reasonOf = useRefusalText();
  switch (answer?.is) {
    case 'refused':
      return reasonOf(answer.problem);
    case 'told':
      return answer.value === ''
        ? t('organization-membership.invite.error.invalid-response')
        : null;
    case 'no-answer':
    case undefined:
      return null;
  }
}

/** Says why the server refused an invitation; of a reason that is new it quotes the server. */
function useRefusalText(): (problem: ErrorObject) => string {
  const t = useText();
  return ({ code, title, detail }) => {
    if (isKnown(code)) return t(`organization-membership.invite.error.${REFUSALS[code]}`);
    const answer = Array.from(detail ?? title)
      .slice(0, QUOTED_CHARACTERS)
      .join('');
    return t('organization-membership.invite.error.unexpected', { answer });
  };
}

/** `/invitations/organization/{token}`: what is offered there, to who is not signed in yet. */
export function BeforeOrganizationInvitation() {
  const t = useText();
  const { state } = useSession();
  if (state === 'signed-in') return <Outlet />;
  return (
    <FocusPage title={t('invitations.organization.title')}>
      <p>{t('invitations.organization.text')}</p>
      <p className="soft">{t('invitations.organization.signedOut')}</p>
      <ToSignIn />
    </FocusPage>
  );
}

/** The way to sign in, and back to this invitation. */
function ToSignIn() {
  const t = useText();
  const { pathname, search } = useLocation();
  const [hasFailed, setFailed] = useState(false);
  return (
    <>
      {hasFailed && <Note tone="error">{t('login.failed.no-answer')}</Note>}
      <SignInButton
        label={t('invitations.signIn')}
        onLeave={() => {
          keepReturnTo(pathname + search);
        }}
        onFailure={() => {
          setFailed(true);
        }}
      />
    </>
  );
}

/** The form by which an invited person creates their organization. */
export function OrganizationInvitation() {
  const t = useText();
  const data = useData();
  const isOffline = useChanges().status === 'offline';
  const { token = '' } = useParams();
  const query = new URLSearchParams(useLocation().search);
  const reasonOf = useProblemText();
  const refusalOf = useRefusalText();
  const unanswered = useRef<{ of: string; send: () => Promise<OnlineResult<string>> } | null>(null);
  const [founded, setFounded] = useState<string | null>(null);
  useGoesOn(founded);

  const found = async ({ name, websiteUrl }: Record<'name' | 'websiteUrl', string>) => {
    const fields: Founding = { name: name.trim(), websiteUrl: websiteUrl.trim(), token };
    const of = JSON.stringify(fields);
    // The same once more, after no answer, is the same request.
    const send =
      unanswered.current?.of === of ? unanswered.current.send : foundOrganization(data, fields);
    unanswered.current = { of, send };
    const answer = await send();
    if (answer.is === 'no-answer') return { field: null, reason: t('login.failed.no-answer') };
    unanswered.current = null;
    if (answer.is === 'refused') return troubleOf(answer.problem);
    if (answer.value === '')
      return { field: null, reason: t('organization-membership.invite.error.invalid-response') };
    setFounded(answer.value);
    return null;
  };
  const troubleOf = (problem: ErrorObject): CardTrouble => {
    if (problem.code !== 'invalid') return { field: null, reason: refusalOf(problem) };
    const field = problem.source?.pointer?.split('/').at(-1) ?? null;
    return { field, reason: reasonOf(problem) };
  };
  if (founded !== null)
    return (
      <FocusPage title={t('invitations.organization.preparing')}>
        <p role="status">{t('login.oneMoment')}</p>
        <HomeLink />
      </FocusPage>
    );
  return (
    <FocusPage title={t('invitations.organization.title')}>
      <p className="soft">{t('invitations.organization.text')}</p>
      <CardForm
        of="organization"
        draft={`organization.${token}`}
        initial={{ name: query.get('name') ?? '', websiteUrl: query.get('websiteUrl') ?? '' }}
        fields={[
          {
            name: 'name',
            label: t('fields.name'),
            type: 'text',
            isRequired: true,
            autoComplete: 'organization',
          },
          {
            name: 'websiteUrl',
            label: t('fields.website-url'),
            type: 'url',
            isRequired: false,
            autoComplete: 'url',
          },
        ]}
        submitLabel={t('invitations.organization.add')}
        isOffline={isOffline}
        onSubmit={found}
      />
    </FocusPage>
  );
}

/** Looks at the new organization, and leads on, as soon as it is on this device. */
function useGoesOn(founded: string | null): void {
  const t = useText();
  const go = useNavigate();
  const show = useToast();
  const { memberOf } = useViewer();
  const isHere = founded !== null && memberOf.has(founded);
  useEffect(() => {
    if (!isHere) return;
    chooseOrganization(founded);
    show({ tone: 'success', title: t('org.createSuccess') });
    void go('/tasks', { replace: true });
  }, [isHere, founded, go, show, t]);
}
