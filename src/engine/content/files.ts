import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a result: where it stands in it, and where its bytes come from. */
export interface SiteFile {
  /** The path with slashes, relative to the site. */
  readonly path: string;
  /** The path of a file, or the bytes themselves. */
  readonly from: string | Buffer;
}

/** Every file below `folder`, in one order on every system. */
export async function filesBelow(folder: string): Promise<readonly SiteFile[]> {
  const all: SiteFile[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else all.push({ path, from: join(folder, path) });
    }
  };
  await walk('');
  return all.sort(byPath);
}

export const byPath = (a: SiteFile, b: SiteFile): number =>
  Number(a.path > b.path) - Number(a.path < b.path);

/** `path` of a site as part of an address. */
export const encodePath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/');

/** The way from the page at `path` to the top of its site: `./`, `../`, `../../`… */
export const wayUp = (path: string): string => '../'.repeat(path.split('/').length - 1) || './';
