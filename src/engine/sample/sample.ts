import { fileURLToPath } from 'node:url';
import { filesBelow } from '../content/files.ts';
import { pack } from '../targets/pack.ts';

/** Any instant would do: the sample is the same zip wherever and whenever it is made. */
const AT = '2026-01-01T00:00:00.000Z';

/** Writes the content that a project can start from, as a zip at `path`. */
export async function writeSample(path: string): Promise<void> {
  const folder = fileURLToPath(new URL('./content/', import.meta.url));
  await pack(path, await filesBelow(folder), AT);
}
