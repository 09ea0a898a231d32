/** Names that files have on other people's devices. */

/** Characters of a name; the rest of a longer one is cut off. */
export const LONGEST_FILENAME = 150;

/**
 * Returns `name` without what a system could take for a path, and without characters that make a
 * name look like another one.
 */
export function safeName(name: string): string {
  const shown = bounded(name)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
  const whole = trimmed(shown.replace(/[/\\:*?"<>|]/g, '_'));
  const extension = /(?<=.)\.[^.]{1,15}$/su.exec(whole)?.[0] ?? '';
  const stem = whole.slice(0, whole.length - extension.length).slice(0, LONGEST_FILENAME);
  // The cut may have gone through a character.
  return trimmed(stem.replace(/\p{Cs}$/u, '') + extension) || 'file';
}

/** Returns both ends of a name that is far too long, so that nothing below reads more. */
function bounded(name: string): string {
  const half = 2 * LONGEST_FILENAME;
  return name.length <= 2 * half ? name : name.slice(0, half) + name.slice(-half);
}

/** A dot in front hides a file; dots and spaces at the end are lost on some systems. */
function trimmed(name: string): string {
  let [start, end] = [0, name.length];
  while (start < end && isDotOrSpace(name[start])) start += 1;
  while (start < end && isDotOrSpace(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

const isDotOrSpace = (character = ''): boolean => character === '.' || character.trim() === '';

/** Returns the header by which a browser saves a file under `name`, or shows it (RFC 6266). */
export function dispositionOf(name: string, isInline: boolean): string {
  const safe = safeName(name);
  const plain = safe.normalize('NFKD').replace(/\p{M}/gu, '');
  const ascii = plain.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `${isInline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded(safe)}`;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
