import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { useText } from './text.ts';

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
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** Where the person's changes stand, in an icon and a word; opens the changes panel. */
export function SyncStatus({ state, waiting, attention, isOpen, onOpen }: Props) {
  const t = useText();
  const count = state === 'attention' ? attention : waiting;
  return (
    <button
      type="button"
      className={`sync-status sync-${state}`}
      data-testid="sync-status"
      data-state={state}
      data-waiting={waiting}
      data-attention={attention}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={[
        t(`sync.state.${state}`),
        waiting > 0 ? t('sync.waiting', { count: waiting }) : null,
        attention > 0 ? t('sync.attention', { count: attention }) : null,
      ]
        .filter((part) => part !== null)
        .join(', ')}
      onClick={onOpen}
    >
      <Icon name={ICONS[state]} />
      <span className="sync-word">{t(`sync.state.${state}`)}</span>
      {count > 0 && <span className="sync-count">{count}</span>}
    </button>
  );
}
