import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getFileNameLowLevel, openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { isLitter, refuseClashes, safePath } from './entry-path.ts';
import { languageFolder } from '#base/language-tag.ts';
import { ContentRefused } from './refusal.ts';

export interface ContentLimits {
  readonly entries: number;
  /** The size of all files together, unpacked. */
  readonly sizeBytes: number;
}

export const CONTENT_LIMITS: ContentLimits = { entries: 20_000, sizeBytes: 512 * 1024 * 1024 };

/** One file of the zip under the path it will have. */
export interface ArchivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly entry: Entry;
}

const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAGS = 0x41;
const FILE_TYPE = 0xf000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;
/** Only repetition without meaning gets below this; pictures and text stay far above it. */
const BOMB = { sizeBytes: 16 * 1024 * 1024, ratio: 250 };

/**
 * Calls `read` with the files of the zip at `path`, which passed every check that its directory
 * allows; contents are only read by `unpack`.
 *
 * @throws ContentRefused for a zip that is not fit to be unpacked
 */
export async function readArchive<T>(
  path: string,
  limits: ContentLimits,
  read: (files: readonly ArchivedFile[], zip: ZipFile) => Promise<T> | T,
): Promise<T> {
  const zip = await opened(path);
  try {
    const files = await filesIn(zip, limits);
    refuseClashes(files.map((file) => file.path));
    return await read(unwrapped(files), zip);
  } finally {
    zip.close();
  }
}

/** Writes `files` below `folder`. @throws ContentRefused when data is not what the zip says of it */
export async function unpack(
  zip: ZipFile,
  files: readonly ArchivedFile[],
  folder: string,
): Promise<void> {
  for (const { path, entry } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    const source = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw damaged(error, path);
    });
    // Stops at the first byte more than the directory announced.
    await pipeline(source, createWriteStream(target, { flags: 'wx' })).catch((error: unknown) => {
      if (isOfDisk(error)) throw error;
      throw damaged(error, path);
    });
  }
}

async function opened(path: string): Promise<ZipFile> {
  try {
    // Names are decoded below: a name that yauzl refuses itself would have no reason of ours.
    return await openPromise(path, { decodeStrings: false, autoClose: false });
  } catch (error) {
    if (isOfDisk(error)) throw error;
    throw new ContentRefused('not-a-zip', `This is not a readable zip file (${said(error)}).`);
  }
}

async function filesIn(zip: ZipFile, limits: ContentLimits): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  let [count, sizeBytes, packedBytes] = [0, 0, 0];
  for await (const entry of entriesOf(zip)) {
    count += 1;
    if (count > limits.entries)
      throw new ContentRefused('too-many', `The zip has more than ${limits.entries} entries.`);
    const name = safePath(nameOf(entry));
    refuseKind(entry, name);
    sizeBytes += entry.uncompressedSize;
    packedBytes += entry.compressedSize;
    if (sizeBytes > limits.sizeBytes) {
      const most = Math.floor(limits.sizeBytes / 1024 / 1024);
      throw new ContentRefused('too-large', `Unpacked, the zip has more than ${most} MiB.`, name);
    }
    if (!name.endsWith('/') && !isLitter(name))
      files.push({ path: name.normalize('NFC'), sizeBytes: entry.uncompressedSize, entry });
  }
  if (packedBytes > zip.fileSize)
    throw new ContentRefused('bomb', 'Entries of the zip share their data, as only a bomb’s do.');
  return files;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (error instanceof ContentRefused || isOfDisk(error)) throw error;
    throw new ContentRefused('not-a-zip', `The zip’s directory is broken (${said(error)}).`);
  }
}

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function refuseKind(entry: Entry, name: string): void {
  if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAGS) !== 0)
    throw new ContentRefused('encrypted', `The file ${name} is encrypted.`, name);
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR && type !== FOLDER)
    throw new ContentRefused('link', `${name} is a link or a device, not a file.`, name);
  if (![STORED, DEFLATED].includes(entry.compressionMethod))
    throw new ContentRefused('unsupported', `${name} is packed in a way that is not read.`, name);
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > BOMB.sizeBytes && uncompressedSize > compressedSize * BOMB.ratio)
    throw new ContentRefused('bomb', `${name} unpacks to far more than it holds.`, name);
}

/** People zip the folder rather than what is in it: one that holds everything is left out. */
function unwrapped(files: readonly ArchivedFile[]): readonly ArchivedFile[] {
  const [first = '', ...deeper] = files[0]?.path.split('/') ?? [];
  const isSite = files.some(({ path }) => path === `${first}/index.html`);
  const isWrapper =
    deeper.length > 0 &&
    (isSite || languageFolder(first) === null) &&
    files.every(({ path }) => path.startsWith(`${first}/`));
  if (!isWrapper) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) }));
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const damaged = (error: unknown, path: string) =>
  new ContentRefused('damaged', `The file ${path} cannot be unpacked (${said(error)}).`, path);

/** Full disks and missing rights are ours, not the content's. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
