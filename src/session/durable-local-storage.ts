import type { KeyValueStore } from './key-value-store.ts';

/**
 * `localStorage` reaches the disk seconds after it was written; a browser that is killed before
 * forgets who was signed in. So what the session stores has a copy in IndexedDB, which is durable
 * at once, and from which a missing key is restored at the next start.
 */
export interface DurableLocalStorage extends KeyValueStore {
  /** Restores what the storage has lost. It resolves also where there is no IndexedDB. */
  readonly restore: () => Promise<void>;
  /** Resolves once everything written or removed so far is in the copy as well. */
  readonly flushed: () => Promise<void>;
}

const DATABASE = 'slipway-session';
const STORE = 'kept';
/** Keys that are copied; others, which only a sign-in in progress needs, may be lost. */
const IS_COPIED = /^(slipway\.|oidc\.user:)/;

export function createDurableLocalStorage(
  storage: Storage,
  indexedDB: IDBFactory | null,
): DurableLocalStorage {
  let database: Promise<IDBDatabase | null> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const within = <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) => {
    database ??= open(indexedDB);
    const done = database.then((db) =>
      db === null
        ? null
        : inOne(db, mode, work).catch(() => {
            // The browser closed it, as when it evicts storage: the next call opens another.
            database = null;
            return null;
          }),
    );
    last = Promise.all([last, done]);
    return done;
  };

  return {
    get length() {
      return storage.length;
    },
    key: (index) => storage.key(index),
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => {
      storage.setItem(key, value);
      if (IS_COPIED.test(key)) void within('readwrite', (store) => store.put(value, key));
    },
    removeItem: (key) => {
      storage.removeItem(key);
      if (IS_COPIED.test(key)) void within('readwrite', (store) => store.delete(key));
    },
    restore: async () => {
      const keys = (await within('readonly', (store) => store.getAllKeys())) ?? [];
      const values = (await within('readonly', (store) => store.getAll())) ?? [];
      keys.forEach((key, i) => {
        const value: unknown = values[i];
        const isLost = typeof key === 'string' && storage.getItem(key) === null;
        if (isLost && typeof value === 'string') storage.setItem(key, value);
      });
    },
    flushed: async () => {
      await last;
    },
  };
}

/**
 * Opens the database; null where that is not possible, as in some private windows: then there is no
 * copy.
 */
function open(indexedDB: IDBFactory | null): Promise<IDBDatabase | null> {
  if (indexedDB === null) return Promise.resolve(null);
  return new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE);
    };
    request.onsuccess = () => {
      done(request.result);
    };
    request.onerror = () => {
      fail(request.error ?? new Error('The copy does not open'));
    };
  }).catch(() => null);
}

/**
 * The result once the transaction is complete; null when it failed, which affects only the copy.
 */
function inOne<T>(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  return new Promise((done) => {
    const transaction = db.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => {
      done(request.result);
    };
    transaction.onabort = () => {
      done(null);
    };
  });
}
