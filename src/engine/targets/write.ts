import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuiltFile } from '../build/order.ts';
import type { BuildInput } from './target.ts';

/** Kinds of files that builds make, by the end of their names. */
const KINDS: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  apk: 'application/vnd.android.package-archive',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
};

/** The file called `filename` among the results of `work`, as an artifact. */
export function builtFile(
  work: Pick<BuildInput, 'out'>,
  type: string,
  filename: string,
): BuiltFile {
  const contentType = KINDS[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { type, path: join(work.out, filename), filename, contentType };
}

/** Writes `bytes` into the results. */
export async function writeOut(
  work: Pick<BuildInput, 'out'>,
  filename: string,
  bytes: string | Buffer,
): Promise<void> {
  const path = join(work.out, filename);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** JSON as people read it. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The name of a file made of `name` and its version: `Lake birds` 1.2 is `lake-birds-1.2`. */
export function fileStem(name: string, version: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return `${words || 'app'}-${version.replace(/[^\w.-]+/g, '-')}`;
}
