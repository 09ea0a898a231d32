import { MAIL_KINDS } from '#schema/user.ts';
import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

export const brokenUser: RecordRules<'user'> = ({ after, written }) => {
  const { timezone, silencedMails } = after;
  return [
    !written.includes('timezone') || timezone === null || isTimezone(timezone)
      ? null
      : broken('timezone', 'choice'),
    !written.includes('silencedMails') || areMailKinds(silencedMails)
      ? null
      : broken('silencedMails', 'choice', { choices: MAIL_KINDS }),
  ];
};

/** Says whether each of `kinds` is one, and stands there once; null has been refused before. */
function areMailKinds(kinds: unknown): boolean {
  if (!Array.isArray(kinds)) return false;
  const known: readonly unknown[] = MAIL_KINDS;
  return new Set(kinds).size === kinds.length && kinds.every((kind) => known.includes(kind));
}

/** Says whether `name` is the IANA name of a time zone. */
export function isTimezone(name: string): boolean {
  // An offset such as +01:00 is no name.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
