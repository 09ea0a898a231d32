import { useEffect, useState } from 'react';
import { Link, Outlet } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useChanges } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useTaskCount, useViewer } from '#data/use-viewer.ts';
import { setLocale } from '#data/actions/users.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import { readKept, useSurroundings } from '#ui/surroundings.tsx';
import { SyncStatus } from '#ui/sync-status.tsx';
import { isLanguage, speak, useText } from '#ui/text.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { ChangesContext } from '../changes/changes-context.ts';
import { AvatarMenu } from './avatar-menu.tsx';
import { Brand } from './brand.tsx';
import { LANGUAGE_KEY, LanguageMenu } from './language-menu.tsx';
import { useTitleCount } from './page-title.ts';
import { Sidebar } from './sidebar.tsx';
import { SignOutDialog, useLeave } from './sign-out-dialog.tsx';
import { useShortcuts } from './shortcuts.ts';

/** What stands around every page of who is signed in. */
export function Shell() {
  const t = useText();
  const { user } = useViewer();
  const [opened, open] = useState<'sidebar' | 'changes' | 'sign-out' | null>(null);
  useTitleCount(useTaskCount());
  useShortcuts();
  useLanguageOf(user);
  const close = () => {
    open(null);
  };

  return (
    <ChangesContext.Provider
      value={() => {
        open('changes');
      }}
    >
      <a className="skip-link" href="#content">
        {t('common.skipToContent')}
      </a>
      <div className="shell">
        <Header
          isSidebarOpen={opened === 'sidebar'}
          isPanelOpen={opened === 'changes'}
          open={open}
        />
        <Sidebar />
        <div className="shell-main">
          <AttentionLine
            onOpen={() => {
              open('changes');
            }}
          />
          <main className="page" id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      {opened === 'sidebar' && (
        <Dialog title={t('sidebar.label')} size="left" onClose={close}>
          <Sidebar onLeave={close} />
        </Dialog>
      )}
      {opened === 'changes' && <ChangesPanel onClose={close} />}
      {opened === 'sign-out' && <SignOutDialog onClose={close} />}
    </ChangesContext.Provider>
  );
}

interface HeaderProps {
  readonly isSidebarOpen: boolean;
  readonly isPanelOpen: boolean;
  readonly open: (what: 'sidebar' | 'changes' | 'sign-out') => void;
}

function Header({ isSidebarOpen, isPanelOpen, open }: HeaderProps) {
  const t = useText();
  const data = useData();
  const leave = useLeave();
  const { status, waiting, attention } = useChanges();
  const signOut = () => {
    if (waiting + attention > 0) open('sign-out');
    else void leave();
  };
  return (
    <header className="shell-header">
      <button
        type="button"
        className="icon-button shell-toggle"
        aria-label={t('header.toggle')}
        aria-expanded={isSidebarOpen}
        onClick={() => {
          open('sidebar');
        }}
      >
        <Icon name="menu" />
      </button>
      <Brand />
      <SyncStatus
        state={status}
        waiting={waiting}
        attention={attention}
        isOpen={isPanelOpen}
        onOpen={() => {
          open('changes');
        }}
      />
      <AddProject />
      <LanguageMenu onChosen={(language) => void setLocale(data, language)} />
      <AvatarMenu onSignOut={signOut} />
    </header>
  );
}

/** For those who make projects; says what is missing when no organization is in view. */
function AddProject() {
  const t = useText();
  const viewer = useViewer();
  const organization = useOrganization();
  const mayBuild =
    organization === null ? viewer.builderIn.size > 0 : viewer.builderIn.has(organization);
  if (!viewer.isSuperAdmin && !mayBuild) return null;
  if (organization === null)
    return (
      <button
        type="button"
        className="ui button header-button"
        disabled
        title={t('errors.orgMustBeSelected')}
      >
        <Icon name="add" />
        {t('header.addProject')}
      </button>
    );
  return (
    <Link className="ui button header-button" to="/projects/new">
      <Icon name="add" />
      {t('header.addProject')}
    </Link>
  );
}

/** Until the panel was opened, trouble is also said in a line of its own. */
function AttentionLine({ onOpen }: { readonly onOpen: () => void }) {
  const t = useText();
  const { status, attention } = useChanges();
  const [seen, setSeen] = useState(0);
  // What was seen and is settled does not stand for what comes next.
  if (seen > attention) setSeen(attention);
  const says =
    status === 'problem'
      ? t('sync.problemLine')
      : attention > seen
        ? t('sync.attention', { count: attention })
        : null;
  return (
    <div role="status">
      {says !== null && (
        <div className="shell-line">
          <Icon name="warning" /> {says}{' '}
          <button
            type="button"
            onClick={() => {
              setSeen(attention);
              onOpen();
            }}
          >
            {t('common.show')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Someone who chose a language elsewhere finds it here too, unless this device has its own. */
function useLanguageOf({ locale }: Of<'user'>): void {
  const { kept } = useSurroundings();
  useEffect(() => {
    if (isLanguage(locale) && !isLanguage(readKept(kept, LANGUAGE_KEY))) void speak(locale);
  }, [kept, locale]);
}
