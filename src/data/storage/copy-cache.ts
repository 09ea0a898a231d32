import { IndexedDBCache } from '@orbit/indexeddb';
import { NotStoredError } from '../model/not-stored-error.ts';
import { orbitSchema } from '../model/record.ts';

interface CopyCacheOptions {
  readonly indexedDB: IDBFactory;
  readonly name: string;
  readonly version: number;
  /** Makes or upgrades the stores; `from` is 0 for a new database. */
  readonly upgrade: (transaction: IDBTransaction, from: number) => void;
  /** An older tab holds it. Once that closes it, `opened` or `failed` is called all the same. */
  readonly blocked: () => void;
  readonly opened: (db: IDBDatabase) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Orbit's IndexedDB cache with tables of our own: it sets the database's name and version, and
 * opens, upgrades and removes it on the storage that it is given, with durable transactions.
 */
export class CopyCache extends IndexedDBCache {
  readonly #options: CopyCacheOptions;

  constructor(options: CopyCacheOptions) {
    super({
      schema: orbitSchema(),
      namespace: options.name,
      processors: [],
      defaultTransformOptions: { useBuffer: false },
    });
    this.#options = options;
  }

  override get dbVersion(): number {
    return this.#options.version;
  }

  /** The open connection; null: there is none. */
  get db(): IDBDatabase | null {
    return this._db ?? null;
  }

  /** @throws NotStoredError `blocked`, or the error of IndexedDB */
  override openDB(): Promise<IDBDatabase> {
    const { indexedDB, upgrade, blocked, opened, failed } = this.#options;
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(this.dbName, this.dbVersion);
      request.onupgradeneeded = ({ oldVersion }) => {
        if (request.transaction !== null) upgrade(request.transaction, oldVersion);
      };
      request.onblocked = () => {
        blocked();
        // This tab does not wait for another one.
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

  /** A write is durable when it is reported as complete. */
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
      const removal = this.#options.indexedDB.deleteDatabase(this.dbName);
      removal.onsuccess = () => {
        resolve();
      };
      removal.onerror = () => {
        reject(removal.error ?? new Error('IndexedDB does not let go'));
      };
    });
  }
}
