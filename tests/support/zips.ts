import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { openPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

/** An entry as a zip says it, true or not. */
export interface Written {
  readonly name: string;
  readonly bytes?: string | Buffer;
  /** Of Unix, with the kind of file in its upper bits. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  /** What the directory says of the size; the truth when left out. */
  readonly saysBytes?: number;
  /** Points at the data of the entry of this index instead of its own. */
  readonly sharesWith?: number;
}

const UTF8_NAMES = 0x800;

/** A zip made byte by byte, so that it can be as wrong as a hostile one. */
export function zipOf(entries: readonly Written[]): Buffer {
  const offsets: number[] = [];
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, mode = 0o100644 } = entry;
    const { header, data } = headerOf(entry);
    const central = Buffer.alloc(14);
    central.writeUInt32LE((mode << 16) >>> 0, 6);
    central.writeUInt32LE(offsets[entry.sharesWith ?? -1] ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header);
    directory.push(central, Buffer.from(name));
    offsets.push(offset);
    if (entry.sharesWith !== undefined) continue;
    const local = [Buffer.from('PK\x03\x04', 'latin1'), header, Buffer.from(name), data];
    locals.push(...local);
    offset += Buffer.concat(local).length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** What both headers of an entry say, and its data. */
function headerOf({ name, bytes = '', flags = 0, method = 8, saysBytes }: Written) {
  const raw = Buffer.from(bytes);
  const data = method === 8 ? deflateRawSync(raw) : raw;
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(flags | UTF8_NAMES, 2);
  header.writeUInt16LE(method, 4);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(saysBytes ?? raw.length, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 22);
  return { header, data };
}

/** A zip of files that are what they say. */
export const zipOfFiles = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  zipOf(Object.entries(files).map(([name, bytes]) => ({ name, bytes })));

/** Calls `use` with a folder of its own, which is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-build-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes `files` below `folder`. */
export function putFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** Every file of the zip at `path`. */
export async function filesOfZip(path: string): Promise<Map<string, Buffer>> {
  const zip: ZipFile = await openPromise(path, { autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) files.set(entry.fileName, await bytesOf(zip, entry));
  zip.close();
  return files;
}

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
