import { IndexedDBCache } from '@orbit/indexeddb';
import { NotStoredError } from '../model/not-stored-error.ts';
import { orbitSchema } from '../model/record.ts';

interface CopyCacheOptions {
  readonly indexedDB: IDBFactory;
  readonly name: string;
  readonly version: number;
  /** Makes or upgrades the stores; `from` is 0 for a new database. */
  readonly upgrade: (transaction: IDBTransaction, from: number) => void;
  /** An older tab holds it. When that lets go, `opened` or `failed` comes all the same. */
  readonly blocked: () => void;
  readonly opened: (db: IDBDatabase) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Orbit's IndexedDB cache with tables of our own: the database's name and version, its opening, upgrade,
 * transactions and end, told of `blocked` and of what is too new, and of the storage that it is given.
 */
export class CopyCache extends IndexedDBCache {
  readonly #parts: CopyCacheOptions;

  constructor(parts: CopyCacheOptions) {
    super({
      schema: orbitSchema(),
      namespace: parts.name,
      processors: [],
      defaultTransformOptions: { useBuffer: false },
    });
    this.#parts = parts;
  }

  override get dbVersion(): number {
    return this.#parts.version;
  }

  /** The open connection; null: there is none. */
  get db(): IDBDatabase | null {
    return this._db ?? null;
  }

  /** @throws NotKept `blocked`, and what IndexedDB says */
  override openDB(): Promise<IDBDatabase> {
    const { indexedDB, upgrade, blocked, opened, failed } = this.#parts;
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.dbName, this.dbVersion);
      request.onupgradeneeded = ({ oldVersion }) => {
        if (request.transaction !== null) upgrade(request.transaction, oldVersion);
      };
      request.onblocked = () => {
        blocked();
        // Nobody waits for another tab.
        reject(new NotStoredError('blocked'));
      };
      request.onsuccess = () => {
        this._db = request.result;
        opened(request.result);
        resolve(request.result);
      };
      request.onerror = () => {
        failed(request.error);
        reject(request.error ?? new Error('IndexedDB does not open'));
      };
    });
  }

  /** What is written is durable when it is said to be. */
  override createTransaction(
    names: string[],
    mode: IDBTransactionMode = 'readonly',
  ): IDBTransaction {
    if (this._db === undefined) throw new DOMException('It is closed', 'InvalidStateError');
    return this._db.transaction(names, mode, mode === 'readonly' ? {} : { durability: 'strict' });
  }

  /** Closes the connection at once. */
  letGo(): void {
    this._db?.close();
    this.forget();
  }

  /** The connection is closed already, or about to be. */
  forget(): void {
    delete this._db;
  }

  override deleteDB(): Promise<void> {
    this.letGo();
    return new Promise((resolve, reject) => {
      const removal = this.#parts.indexedDB.deleteDatabase(this.dbName);
      removal.onsuccess = () => {
        resolve();
      };
      removal.onerror = () => {
        reject(removal.error ?? new Error('IndexedDB does not let go'));
      };
    });
  }
}
