import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SiteFile } from '../content/files.ts';

export interface Digest {
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Sizes and checksums of `files`, in their order. */
export async function digestsOf(files: readonly SiteFile[]): Promise<readonly Digest[]> {
  const all: Digest[] = [];
  for (const { path, from } of files) all.push({ path, ...(await digestOf(from)) });
  return all;
}

/** Returns the checksum of the file at `path`, in lower-case hexadecimal. */
export const sha256Of = async (path: string): Promise<string> => (await digestOf(path)).sha256;

async function digestOf(from: SiteFile['from']): Promise<Omit<Digest, 'path'>> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const add = (chunk: Buffer) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
  };
  if (typeof from === 'string')
    for await (const chunk of createReadStream(from)) add(chunk as Buffer);
  else add(from);
  return { sizeBytes, sha256: hash.digest('hex') };
}
