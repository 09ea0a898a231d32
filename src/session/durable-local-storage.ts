import type { KeyValueStore } from './key-value-store.ts';

/**
 * `localStorage` reaches the disk seconds after it was written; a browser killed before has then
 * forgotten who was signed in. So what the session keeps has a twin in IndexedDB, which is there
 * at once, and from which a key that is missing is put back at the next start.
 */
export interface DurableLocalStorage extends KeyValueStore {
  /** Puts back what the storage has lost. Resolves, too, where there is no IndexedDB. */
  readonly restore: () => Promise<void>;
  /** Resolves once everything written or removed so far is in the twin as well. */
  readonly flushed: () => Promise<void>;
}

const DATABASE = 'slipway-session';
const STORE = 'kept';
/** What only a sign-in under way needs may be lost. */
const IS_KEPT = /^(slipway\.|oidc\.user:)/;

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
            // The browser closed it, as when it throws storage away: the next asking opens another.
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
      if (IS_KEPT.test(key)) void within('readwrite', (store) => store.put(value, key));
    },
    removeItem: (key) => {
      storage.removeItem(key);
      if (IS_KEPT.test(key)) void within('readwrite', (store) => store.delete(key));
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

/** Null where it cannot be opened, as in some private windows: then there is no twin. */
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
      fail(request.error ?? new Error('The twin does not open'));
    };
  }).catch(() => null);
}

/** The result once the transaction is complete; null when it failed, which costs nothing but the twin. */
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
