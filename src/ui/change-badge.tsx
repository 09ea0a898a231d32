import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import { useText } from './text.ts';

/** How a change that is not done shows on its record. */
export type Badge = 'waiting' | 'refused' | 'conflict' | 'held' | 'confirm';

const ICONS: Readonly<Record<Badge, IconName>> = {
  waiting: 'clock',
  refused: 'error',
  conflict: 'conflict',
  held: 'link',
  confirm: 'question',
};

/** The badge for where a change stands; null when it needs none. */
export function badgeOf(state: string | null): Badge | null {
  if (state === 'sending') return 'waiting';
  return state !== null && Object.hasOwn(ICONS, state) ? (state as Badge) : null;
}

interface Props {
  readonly badge: Badge;
  /** Opens the change. */
  readonly onOpen: () => void;
}

/** A small icon and word in the state's colour, its sentence on hover and focus. */
export function ChangeBadge({ badge, onOpen }: Props) {
  const t = useText();
  return (
    <button
      type="button"
      className={`badge badge-${badge}`}
      title={t(`badges.${badge}.sentence`)}
      onClick={onOpen}
    >
      <Icon name={ICONS[badge]} />
      {t(`badges.${badge}`)}
    </button>
  );
}
