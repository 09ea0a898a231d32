import { IndexedDBCache, IndexedDBSource } from '@orbit/indexeddb';
import type { RecordSchema } from '@orbit/records';
import type { TypeName } from '#schema/index.ts';
import type { Change } from './change.ts';
import { keyOf } from './record.ts';
import type { StoreIdentity, StoreRecord } from './record.ts';

/** Number of the local schema; additive. A change says which one wrote it. */
export const LOCAL_SCHEMA = 1;

const RECORDS_PER_CHUNK = 500;
/** So many rows beside the chunks are worth folding in. */
const ROWS_BEFORE_FOLD = 1_000;

/**
 * The server's records lie in `chunks` (by type, 500 each) and, changed since, in `rows`, which win;
 * a removal is a row too. `outbox` holds the person's changes, `facts` the cursor and who this is.
 */
const STORES = ['chunks', 'rows', 'outbox', 'facts'] as const;
type StoreName = (typeof STORES)[number];

/** What is known besides records. */
export interface Facts {
  /** The id of the viewer's own record. */
  readonly viewer: string | null;
  /** Where the feed goes on; null until the first load is complete. */
  readonly cursor: string | null;
  /** Whose feed it is: null, or the organization that a super admin looks at. */
  readonly scope: string | null;
  /** When the copy was last level with the server (ISO). */
  readonly asOf: string | null;
}

const NO_FACTS: Facts = { viewer: null, cursor: null, scope: null, asOf: null };

/** One transaction's worth: all of it or nothing. */
export interface Commit {
  readonly set?: readonly StoreRecord[];
  readonly gone?: readonly StoreIdentity[];
  readonly changes?: readonly Change[];
  /** `seq` of changes to be taken out. */
  readonly drop?: readonly number[];
  readonly facts?: Partial<Facts>;
}

export interface Restored {
  readonly facts: Facts;
  readonly changes: readonly Change[];
  readonly rows: ReadonlyMap<string, StoreRecord | null>;
  /** Types that have chunks, and the keys of those. */
  readonly chunks: ReadonlyMap<TypeName, readonly string[]>;
}

class BackupCache extends IndexedDBCache {
  factory: IDBFactory | null = null;

  override get dbVersion(): number {
    return LOCAL_SCHEMA;
  }

  override openDB(): Promise<IDBDatabase> {
    const { factory } = this;
    if (factory === null) return Promise.reject(new Error('IndexedDB is not there'));
    if (this._db !== undefined) return Promise.resolve(this._db);
    return (this._openingDB = new Promise((resolve, reject) => {
      const request = factory.open(this.dbName, this.dbVersion);
      request.onupgradeneeded = () => {
        this.createDB(request.result);
      };
      request.onsuccess = () => {
        const db = request.result;
        this._db = db;
        // Another tab wants to upgrade or remove it: an open connection would block it for ever.
        db.onversionchange = () => {
          void this.closeDB();
        };
        db.onclose = () => {
          delete this._db;
        };
        resolve(db);
      };
      request.onerror = () => {
        reject(request.error ?? new Error('IndexedDB does not open'));
      };
    }));
  }

  override createDB(db: IDBDatabase): void {
    for (const name of STORES) {
      if (db.objectStoreNames.contains(name)) continue;
      db.createObjectStore(
        name,
        name === 'outbox' ? { keyPath: 'seq', autoIncrement: true } : undefined,
      );
    }
  }

  override deleteDB(): Promise<void> {
    return this.closeDB().then(
      () =>
        new Promise((resolve, reject) => {
          const request = this.factory?.deleteDatabase(this.dbName);
          if (request === undefined) return;
          request.onsuccess = () => {
            resolve();
          };
          request.onerror = () => {
            reject(request.error ?? new Error('IndexedDB does not let go'));
          };
        }),
    );
  }
}

/** What survives a reload: the server's state and the person's changes, one database per user. */
export class Backup extends IndexedDBSource {
  #pending: Commit[] = [];
  #writing: Promise<void> | null = null;
  #chunkCount = 0;
  #rowCount = 0;
  readonly #report: (what: string, cause: unknown) => void;

  constructor(
    schema: RecordSchema,
    account: string,
    indexedDB: IDBFactory | null,
    report: (what: string, cause: unknown) => void,
  ) {
    super({
      schema,
      name: 'backup',
      namespace: `slipway-${account}`,
      autoActivate: false,
      autoValidate: false,
      cacheClass: BackupCache,
      defaultTransformOptions: { useBuffer: false },
    });
    (this.cache as unknown as BackupCache).factory = indexedDB;
    this.#report = report;
  }

  /** Runs `work` in one transaction; resolves after `oncomplete`, with what `work` gave. */
  async #transact<T>(
    names: readonly StoreName[],
    mode: IDBTransactionMode,
    work: (store: (name: StoreName) => IDBObjectStore) => Promise<T> | T,
  ): Promise<T> {
    const db = await this.cache.openDB();
    const transaction = db.transaction(
      [...names],
      mode,
      mode === 'readonly' ? {} : { durability: 'strict' },
    );
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => {
        resolve();
      };
      transaction.onabort = () => {
        reject(transaction.error ?? new Error('The transaction was aborted'));
      };
    });
    try {
      const result = await work((name) => transaction.objectStore(name));
      await complete;
      return result;
    } catch (error) {
      complete.catch(() => undefined);
      abort(transaction);
      throw error;
    }
  }

  /** Everything but the chunks, which are read by type, the first screen's first. */
  async restore(): Promise<Restored> {
    return this.#transact(STORES, 'readonly', async (store) => {
      const [facts, changes, rowKeys, rows, chunkKeys] = await Promise.all([
        answer<Partial<Facts> | undefined>(store('facts').get('facts')),
        answer<Change[]>(store('outbox').getAll()),
        answer<IDBValidKey[]>(store('rows').getAllKeys()),
        answer<(StoreRecord | null)[]>(store('rows').getAll()),
        answer<IDBValidKey[]>(store('chunks').getAllKeys()),
      ]);
      const chunks = new Map<TypeName, string[]>();
      for (const key of chunkKeys as string[]) {
        const type = key.split('/')[0] as TypeName;
        chunks.set(type, [...(chunks.get(type) ?? []), key]);
        this.#chunkCount = Math.max(this.#chunkCount, numberIn(key) + 1);
      }
      // A record may be in two chunks; the later one is the newer.
      for (const keys of chunks.values()) keys.sort((a, b) => numberIn(a) - numberIn(b));
      this.#rowCount = rowKeys.length;
      return {
        facts: { ...NO_FACTS, ...facts },
        changes,
        rows: new Map(rowKeys.map((key, i) => [key as string, rows[i] ?? null])),
        chunks,
      };
    });
  }

  /** The records of the chunks named. */
  async chunks(keys: readonly string[]): Promise<StoreRecord[]> {
    if (keys.length === 0) return [];
    return this.#transact(['chunks'], 'readonly', async (store) => {
      const read = keys.map((key) => answer<StoreRecord[]>(store('chunks').get(key)));
      return (await Promise.all(read)).flat();
    });
  }

  /** The changes as they are on disk, after another tab wrote some. */
  changes(): Promise<Change[]> {
    return this.#transact(['outbox'], 'readonly', (store) => answer(store('outbox').getAll()));
  }

  /**
   * Keeps `changes`, durably, and drops others in the same transaction. A change with `seq` 0 gets
   * its number here; in `dependsOn`, -1 is the first of `changes`, -2 the second. Null when one of `unsent` has been taken to be sent since: nothing is written.
   */
  async keep(
    changes: readonly Change[],
    drop: readonly number[],
    unsent: readonly number[],
  ): Promise<readonly Change[] | null> {
    return this.#transact(['outbox'], 'readwrite', async (store) => {
      const outbox = store('outbox');
      const rows = unsent.map((seq) => answer<Change | undefined>(outbox.get(seq)));
      if ((await Promise.all(rows)).some((row) => row?.attempts !== 0)) return null;
      for (const seq of drop) outbox.delete(seq);
      const kept: Change[] = [];
      for (const change of changes) {
        const dependsOn = change.dependsOn.map((seq) =>
          seq < 0 ? (kept[-seq - 1]?.seq ?? 0) : seq,
        );
        const { seq, ...unnumbered } = { ...change, dependsOn };
        const key = await answer(outbox.put(seq === 0 ? unnumbered : { seq, ...unnumbered }));
        kept.push({ ...unnumbered, seq: key as number });
      }
      return kept;
    });
  }

  /** Writes `commit` behind what is shown: soon, in order, together with what else waits. */
  later(commit: Commit): void {
    this.#pending.push(commit);
    this.#writing ??= this.#write();
  }

  /** Resolves once all that was handed to `later` is durable or was given up. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  async #write(): Promise<void> {
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const commits = this.#pending;
      this.#pending = [];
      try {
        await this.commit(...commits);
      } catch (error) {
        // The feed brings records again, because the cursor was not moved either.
        this.#report('The local copy could not be written', error);
      }
    }
    this.#writing = null;
  }

  /** Writes `commits` in one transaction. */
  async commit(...commits: readonly Commit[]): Promise<void> {
    const rows = new Map<string, StoreRecord | null>();
    const facts = commits.some((commit) => commit.facts !== undefined);
    for (const { set = [], gone = [] } of commits) {
      for (const record of set) rows.set(keyOf(record), record);
      for (const identity of gone) rows.set(keyOf(identity), null);
    }
    await this.#transact(STORES, 'readwrite', async (store) => {
      const known = facts
        ? await answer<Partial<Facts> | undefined>(store('facts').get('facts'))
        : undefined;
      this.#putRecords(store, rows);
      for (const { changes = [], drop = [] } of commits) {
        for (const change of changes) store('outbox').put(change);
        for (const seq of drop) store('outbox').delete(seq);
      }
      if (facts)
        store('facts').put(Object.assign({}, known, ...commits.map((c) => c.facts)), 'facts');
    });
  }

  /** Many records are cheaper as chunks; what is in a row already stays there, because rows win. */
  #putRecords(
    store: (name: StoreName) => IDBObjectStore,
    rows: ReadonlyMap<string, StoreRecord | null>,
  ): void {
    const records = [...rows.values()].filter((record) => record !== null);
    const asChunks = records.length > RECORDS_PER_CHUNK / 5 && this.#rowCount === 0;
    if (asChunks) this.#putChunks(store('chunks'), records);
    for (const [key, record] of rows) {
      if (asChunks && record !== null) continue;
      store('rows').put(record, key);
      this.#rowCount += 1;
    }
  }

  #putChunks(chunks: IDBObjectStore, records: readonly StoreRecord[]): void {
    const byType = new Map<TypeName, StoreRecord[]>();
    for (const record of records) {
      const same = byType.get(record.type);
      if (same === undefined) byType.set(record.type, [record]);
      else same.push(record);
    }
    for (const [type, all] of byType) {
      for (let at = 0; at < all.length; at += RECORDS_PER_CHUNK) {
        chunks.put(all.slice(at, at + RECORDS_PER_CHUNK), `${type}/${this.#chunkCount}`);
        this.#chunkCount += 1;
      }
    }
  }

  get wantsFold(): boolean {
    return this.#rowCount > ROWS_BEFORE_FOLD;
  }

  /**
   * Rewrites the server's records as chunks in one transaction. `records` is asked once the
   * transaction is in line: what is merged later is also written later.
   */
  async fold(records: () => readonly StoreRecord[]): Promise<void> {
    await this.settled();
    await this.#transact(['chunks', 'rows'], 'readwrite', (store) => {
      store('chunks').clear();
      store('rows').clear();
      this.#rowCount = 0;
      this.#putChunks(store('chunks'), records());
    });
  }

  /** Removes the database, changes too. */
  async erase(): Promise<void> {
    await this.settled();
    await this.cache.deleteDB();
  }
}

const numberIn = (chunkKey: string): number => Number(chunkKey.split('/')[1]);

function answer<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result as T);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB gave no answer'));
    };
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}
