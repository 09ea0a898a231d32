import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { byPath } from '../content/files.ts';
import type { SiteFile } from '../content/files.ts';

const MODE = 0o100644;
/** Compressed already: trying again takes time and gains nothing. Phones read `.arsc` in place. */
const PACKED =
  /\.(png|jpe?g|gif|webp|avif|mp3|m4a|aac|og[agv]|opus|flac|mp4|m4v|webm|zip|epub|woff2?|arsc)$/i;

/** Writes a zip of `files` to `path`; the same files at the same `at` give the same bytes. */
export async function pack(path: string, files: readonly SiteFile[], at: string): Promise<void> {
  const zip = new ZipFile();
  const done = pipeline(zip.outputStream, createWriteStream(path));
  const failed = new Promise<never>((_, reject) => {
    zip.on('error', reject);
  });
  const mtime = onClocks(at);
  for (const file of [...files].sort(byPath)) {
    const options = {
      mtime,
      mode: MODE,
      forceDosTimestamp: true,
      compress: !PACKED.test(file.path),
    };
    if (typeof file.from === 'string') zip.addFile(file.from, file.path, options);
    else zip.addBuffer(file.from, file.path, options);
  }
  zip.end();
  await Promise.race([done, failed]);
}

/** Zips hold the time on the wall: this one shows that of UTC there, in whatever zone we are. */
function onClocks(at: string): Date {
  const utc = new Date(at);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
}
