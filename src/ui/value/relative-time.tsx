import { useEffect, useState } from 'react';
import { formatter } from './formatter.ts';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useLanguage, useText } from '../text/text.ts';
import { Hint } from '../overlay/hint.tsx';

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const TICK_MS = 30_000;

/** The present moment, in ms; moves on every half minute. */
function useNow(): number {
  const { clock, later } = useUiEnvironment();
  const [now, setNow] = useState(clock);
  useEffect(
    () =>
      later(() => {
        setNow(clock());
      }, TICK_MS),
    [clock, later, now],
  );
  return now;
}

/** Says how long ago in the largest unit that fits: "3 days"; null below a minute. */
export function spanOf(ms: number, language: string): string | null {
  const seconds = Math.abs(ms) / 1_000;
  const unit = UNITS.find(([, length]) => seconds >= length);
  if (unit === undefined) return null;
  const options = { style: 'unit', unit: unit[0], unitDisplay: 'long' } as const;
  return formatter(Intl.NumberFormat, language, options).format(Math.floor(seconds / unit[1]));
}

/** Date, time and zone in full. */
function exactly(at: string, language: string, timeZone?: string): string {
  const options = { dateStyle: 'full', timeStyle: 'long' } as const;
  try {
    const zoned = { ...options, ...(timeZone === undefined ? {} : { timeZone }) };
    return formatter(Intl.DateTimeFormat, language, zoned).format(new Date(at));
  } catch {
    // A person's zone may be one that this browser does not know.
    return formatter(Intl.DateTimeFormat, language, options).format(new Date(at));
  }
}

/** Day and time, short: for what does not tick. */
export function momentOf(at: string, language: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return formatter(Intl.DateTimeFormat, language, options).format(new Date(at));
}

interface Props {
  /** ISO 8601. */
  readonly at: string | null;
  readonly timeZone?: string | null;
  /** Shown when there is no such time. */
  readonly empty?: string;
}

/** "3 days", with the exact moment on hover and focus. */
export function RelativeTime({ at, timeZone, empty = '--' }: Props) {
  const t = useText();
  const language = useLanguage();
  const now = useNow();
  if (at === null) return <span className="soft">{empty}</span>;

  return (
    <Hint text={exactly(at, language, timeZone ?? undefined)}>
      <time dateTime={at}>{spanOf(now - Date.parse(at), language) ?? t('time.moments')}</time>
    </Hint>
  );
}
