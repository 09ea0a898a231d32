import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

/** The state of a change that is not done, as its record shows it. */
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
  /** Says why, where more is known than the state says. */
  readonly reason?: string | null;
  /** The reason stands beside it, not only on hover and focus. */
  readonly showsReason?: boolean;
  /** Opens the change. */
  readonly onOpen: () => void;
}

/** A small icon and word in the state's colour, its sentence on hover and focus. */
export function ChangeBadge({ badge, reason = null, showsReason = false, onOpen }: Props) {
  const t = useText();
  return (
    <>
      <button
        type="button"
        className={`badge badge-${badge}`}
        title={reason ?? t(`badges.${badge}.sentence`)}
        onClick={onOpen}
      >
        <Icon name={ICONS[badge]} />
        {t(`badges.${badge}`)}
      </button>
      {showsReason && reason !== null && <span className="badge-reason">{reason}</span>}
    </>
  );
}
