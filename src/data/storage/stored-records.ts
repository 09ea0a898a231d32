import type { TypeName } from '#schema/index.ts';
import type { Change } from '../model/change.ts';
import { metadataFrom } from './write-batch.ts';
import type { RestoredCopy } from './write-batch.ts';
import type { LocalDatabase } from './database.ts';
import { fillMissingFields, isCompleteRecord, RECORD_SHAPE } from './stored-record.ts';
import { changesFrom } from './migrate.ts';
import { NotStoredError } from '../model/not-stored-error.ts';
import { isInWorkingSet } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { STORES } from './tables.ts';
import type { Table, Tables } from './tables.ts';

const RECORDS_PER_CHUNK = 500;

/** Errors for a value that was lost: the browser knows that there was one. */
const LOST: ReadonlySet<unknown> = new Set(['NotReadableError', 'DataError']);

/** Replaces a value that can't be read any more. */
const UNREADABLE = Symbol('unreadable');

/** The leader compacted the chunks while they were read: what was restored is outdated. */
export class ChunksCompactedError extends Error {
  constructor() {
    super('The copy was folded while it was read');
    this.name = 'ChunksGone';
  }
}

async function readAll(table: Table): Promise<Map<IDBValidKey, unknown>> {
  const keys = await table.keys();
  try {
    const values = await table.all();
    return new Map(keys.map((key, i) => [key, values[i]]));
  } catch (error) {
    if (!isLoss(error)) throw error;
  }
  return readSome(table, keys);
}

async function readSome(
  table: Table,
  keys: readonly IDBValidKey[],
): Promise<Map<IDBValidKey, unknown>> {
  const values = await Promise.all(keys.map((key) => readOne(table, key)));
  const there = keys.map((key, i) => [key, values[i]] as const);
  return new Map(there.filter(([, value]) => value !== undefined));
}

/** The value at `key`, or the symbol for one that can't be read. */
export async function readOne(table: Table, key: IDBValidKey): Promise<unknown> {
  try {
    return await table.get(key);
  } catch (error) {
    if (!isLoss(error)) throw error;
    return UNREADABLE;
  }
}

function isLoss(error: unknown): boolean {
  return error instanceof DOMException && LOST.has(error.name);
}

export const typeIn = (key: string): TypeName => key.split(/[:/]/, 1)[0] as TypeName;

export const numberIn = (chunkKey: string): number =>
  Number.parseInt(chunkKey.slice(chunkKey.indexOf('/') + 1), 10);

/** Ends the key of a chunk of records outside the working set. */
const OUTSIDE = '/outside';

/** Tells whether a chunk or row is of records outside the working set; `readRow` reads a row. */
export async function isOfOutside(key: string, readRow: () => Promise<unknown>): Promise<boolean> {
  if (key.includes('/')) return key.endsWith(OUTSIDE);
  const row = await readRow();
  return isCompleteRecord(typeIn(key), row) && !isInWorkingSet(row);
}

/** The records of a chunk that are complete, and whether all of them are. */
function completeRecordsOf(
  key: string,
  chunk: unknown,
  isOlder: boolean,
): { records: StoreRecord[]; isWhole: boolean } {
  const read = typeof chunk === 'string' ? parsed(chunk) : chunk;
  if (!Array.isArray(read)) return { records: [], isWhole: false };
  const type = typeIn(key);
  const all = isOlder ? read.map((record) => fillMissingFields(type, record)) : (read as unknown[]);
  const records = all.filter((record): record is StoreRecord => isCompleteRecord(type, record));
  return { records, isWhole: records.length === all.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads the copy. Damaged records are left out and noted in `damage`. */
export class StoredRecords {
  readonly #database: LocalDatabase;
  /** `seq` of the changes that can't be read, and of those that wait for them. */
  #stuck = new Set<number>();
  /** The complete records of each damaged chunk or row, by its key. */
  readonly damage = new Map<string, readonly StoreRecord[]>();
  /** An app that knew other fields wrote the records: missing fields are no damage. */
  #isOlder = false;

  constructor(database: LocalDatabase) {
    this.#database = database;
  }

  /** Reads everything but the chunks, which are read by type, those of the first screen first. */
  async restore(): Promise<RestoredCopy> {
    const [facts, outbox, rows, chunkKeys] = await this.#database.transact(
      STORES,
      'readonly',
      (tables) =>
        Promise.all([
          readAll(tables('facts')),
          readAll(tables('outbox')),
          readAll(tables('rows')),
          tables('chunks').keys<string>(),
        ]),
    );
    const copyId = facts.get('born');
    const known = metadataFrom(facts.get('facts'));
    this.#isOlder = known.shape !== RECORD_SHAPE;
    return {
      facts: known,
      born: typeof copyId === 'string' ? copyId : null,
      ...changesFrom(rowsOf(outbox), (this.#stuck = new Set())),
      rows: this.#completeRows(rows as ReadonlyMap<string, unknown>),
      chunks: byType(chunkKeys),
    };
  }

  #completeRows(rows: ReadonlyMap<string, unknown>): Map<string, StoreRecord | null> {
    const whole = new Map<string, StoreRecord | null>();
    for (const [key, read] of rows) {
      const row = this.#isOlder ? fillMissingFields(typeIn(key), read) : read;
      if (row === null || isCompleteRecord(typeIn(key), row)) whole.set(key, row);
      else {
        // fault 16
        this.damage.set(key, []);
      }
    }
    return whole;
  }

  /** The records of the given chunks. @throws ChunksCompactedError */
  async chunks(keys: readonly string[]): Promise<StoreRecord[]> {
    if (keys.length === 0) return [];
    const chunks = await this.#database.transact(['chunks'], 'readonly', (tables) => {
      const table = tables('chunks');
      return Promise.all(keys.map((key) => readOne(table, key)));
    });
    if (chunks.includes(undefined)) throw new ChunksCompactedError();
    return keys.flatMap((key, i) => {
      const { records, isWhole } = completeRecordsOf(key, chunks[i], this.#isOlder);
      if (!isWhole) this.damage.set(key, records);
      return records;
    });
  }

  /** The changes as they are on disk, after another tab wrote some: all, or those of `seqs`. */
  async changes(copyId: string | null, seqs: readonly number[] | null): Promise<readonly Change[]> {
    const names = ['outbox', 'facts'] as const;
    const outbox = await this.#database.transact(names, 'readonly', async (tables) => {
      await requireCopyId(copyId, tables);
      return seqs === null ? readAll(tables('outbox')) : readSome(tables('outbox'), seqs);
    });
    return changesFrom(rowsOf(outbox), this.#stuck).changes;
  }
}

/** The id of the copy; null: it has none that can be read. */
export async function copyIdIn(tables: Tables): Promise<string | null> {
  const copyId = await readOne(tables('facts'), 'born');
  return typeof copyId === 'string' ? copyId : null;
}

/**
 * @throws NotStoredError when another database is in place of the one that was read: see
 * `reconcile`
 */
export async function requireCopyId(copyId: string | null, tables: Tables): Promise<void> {
  if ((await copyIdIn(tables)) !== copyId)
    throw new NotStoredError('failing', new Error('Another copy is here'));
}

function rowsOf(outbox: ReadonlyMap<IDBValidKey, unknown>): unknown[] {
  return [...outbox].map(([seq, row]) => (row === UNREADABLE ? { seq } : row));
}

function byType(chunkKeys: readonly string[]): Map<TypeName, string[]> {
  const chunks = new Map<TypeName, string[]>();
  for (const key of chunkKeys) {
    const same = chunks.get(typeIn(key));
    if (same === undefined) chunks.set(typeIn(key), [key]);
    else same.push(key);
  }
  // A record may be in two chunks; the later one is the newer.
  for (const keys of chunks.values()) keys.sort((a, b) => numberIn(a) - numberIn(b));
  return chunks;
}

/** Puts `records` into new chunks, numbered from `from`, one after the other; returns how many. */
export async function putChunks(
  chunks: Table,
  records: Iterable<StoreRecord>,
  from: number,
): Promise<number> {
  const byKind = new Map<string, StoreRecord[]>();
  for (const record of records) {
    const kind = `${record.type}/${isInWorkingSet(record) ? '' : OUTSIDE}`;
    const same = byKind.get(kind);
    if (same === undefined) byKind.set(kind, [record]);
    else same.push(record);
  }
  let number = from;
  for (const [kind, all] of byKind) {
    for (let at = 0; at < all.length; at += RECORDS_PER_CHUNK) {
      // A chunk is text: browsers write and read it in two thirds of the time of objects.
      const chunk = JSON.stringify(all.slice(at, at + RECORDS_PER_CHUNK));
      // It is awaited so that a screen can be painted between two.
      await chunks.put(chunk, kind.replace('/', `/${number}`));
      number += 1;
    }
  }
  return number - from;
}
