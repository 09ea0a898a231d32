import { memo, useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { Outlet } from 'react-router-dom';
import {
  useChanges,
  useData,
  useHealth,
  useIsRefreshing,
  useList,
  useViewerStatus,
  useViewer,
} from '#data/react/hooks.ts';
import { setLocale } from '#data/actions/users.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { SyncStatus } from '#ui/status/sync-status.tsx';
import { useText } from '#ui/text/text.ts';
import { useAttempt } from '../page/use-attempt.ts';
import { ChangesContext } from '../page/changes/changes-context.ts';
import type { ChangesPanelTarget } from '../page/changes/changes-context.ts';
import { useOwnTasks } from '../../flow/own-tasks.ts';
import { AvatarMenu } from './avatar-menu.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { Brand } from '../page/brand.tsx';
import { LanguageMenu } from '../page/device/language-menu.tsx';
import { LateDialog, LatePart, loadWithTexts, isMissingScript } from '../page/late/late-part.tsx';
import { useTitleCount } from '../page/page-title.ts';
import { loadAnnouncer, RefusalToasts } from './refusal-toasts.tsx';
import { Sidebar } from './sidebar.tsx';
import { useAppearance } from './use-appearance.ts';
import { useSignOut } from './use-sign-out.ts';
import { useShortcuts } from '../page/shortcuts.ts';
import { ToForm, useMakesProjectsHere } from '../page/here.tsx';
import { useOnline } from '../page/device/use-online.ts';

const loadPanel = loadWithTexts(
  async () => (await import('../../changes/changes-panel.tsx')).ChangesPanel,
);
const loadSignOut = loadWithTexts(
  async () => (await import('./sign-out-dialog.tsx')).SignOutDialog,
);
const loadPalette = loadWithTexts(async () => (await import('./palette/palette.tsx')).Palette);
const loadShortcuts = loadWithTexts(
  async () => (await import('./palette/shortcuts-dialog.tsx')).ShortcutsDialog,
);
const loadConsent = loadWithTexts(async () => (await import('../../people/consent.tsx')).Consent);
/** It says nothing: its texts are not waited for. */
const loadTabIcon = async () => (await import('./tab-icon.tsx')).TabIcon;
const loadBanner = loadWithTexts(async () => (await import('./health-banner.tsx')).HealthBanner);

type Opened =
  | { readonly is: 'sidebar' | 'sign-out' | 'palette' | 'shortcuts' }
  | { readonly is: 'changes'; readonly at: ChangesPanelTarget | null };

const SAVED_HERE_EVERY_MS = 60_000;

/** Says yes at most once in `ms`. */
function atMostEvery(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (now - last < ms) return false;
    last = now;
    return true;
  };
}

/** The frame around every page of a person who is signed in. */
export function Shell() {
  const [opened, open] = useState<Opened | null>(null);
  const [changes] = useState(() => ({
    open: (at: ChangesPanelTarget | null = null) => {
      open({ is: 'changes', at });
    },
    answered: new Set<string>(),
    isSavedHereDue: atMostEvery(SAVED_HERE_EVERY_MS),
  }));
  return (
    <ChangesContext.Provider value={changes}>
      <ShellFrame opened={opened} open={open} />
    </ChangesContext.Provider>
  );
}

interface FrameProps {
  readonly opened: Opened | null;
  readonly open: (what: Opened | null) => void;
}

function ShellFrame({ opened, open }: FrameProps) {
  const t = useText();
  const { user } = useViewer();
  const memberships = useList('organizationMembership', { user: user.id }).rows;
  const isAsked = memberships.some(({ dateAccepted }) => dateAccepted === null);
  const status = useRef<HTMLButtonElement>(null);
  useTitleCount(useOwnTasks().total);
  useShortcuts({
    palette: () => {
      open({ is: 'palette' });
    },
    shortcuts: () => {
      open({ is: 'shortcuts' });
    },
    refresh: useChanges().sendNow,
  });
  usePartsAtHand();
  useLeavingLoses();
  const [appearance, onAppearance] = useAppearance();
  const isPanelOpen = opened?.is === 'changes';
  const close = () => {
    open(null);
  };
  useEffect(() => {
    const { current } = status;
    if (!isPanelOpen) return undefined;
    return () => {
      // A toast or badge that opened the panel may be gone by now.
      if (document.activeElement === document.body) current?.focus();
    };
  }, [isPanelOpen]);

  return (
    <>
      <a className="skip-link" href="#content">
        {t('common.skipToContent')}
      </a>
      <div className="shell">
        <Header
          opened={opened?.is ?? null}
          open={open}
          status={status}
          appearance={appearance}
          onAppearance={onAppearance}
        />
        <RefreshLine />
        <Sidebar />
        <div className="shell-main">
          <Banner />
          <AttentionLine
            isPanelOpen={isPanelOpen}
            onOpen={() => {
              open({ is: 'changes', at: null });
            }}
          />
          <main className="page" id="content" tabIndex={-1}>
            {isAsked && <LatePart load={loadConsent} props={{}} />}
            <Outlet />
          </main>
        </div>
      </div>
      <RefusalToasts isPanelOpen={isPanelOpen} />
      <LatePart load={loadTabIcon} props={{ appearance }} frame={() => null} />
      {opened?.is === 'sidebar' && (
        <Dialog title={t('sidebar.label')} size="left" onClose={close}>
          <Sidebar onLeave={close} />
        </Dialog>
      )}
      {opened?.is === 'changes' && (
        <LateDialog
          load={loadPanel}
          props={{ at: opened.at, onClose: close }}
          title={t('changes.title')}
          size="right"
        />
      )}
      {opened?.is === 'sign-out' && (
        <LateDialog load={loadSignOut} title={t('header.signOut')} props={{ onClose: close }} />
      )}
      {opened?.is === 'palette' && (
        <LateDialog
          load={loadPalette}
          title={t('header.palette')}
          props={{
            frame: {
              appearance,
              onAppearance,
              onShortcuts: () => {
                open({ is: 'shortcuts' });
              },
              onSignOut: () => {
                open({ is: 'sign-out' });
              },
            },
            onClose: close,
          }}
        />
      )}
      {opened?.is === 'shortcuts' && (
        <LateDialog load={loadShortcuts} title={t('header.shortcuts')} props={{ onClose: close }} />
      )}
    </>
  );
}

/** Moves under the header while what shows is being refreshed and that takes long. */
function RefreshLine() {
  return useIsRefreshing() ? <div className="refresh-line" aria-hidden /> : null;
}

/** Fetches what shows changes once there are some: it may be wanted offline. */
function usePartsAtHand(): void {
  const { waiting, attention } = useChanges();
  const isWanted = waiting + attention > 0;
  useEffect(() => {
    if (!isWanted) return;
    for (const load of [loadPanel, loadSignOut, loadAnnouncer])
      load().catch((error: unknown) => {
        if (!isMissingScript(error)) throw error;
      });
  }, [isWanted]);
}

/** Asks before a tab is closed that holds what is kept nowhere else. */
function useLeavingLoses(): void {
  const { wouldLose } = useHealth();
  useEffect(() => {
    if (!wouldLose) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
    };
  }, [wouldLose]);
}

/** Room for what is the matter with this device; its script comes when there is something. */
function Banner() {
  const { storageState, evicted, isRenewed } = useHealth();
  const isTooOld = useViewerStatus() === 'client-too-old';
  if (storageState === 'kept' && evicted === null && !isRenewed && !isTooOld) return null;
  return <LatePart load={loadBanner} props={{}} />;
}

interface HeaderProps extends Pick<
  Parameters<typeof AvatarMenu>[0],
  'appearance' | 'onAppearance'
> {
  readonly opened: Opened['is'] | null;
  readonly open: (what: Opened) => void;
  readonly status: RefObject<HTMLButtonElement>;
}

/** Another address alone is no reason to draw it anew. */
const Header = memo(function Header({ opened, open, status: button, ...look }: HeaderProps) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const { status, waiting, attention } = useChanges();
  const signOut = useSignOut(() => {
    open({ is: 'sign-out' });
  });
  return (
    <header className="shell-header">
      <button
        type="button"
        className="icon-button shell-toggle"
        aria-label={t('header.toggle')}
        aria-expanded={opened === 'sidebar'}
        onClick={() => {
          open({ is: 'sidebar' });
        }}
      >
        <Icon name="menu" />
      </button>
      <Brand />
      <SyncStatus
        state={status}
        waiting={waiting}
        attention={attention}
        isOnline={useOnline()}
        isOpen={opened === 'changes'}
        button={button}
        onOpen={() => {
          open({ is: 'changes', at: null });
        }}
      />
      <AddProject />
      <NotificationBell />
      <LanguageMenu
        onChosen={(language) => void attempt(t('errors.generic'), () => setLocale(data, language))}
      />
      <AvatarMenu
        {...look}
        onShortcuts={() => {
          open({ is: 'shortcuts' });
        }}
        onSignOut={signOut}
      />
    </header>
  );
});

/** The button for those who make projects. */
function AddProject() {
  const t = useText();
  if (!useMakesProjectsHere()) return null;
  return (
    <ToForm to="/projects/new" icon="add" className="header-button">
      {t('header.addProject')}
    </ToForm>
  );
}

/**
 * Until the panel was opened, a line of its own says that something does not work, and that changes
 * need the person: those that did already when the page came, for each later one has a toast.
 */
function AttentionLine({ isPanelOpen, onOpen }: LineProps) {
  const t = useText();
  const { status, attention } = useChanges();
  const isProblem = status === 'problem';
  const [said, setSaid] = useState({ attention, isProblem: false });
  const next = {
    attention: isPanelOpen ? 0 : Math.min(said.attention, attention),
    isProblem: isProblem && (isPanelOpen || said.isProblem),
  };
  if (next.attention !== said.attention || next.isProblem !== said.isProblem) setSaid(next);

  const isNewProblem = isProblem && !next.isProblem;
  if (!isNewProblem && next.attention === 0) return null;
  return (
    <section
      className={`shell-line ${isNewProblem ? 'shell-line-bad' : ''}`}
      aria-label={t('changes.title')}
    >
      <Icon name={isNewProblem ? 'error' : 'warning'} />{' '}
      {isNewProblem ? t('sync.problemLine') : t('sync.attention', { count: attention })}{' '}
      <button type="button" onClick={onOpen}>
        {t('common.show')}
      </button>
    </section>
  );
}

interface LineProps {
  readonly isPanelOpen: boolean;
  readonly onOpen: () => void;
}
