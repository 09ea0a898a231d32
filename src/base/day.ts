const DAY = /^2\d{3}-\d{2}-\d{2}$/;
const MINUTE_MS = 60_000;

/** Says whether `value` is a day of this age as date fields write it: `2026-11-27`. */
export function isDay(value: string): boolean {
  if (!DAY.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** The day after `day`. */
export function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/**
 * The moment at which `day` begins in a time zone, in ms.
 *
 * @param timeZone null, or one that is not known here: the zone of this device
 */
export function startOfDay(day: string, timeZone: string | null): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetMs(midnight, timeZone);
  const exact = midnight - offsetMs(guess, timeZone);
  // Where the clocks leave midnight out, the day begins when they are changed.
  return offsetMs(exact, timeZone) === offsetMs(guess, timeZone) ? exact : Math.max(guess, exact);
}

/** The day that it is in a time zone at the moment `at`, in ms; null: the zone of this device. */
export function dayAt(at: number, timeZone: string | null): string {
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10);
}

/** How far the clocks of a zone are ahead of UTC at `at`. */
function offsetMs(at: number, timeZone: string | null): number {
  const parts = formatFor(timeZone).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return Math.round((shown - at) / MINUTE_MS) * MINUTE_MS;
}

function formatFor(timeZone: string | null): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  };
  try {
    return new Intl.DateTimeFormat('en-US', timeZone === null ? options : { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', options);
  }
}
