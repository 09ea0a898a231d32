import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { withoutSlashAtEnd } from '#base/slash.ts';
import type { FileOnDisk } from '#engine/bundled-engine.ts';
import { ARTIFACT_MOST_BYTES } from '#protocol/engine.ts';

/** Files of a store listing, wherever its build engine keeps them. */
export interface ListingFiles {
  /** Returns the text of a file; null: there is none, or it cannot be had. */
  readonly text: (path: string) => Promise<string | null>;
  /** Returns where the file is: an address of the web, or a path on the disk; null: nowhere. */
  readonly locate: (path: string) => string | null;
}

/** The files of an engine elsewhere: at the manifest's own host, whatever host `url` names. */
export function remoteListingFiles(
  read: (address: string) => Promise<string | null>,
  manifest: string,
  url: string,
): ListingFiles {
  const base = folderAt(manifest, url);
  const place = (path: string): string | null => {
    if (base === null || !URL.canParse(path, base)) return null;
    const found = new URL(path, base);
    return found.origin === base.origin ? found.href : null;
  };
  return {
    locate: place,
    text: async (path) => {
      const address = place(path);
      return address === null ? null : read(address);
    },
  };
}

function folderAt(manifest: string, url: string): URL | null {
  const own = new URL(manifest);
  if (!URL.canParse(url, own)) return null;
  const base = new URL(own);
  base.pathname = `${withoutSlashAtEnd(new URL(url, own).pathname)}/`;
  base.search = '';
  base.hash = '';
  return base;
}

/** The files of the bundled engine: below the folder that holds the manifest, and nowhere else. */
export function localListingFiles(
  { path: manifest }: Pick<FileOnDisk, 'path'>,
  url: string,
): ListingFiles {
  const home = dirname(manifest);
  const folder = resolve(home, url);
  const isBelow = folder.startsWith(home + sep);
  const place = (path: string): string | null => {
    const found = resolve(folder, path);
    return isBelow && found.startsWith(folder + sep) ? found : null;
  };
  return {
    locate: place,
    text: async (path) => {
      const at = place(path);
      const found = at === null ? null : await stat(at).catch(() => null);
      if (at === null || found?.isFile() !== true) return null;
      return found.size > ARTIFACT_MOST_BYTES ? null : readFile(at, 'utf8');
    },
  };
}
