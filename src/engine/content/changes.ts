import type { ContentChanges, FileChange } from '#protocol/file-paths.ts';
import { CONTENT_LIMITS, readArchive } from './archive.ts';

/** The files of a zip under the paths that a build gives them. */
type Contents = ReadonlyMap<string, { readonly sizeBytes: number; readonly checksum: number }>;

const ORDER = ['added', 'changed', 'removed'] as const;

/**
 * Compares two zips by their directories: a file is the same if its path, size and checksum are.
 *
 * @param before null: there was nothing
 * @param most so many files are listed; all are counted
 * @throws ContentRefused when one of them must not be unpacked
 */
export async function changesBetween(
  before: string | null,
  after: string,
  most: number,
): Promise<ContentChanges> {
  const old: Contents = before === null ? new Map() : await contentsOf(before);
  const files = differences(old, await contentsOf(after));
  const count = (kind: FileChange['is']) => files.filter(({ is }) => is === kind).length;
  const [added, changed, removed] = [count('added'), count('changed'), count('removed')];
  return { added, changed, removed, files: files.slice(0, most) };
}

function contentsOf(path: string): Promise<Contents> {
  return readArchive(
    path,
    CONTENT_LIMITS,
    (files) =>
      new Map(
        files.map(({ path: name, sizeBytes, entry }) => [
          name,
          { sizeBytes, checksum: entry.crc32 },
        ]),
      ),
  );
}

/** Sorted by kind, then by path. */
function differences(before: Contents, after: Contents): FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, { sizeBytes, checksum }] of after) {
    const old = before.get(path);
    if (old === undefined) changes.push({ path, is: 'added', sizeBytes });
    else if (old.sizeBytes !== sizeBytes || old.checksum !== checksum)
      changes.push({ path, is: 'changed', sizeBytes });
  }
  for (const [path, { sizeBytes }] of before)
    if (!after.has(path)) changes.push({ path, is: 'removed', sizeBytes });
  return changes.sort(
    (a, b) =>
      ORDER.indexOf(a.is) - ORDER.indexOf(b.is) ||
      Number(a.path > b.path) - Number(a.path < b.path),
  );
}
