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
  for (const { path, from } of files) {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const add = (chunk: Buffer) => {
      hash.update(chunk);
      sizeBytes += chunk.length;
    };
    if (typeof from === 'string')
      for await (const chunk of createReadStream(from)) add(chunk as Buffer);
    else add(from);
    all.push({ path, sizeBytes, sha256: hash.digest('hex') });
  }
  return all;
}
