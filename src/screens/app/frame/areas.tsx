import {
  createContext,
  memo,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { Navigate, Outlet, useLocation, useMatches } from 'react-router-dom';
import type { ServerError } from '#protocol/server-error.ts';
import { NoAnswerError } from '#session/environment.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { signOut, useIdentify, useSession } from '#session/sign-in.tsx';
import { chooseOrganization, useOrganization, watchOrganization } from '#session/organization.ts';
import { DataProvider } from '#data/react/data-provider.tsx';
import {
  useAreOrganizationsComing,
  useChanges,
  useData,
  useOrganizations,
  useViewer,
} from '#data/react/hooks.ts';
import type { ViewerStatus } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { useIsSlow } from '#ui/status/boxes.tsx';
import { never } from '#base/never.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText } from '#ui/text/text.ts';
import { LateNotFoundPage } from '../page/late-not-found.tsx';
import { FocusPage } from '../page/focus-page.tsx';
import { useDataOf } from '../page/device/data-opener.ts';
import { Shell } from './shell.tsx';
import { ViewerLanguage } from './viewer-language.ts';
import { ViewerTimeZone } from './viewer-time-zone.tsx';
import { LatePart, loadWithTexts, ReloadButton } from '../page/late/late-part.tsx';
import { useOnline } from '../page/device/use-online.ts';

/** Marks the route of every address that there is not. */
export const UNKNOWN = 'unknown';

/** Says whether there is nothing at the address. */
function useIsUnknown(): boolean {
  return useMatches().at(-1)?.handle === UNKNOWN;
}

const KEPT_OUT_AT = {
  unknown: null,
  active: null,
  locked: '/not-active-user',
  'email-not-verified': '/verify-email',
} as const;

/** Whether a person was told that the server is waited for: they see that until they see a page. */
const WaitingContext = createContext<readonly [boolean, (isTold: boolean) => void]>([
  false,
  () => undefined,
]);

/** Whoever is signed in, or was when the connection went; others are sent to `/login` and back. */
export function SignedIn() {
  const [isTold, setTold] = useState(false);
  const waiting = useMemo(() => [isTold, setTold] as const, [isTold]);
  const { state, accountStatus, userId } = useSession();
  const { pathname, search, hash } = useLocation();
  // A sign-in that ended before the server said whose it is leaves nothing to show.
  const isSignedOut = state === 'signed-out' || (state === 'expired' && userId === null);
  const isUnknown = useIsUnknown();
  const wanted = pathname + search + hash;
  useEffect(() => {
    if (isSignedOut && !isUnknown) keepReturnTo(wanted);
  }, [isSignedOut, isUnknown, wanted]);

  // The session alone says whether they are kept out: the local copy reports to it what the server
  // answers.
  const page = KEPT_OUT_AT[accountStatus];
  if (isUnknown && (isSignedOut || page !== null)) return <LateNotFoundPage />;
  if (isSignedOut) return <Navigate to="/login" replace />;
  if (page !== null) return <Navigate to={page} state={{ from: wanted }} replace />;
  return (
    <WaitingContext.Provider value={waiting}>
      {userId === null ? <FirstVisit /> : <WithData userId={userId} />}
    </WaitingContext.Provider>
  );
}

/**
 * Gives the pages below the device's copy, once it is known who this is. Another address does not
 * render it anew: it has the legacy context of `react-orbitjs`, by which React would render every
 * component below anew, too.
 */
const WithData = memo(function WithData({ userId }: { readonly userId: string }) {
  const data = useDataOf(userId);
  return (
    <DataProvider data={data} fallback={(status) => <NotReady status={status} />}>
      <ViewerLanguage />
      <ViewerTimeZone>
        <Outlet />
      </ViewerTimeZone>
    </DataProvider>
  );
});

const loadServerErrorLine = loadWithTexts(
  async () => (await import('../page/late/server-error.tsx')).ServerErrorLine,
);
const loadSignInEnded = loadWithTexts(
  async () => (await import('../../status/status-pages.tsx')).SignInEnded,
);

function NotReady({ status }: { readonly status: Exclude<ViewerStatus, 'ready'> }) {
  const t = useText();
  const [isTold] = useContext(WaitingContext);
  const { serverError } = useChanges();
  switch (status) {
    case 'starting':
      return isTold ? <NobodyYet serverError={serverError} /> : <PageLoader />;
    case 'loading':
    case 'email-not-verified':
    case 'user-locked':
      return <NobodyYet serverError={serverError} />;
    case 'sign-in':
      return <LatePart load={loadSignInEnded} props={{}} />;
    case 'client-too-old':
      return (
        <FocusPage title={t('update.title')}>
          <p>{t('update.tooOld')}</p>
          <div className="button-row">
            <ReloadButton>{t('update.reload')}</ReloadButton>
          </div>
        </FocusPage>
      );
    default:
      return never(status);
  }
}

const ASK_AFTER_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000];
const ASK_EVERY_MS = 30_000;

interface FailedAttempts {
  readonly isOnline: boolean;
  readonly attempts: number;
  readonly serverError?: ServerError | undefined;
}

/** Asks who this is until the server answers: at once, when the network comes back, then ever less often. */
function FirstVisit() {
  const { later } = useUiEnvironment();
  const identify = useIdentify();
  const isOnline = useOnline();
  const [failed, setFailed] = useState<FailedAttempts>({ isOnline, attempts: 0 });
  const attempts = failed.isOnline === isOnline ? failed.attempts : 0;
  useEffect(() => {
    const ask = async () => {
      let serverError: ServerError | undefined;
      const status = await identify().catch((error: unknown) => {
        if (!(error instanceof NoAnswerError)) throw error;
        ({ serverError } = error);
        return 'unknown';
      });
      if (status === 'unknown') setFailed({ isOnline, attempts: attempts + 1, serverError });
    };
    return later(() => void ask(), ASK_AFTER_MS[attempts] ?? ASK_EVERY_MS);
  }, [attempts, identify, isOnline, later]);
  return <NobodyYet serverError={attempts === 0 ? undefined : failed.serverError} />;
}

/** Shows while the server has not said yet who this is, and may not be reachable. */
function NobodyYet({ serverError }: { readonly serverError: ServerError | undefined }) {
  const t = useText();
  const isUnknown = useIsUnknown();
  const isSlow = useIsSlow(true);
  const [isTold, setIsTold] = useContext(WaitingContext);
  useEffect(() => {
    if (isSlow) setIsTold(true);
  }, [isSlow, setIsTold]);
  if (!isSlow && !isTold) return <PageLoader />;
  // Whoever it is, the server has nothing to add.
  if (isUnknown) return <LateNotFoundPage />;
  return (
    <FocusPage title={t('loader.title')}>
      {serverError === undefined ? (
        <p>{t('loader.text')}</p>
      ) : (
        <LatePart
          load={loadServerErrorLine}
          props={{ serverError }}
          frame={() => <p>{t('loader.text')}</p>}
        />
      )}
      <div className="button-row">
        <ReloadButton>{t('common.tryAgain')}</ReloadButton>
        <Button onClick={() => void signOut()}>{t('header.signOut')}</Button>
      </div>
    </FocusPage>
  );
}

function PageLoader() {
  const t = useText();
  const isSlow = useIsSlow(true);
  return (
    <div className="page-loader" role="status">
      {isSlow ? t('common.loading') : ''}
    </div>
  );
}

/** Lets in members of an organization, with the shell around them; super admins without one too. */
export function Members() {
  const viewer = useViewer();
  const isInView = useIsInView();
  const isFollowed = useIsFollowed(viewer.isSuperAdmin);
  const { pathname } = useLocation();
  // One's own profile and account are open to who belongs nowhere yet.
  const isOwn = pathname.startsWith(`/users/${viewer.id}`) || pathname === '/account';
  const isUnknown = useIsUnknown();
  if (!viewer.isSuperAdmin && viewer.memberOf.size === 0 && !isOwn)
    return isUnknown ? (
      <LateNotFoundPage />
    ) : (
      <Navigate to="/organization-membership-required" replace />
    );
  return isInView && isFollowed ? <Shell /> : null;
}

/** `/`: leads to the tasks, and a super admin of an empty installation to its first steps. */
export function Home() {
  const { isSuperAdmin } = useViewer();
  const isEmpty = useOrganizations().length === 0;
  const areComing = useAreOrganizationsComing();
  if (isSuperAdmin && isEmpty && areComing) return <PageLoader />;
  return <Navigate to={isSuperAdmin && isEmpty ? '/admin/settings' : '/tasks'} replace />;
}

/**
 * Says whether the device knows what a super admin looks at: before, no page may say what is not
 * there.
 */
function useIsFollowed(isSuperAdmin: boolean): boolean {
  const { selectOrganization } = useData();
  const [isFollowed, setIsFollowed] = useState(false);
  useLayoutEffect(() => {
    if (!isSuperAdmin) return;
    // As soon as they choose: before anything is drawn of it.
    return watchOrganization((organization) => {
      selectOrganization(organization);
      setIsFollowed(true);
    });
  }, [isSuperAdmin, selectOrganization]);
  return isFollowed || !isSuperAdmin;
}

/**
 * Says whether the organization in view can be: the only organization, or one of several, or all of
 * them. One that cannot is put right before any page looks at it; while organizations are still
 * coming, none is called wrong.
 */
function useIsInView(): boolean {
  const organizations = useOrganizations();
  const present = useOrganization();
  const areComing = useAreOrganizationsComing();
  const right = areComing ? present : rightOf(organizations, present);
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => {
    chooseOrganization(right);
    // The first time, nothing has subscribed to the choice yet: a blank page would show until it has.
    if (right !== present) drawAgain();
  }, [right, present]);
  return right === present;
}

function rightOf(
  organizations: readonly { readonly id: string }[],
  present: string | null,
): string | null {
  const [only, ...others] = organizations;
  if (only === undefined) return present;
  if (others.length === 0) return only.id;
  // One that is no longer theirs: all of them, silently.
  return organizations.some(({ id }) => id === present) ? present : null;
}
