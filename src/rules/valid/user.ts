import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

export const brokenUser: RecordRules<'user'> = ({ after: { timezone }, written }) => [
  !written.includes('timezone') || timezone === null || isTimezone(timezone)
    ? null
    : broken('timezone', 'choice'),
];

/** Says whether `name` is the IANA name of a time zone. */
function isTimezone(name: string): boolean {
  // An offset such as +01:00 is no name.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
