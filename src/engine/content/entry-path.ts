import { ContentRefused } from './refusal.ts';

const LONGEST_PATH = 1_000;
/** The longest name that most file systems accept, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 255;
const UNFIT = /[\p{Cc}:*?"<>|]/u;
/** Matches the files that operating systems put into zips unasked. */
const LITTER = /^__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

export const isLitter = (path: string): boolean => LITTER.test(path);

/** `name` if it stays inside whatever folder it is put into. @throws ContentRefused otherwise */
export function safePath(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100));
  const refuse = (why: string) => new ContentRefused('path', `The entry ${shown} ${why}.`, name);
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) throw refuse('has an absolute path');
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.includes('..')) throw refuse('climbs out of its folder');
  if (parts.some((part) => part === '' || part === '.')) throw refuse('has an empty path part');
  if (UNFIT.test(name)) throw refuse('has a character in its name that not every system can store');
  const isLong = parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME_BYTES);
  if (isLong || name.length > LONGEST_PATH) throw refuse('has a name that is too long');
  return name;
}

/** Names that are one file on some system: other case, other spelling of an accent. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

/** @throws ContentRefused when two files, or a file and a folder, would stand in the same place */
export function refuseClashes(files: readonly string[]): void {
  const taken = new Map<string, string>();
  for (const path of files) {
    const other = taken.get(keyOf(path));
    if (other !== undefined) {
      const sentence =
        other === path
          ? `The file ${path} is in the zip twice.`
          : `The files ${other} and ${path} have names that some systems cannot tell apart.`;
      throw new ContentRefused('duplicate', sentence, path);
    }
    taken.set(keyOf(path), path);
  }
  for (const path of files)
    for (const folder of foldersOf(path)) {
      const file = taken.get(keyOf(folder));
      if (file !== undefined)
        throw new ContentRefused('duplicate', `${file} is both a file and a folder.`, path);
    }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
