import { useContext } from 'react';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { TimeZoneContext } from '#ui/value/values.tsx';

/** The person's time zone; that of the browser where they have none. */
export function useZone(): string {
  const { timeZone } = useUiEnvironment();
  return useContext(TimeZoneContext) ?? timeZone;
}

/** The day (YYYY-MM-DD) that it is in `zone` at the moment `ms`. */
export function dayOf(ms: number, zone: string): string {
  const { year, month, day } = partsOf(ms, zone);
  return `${year}-${month}-${day}`;
}

/** Tells whether a text is a day, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The instant (ISO) at which `day` begins in `zone`. */
export function beginOf(day: string, zone: string): string {
  return new Date(midnightOf(day, zone)).toISOString();
}

/** The last millisecond (ISO) of `day` in `zone`. */
export function endOf(day: string, zone: string): string {
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  return new Date(midnightOf(next, zone) - 1).toISOString();
}

const DAY_MS = 86_400_000;

/** The moment (ms) at which `day` begins in `zone`. */
function midnightOf(day: string, zone: string): number {
  const utc = Date.parse(day);
  // The offset may differ at the first guess, on a day on which the clocks change.
  const guess = utc - offsetAt(utc, zone);
  return utc - offsetAt(guess, zone);
}

/** How many milliseconds the clocks of `zone` are ahead of UTC at `ms`. */
function offsetAt(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(ms, zone);
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - Math.floor(ms / 1_000) * 1_000;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function partsOf(ms: number, zone: string): Readonly<Record<Part, string>> {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const parts = format.formatToParts(ms).map(({ type, value }) => [type, value]);
  return Object.fromEntries(parts) as Record<Part, string>;
}
