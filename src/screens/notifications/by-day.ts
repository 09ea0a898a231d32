import type { Of } from '#schema/index.ts';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useDateFormats } from '#ui/value/values.tsx';

type Notification = Of<'notification'>;

interface NotificationDay {
  /** "Today", "Yesterday" or the date, in the zone of the person who reads. */
  readonly title: string;
  readonly rows: readonly Notification[];
}

const HOUR_MS = 3_600_000;

/** Puts `rows`, which are in their order, together by the day on which they came. */
export function useDays(rows: readonly Notification[]): readonly NotificationDay[] {
  const t = useText();
  const { clock } = useUiEnvironment();
  const { day } = useDateFormats();
  const dayAt = (ms: number) => day(new Date(ms).toISOString());
  const now = clock();
  const today = dayAt(now);
  // A day may have 23 hours or 25.
  let before = now;
  do before -= HOUR_MS;
  while (dayAt(before) === today);
  const names = new Map([
    [today, t('bell.today')],
    [dayAt(before), t('bell.yesterday')],
  ]);
  const days = new Map<string, Notification[]>();
  for (const row of rows) {
    const date = row.dateCreated === null ? today : day(row.dateCreated);
    const title = names.get(date) ?? date;
    days.set(title, [...(days.get(title) ?? []), row]);
  }
  return [...days].map(([title, ofDay]) => ({ title, rows: ofDay }));
}
