import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { STATUS_ICONS } from './status-chip.tsx';
import type { StatusTone } from './status-chip.tsx';
import './status-sign.css';

interface Props {
  readonly tone: StatusTone;
  /** Another icon than that of the tone, where what it stands for has one of its own. */
  readonly icon?: IconName;
}

/** The icon of a status in its colour; the words that say it stand beside it. */
export function StatusSign({ tone, icon = STATUS_ICONS[tone] }: Props) {
  return (
    <span className="status-chip status-sign" data-tone={tone}>
      <Icon name={icon} />
    </span>
  );
}
