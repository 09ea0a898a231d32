import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { useOfflineReady, useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

type SyncState = 'sign-in' | 'problem' | 'offline' | 'attention' | 'saving' | 'saved';

const ICONS: Readonly<Record<SyncState, IconName>> = {
  'sign-in': 'person',
  problem: 'error',
  offline: 'cloudOff',
  attention: 'warning',
  saving: 'sync',
  saved: 'check',
};

interface Props {
  readonly state: SyncState;
  /** Changes waiting and being sent. */
  readonly waiting: number;
  /** Changes that need the person. */
  readonly attention: number;
  /** True if the browser has a network; otherwise it is the server that is missing. */
  readonly isOnline: boolean;
  readonly isOpen: boolean;
  /** A reference to the button, to give it the focus. */
  readonly button?: RefObject<HTMLButtonElement>;
  readonly onOpen: () => void;
}

const SAID_EVERY_MS = 5_000;

/** `text`, followed at most once in 5 s: what a reader is to say, not what shows. */
function useSaidAtMost(text: string): string {
  const { later } = useUiEnvironment();
  const [said, say] = useState(text);
  const [isQuiet, setQuiet] = useState(false);
  const isNew = said !== text;
  if (isNew && !isQuiet) {
    say(text);
    setQuiet(true);
  }
  useEffect(() => {
    if (!isQuiet) return undefined;
    return later(() => {
      setQuiet(false);
    }, SAID_EVERY_MS);
  }, [isQuiet, later]);
  return said;
}

/** Shows the state of the person's changes as an icon and a word; opens the changes panel. */
export function SyncStatus({ state, waiting, attention, isOnline, ...opening }: Props) {
  const { isOpen, button, onOpen } = opening;
  const t = useText();
  const isReady = useOfflineReady();
  const count = state === 'attention' ? attention : waiting;
  const isServerMissing = state === 'offline' && isOnline;
  const shown = isServerMissing ? 'no-server' : state;
  // fault 45
  const word = state === 'saved' && !isReady ? t('sync.gettingReady') : t(`sync.state.${shown}`);
  const needs = attention > 0 ? t('sync.attention', { count: attention }) : null;
  const said = useSaidAtMost(state === 'attention' && needs !== null ? needs : word);
  return (
    <>
      <span role="status" className="out-of-sight">
        {said}
      </span>
      <button
        type="button"
        ref={button}
        className={`sync-status sync-${state}`}
        data-testid="sync-status"
        data-state={state}
        data-waiting={waiting}
        data-attention={attention}
        data-offline-ready={isReady}
        data-reason={state === 'offline' ? (isOnline ? 'server' : 'network') : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={[word, waiting > 0 ? t('sync.waiting', { count: waiting }) : null, needs]
          .filter((part) => part !== null)
          .join(', ')}
        onClick={onOpen}
      >
        <Icon name={ICONS[state]} />
        <span className="sync-word">{word}</span>
        {count > 0 && <span className="sync-count">{count}</span>}
      </button>
    </>
  );
}
