import { CopyCache } from './copy-cache.ts';
import type { Environment } from '../model/environment.ts';
import { SerialQueue } from '#base/serial-queue.ts';
import { MemoryTables } from './memory-tables.ts';
import { NotStoredError } from '../model/not-stored-error.ts';
import { tablesOf } from './tables.ts';
import type { StoreName, TransactionWork } from './tables.ts';
import type { StorageState } from '../model/views.ts';

interface LocalDatabaseOptions extends Pick<Environment, 'indexedDB' | 'timers' | 'report'> {
  readonly name: string;
  readonly version: number;
  /** Makes or upgrades the stores; `from` is 0 for a new database. */
  readonly upgrade: (transaction: IDBTransaction, from: number) => void;
  /** Tells whether the person has signed out on this device: nothing may be written after that. */
  readonly isForgotten: () => boolean;
}

/** A tab that delays the removal of a database delays everybody who opens it afterwards. */
const OPEN_AGAIN_WITHIN_MS = 3_000;
const FIRST_TRY_AGAIN_MS = 500;
const LAST_TRY_AGAIN_MS = 30_000;

/** The browser offers no storage here (private mode, policy): trying again is no use. */
const NO_STORAGE: ReadonlySet<string> = new Set(['SecurityError', 'InvalidStateError']);
/** These errors say nothing about the storage: the request was wrong. */
const OUR_MISTAKE: ReadonlySet<string> = new Set([
  'ConstraintError',
  'DataCloneError',
  'DataError',
  'NotFoundError',
  'ReadOnlyError',
  'TransactionInactiveError',
]);

/**
 * One IndexedDB database, and every way in which it may not be there.
 *
 *   opening ──> kept ──a transaction or the connection fails──> failing ──time, opened──> kept
 *      │         ├──another page removes it──> opening
 *      │         └──a newer app upgrades it──> newer (we close it, and write no more)
 *      ├──an older tab holds it──> blocked ──that closes it──> kept
 *      ├──it is a newer app's──> newer
 *      └──there is no storage──> memory
 *
 * A write in another state than `kept` or `memory` fails at once with `NotStoredError`.
 */
export class LocalDatabase {
  readonly #options: LocalDatabaseOptions;
  readonly #listeners = new Set<() => void>();
  #storageState: StorageState = 'kept';
  /** Null where the browser offers no storage at all. */
  readonly #cache: CopyCache | null;
  #opening: Promise<CopyCache | null> | null = null;
  #memory: MemoryTables | null = null;
  /** Writes run one after the other, in the order of the calls. */
  readonly #queue = new SerialQueue();
  #failures = 0;
  #timer: unknown = null;
  #wasOpen = false;
  #isClosed = false;

  constructor(options: LocalDatabaseOptions) {
    this.#options = options;
    const { indexedDB } = options;
    this.#cache = indexedDB === null ? null : this.#cacheOn(indexedDB);
    if (indexedDB === null) this.#goIntoMemory();
  }

  #cacheOn(indexedDB: IDBFactory): CopyCache {
    return new CopyCache({
      ...{ ...this.#options, indexedDB },
      blocked: () => {
        this.#enter('blocked');
      },
      opened: (db) => {
        this.#opened(db);
      },
      failed: (error) => {
        if (this.#storageState === 'blocked') this.#failed(error);
      },
    });
  }

  get storageState(): StorageState {
    return this.#storageState;
  }

  /** Calls `listener` when `storageState` changed, and when the database was opened again. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs `work` in one transaction; resolves after `oncomplete`, with the result of `work`.
   *
   * @throws NotStoredError when the storage did not take it, or what `work` throws: nothing is
   *   written then
   */
  transact<T>(
    names: readonly StoreName[],
    mode: 'readonly' | 'readwrite',
    work: TransactionWork<T>,
  ): Promise<T> {
    if (mode === 'readonly') return this.#transact(names, mode, work);
    return this.#queue.run(() => this.#transact(names, mode, work));
  }

  async #transact<T>(
    names: readonly StoreName[],
    mode: IDBTransactionMode,
    work: TransactionWork<T>,
  ): Promise<T> {
    const transaction = await this.#begin(names, mode);
    if (transaction === null) return (this.#memory ?? this.#goIntoMemory()).transact(work);
    const complete = ended(transaction);
    complete.catch(() => undefined);
    try {
      const result = await work(tablesOf(transaction));
      // fault 5
      await complete;
      if (mode === 'readwrite') this.#failures = 0;
      return result;
    } catch (error) {
      const why = transaction.error ?? error;
      abort(transaction);
      throw this.#meaningOf(why);
    }
  }

  /** Begins a transaction; null: there is only memory. */
  async #begin(
    names: readonly StoreName[],
    mode: IDBTransactionMode,
  ): Promise<IDBTransaction | null> {
    let isAgain = false;
    for (;;) {
      const cache = await this.#connect();
      if (cache === null) return null;
      try {
        return cache.createTransaction([...names], mode);
      } catch (error) {
        // The connection is being closed, and no event has said so yet: nothing was begun.
        if (isAgain) throw this.#meaningOf(error);
        isAgain = true;
        cache.forget();
      }
    }
  }

  /** The error that a failed transaction is reported with. */
  #meaningOf(error: unknown): unknown {
    if (error instanceof NotStoredError || !(error instanceof DOMException)) return error;
    // fault 11
    if (error.name === 'QuotaExceededError') return new NotStoredError('full', error);
    if (OUR_MISTAKE.has(error.name)) return error;
    if (this.#storageState === 'newer') return new NotStoredError('newer', error);
    this.#failed(error);
    return new NotStoredError('failing', error);
  }

  /** Opens the database if necessary; null: there is only memory. */
  async #connect(): Promise<CopyCache | null> {
    if (this.#isClosed) throw new NotStoredError('failing', new Error('The local copy is closed'));
    const cache = this.#cache;
    if (this.#memory !== null || cache === null) return null;
    if (cache.db !== null) return cache;
    if (this.#storageState === 'newer' || this.#storageState === 'blocked')
      throw new NotStoredError(this.#storageState);
    if (this.#timer !== null) throw new NotStoredError('failing');
    this.#opening ??= this.#open(cache).finally(() => {
      this.#opening = null;
    });
    return this.#wasOpen ? this.#inTime(this.#opening) : this.#opening;
  }

  /**
   * Rejects when it does not open in time: nothing was written. Once it opens, everything goes on.
   */
  #inTime<T>(opening: Promise<T>): Promise<T> {
    const { timers } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = timers.set(() => {
        if (this.#storageState === 'kept') this.#enter('failing');
        reject(new NotStoredError('failing'));
      }, OPEN_AGAIN_WITHIN_MS);
      const end = (): void => {
        timers.clear(timer);
      };
      opening.then(resolve, reject).then(end, end);
    });
  }

  async #open(cache: CopyCache): Promise<CopyCache | null> {
    try {
      await cache.openDB();
      return cache;
    } catch (error) {
      return this.#notOpened(error);
    }
  }

  #opened(db: IDBDatabase): void {
    if (this.#isClosed) {
      this.#cache?.letGo();
      return;
    }
    db.onversionchange = ({ newVersion }) => {
      // Open, it would hold the other tab up for ever.
      // fault 14
      this.#cache?.letGo();
      if (newVersion !== null) this.#enter('newer');
      else if (this.#options.isForgotten()) this.close();
      else {
        // Another page removed it: the records and changes here are written to a new one.
        // fault 44
        this.#connect().catch(() => undefined);
      }
    };
    db.onclose = () => {
      this.#cache?.forget();
      if (!this.#isClosed) this.#connect().catch(() => undefined);
    };
    const isAgain = this.#wasOpen;
    this.#wasOpen = true;
    this.#enter('kept', isAgain);
  }

  /** Returns null where memory takes its place. */
  #notOpened(error: unknown): null {
    if (error instanceof NotStoredError) throw error;
    const name = error instanceof DOMException ? error.name : '';
    // fault 18
    if (name === 'VersionError') {
      this.#enter('newer');
      throw new NotStoredError('newer', error);
    }
    // fault 13
    if (NO_STORAGE.has(name) && !this.#wasOpen) {
      this.#options.report('The browser offers no storage', error);
      this.#goIntoMemory();
      return null;
    }
    this.#failed(error);
    throw new NotStoredError('failing', error);
  }

  /** Closes the connection, and opens it again after a while. */
  #failed(error: unknown): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#cache?.letGo();
    const afterMs = Math.min(LAST_TRY_AGAIN_MS, FIRST_TRY_AGAIN_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = this.#options.timers.set(() => {
      this.#timer = null;
      // fault 15
      this.#connect().catch(() => undefined);
    }, afterMs);
    if (this.#storageState !== 'failing') this.#options.report('The storage failed', error);
    this.#enter('failing');
  }

  #goIntoMemory(): MemoryTables {
    this.#memory ??= new MemoryTables();
    this.#enter('memory');
    return this.#memory;
  }

  #enter(storageState: StorageState, isNews = false): void {
    const isSame = this.#storageState === storageState;
    this.#storageState = storageState;
    if (!isSame || isNews) for (const listener of this.#listeners) listener();
  }

  /** From now on nothing is read or written. */
  close(): void {
    this.#isClosed = true;
    this.#options.timers.clear(this.#timer);
    this.#cache?.letGo();
  }

  /** Closes and removes it. */
  async erase(): Promise<void> {
    this.close();
    if (this.#memory === null) await this.#cache?.deleteDB();
  }
}

/** Resolves once the transaction is durable, rejects when it was aborted. */
function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = () => {
      reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
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
