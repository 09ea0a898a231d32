import type { ReactNode } from 'react';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';

/** What a status asks of people: to wait, to mend, to act, that others act, nothing, or to begin. */
export type StatusTone = 'busy' | 'bad' | 'yours' | 'others' | 'good' | 'none';

export const STATUS_ICONS: Readonly<Record<StatusTone, IconName>> = {
  busy: 'sync',
  bad: 'error',
  yours: 'person',
  others: 'clock',
  good: 'check',
  none: 'info',
};

interface Props {
  readonly tone: StatusTone;
  readonly children: ReactNode;
}

/** A status at a glance: its icon, its word, its colour. */
export function StatusChip({ tone, children }: Props) {
  return (
    <span className="status-chip" data-tone={tone}>
      <Icon name={STATUS_ICONS[tone]} />
      <span>{children}</span>
    </span>
  );
}
