/**
 * The server's records lie in `chunks` (by type, 500 each) and, changed since, in `rows`, which
 * win; a removal is a row too. `outbox` holds the person's changes, `facts` the cursor and who this
 * is.
 */
export const STORES = ['chunks', 'rows', 'outbox', 'facts'] as const;
export type StoreName = (typeof STORES)[number];

/** One object store inside a transaction; keys of the outbox are in its rows, as `seq`. */
export interface Table {
  readonly get: <T>(key: IDBValidKey) => Promise<T | undefined>;
  readonly all: <T>() => Promise<T[]>;
  readonly keys: <K extends IDBValidKey>() => Promise<K[]>;
  readonly count: () => Promise<number>;
  /** Returns the key. It need not be awaited: an error also ends the transaction. */
  readonly put: (value: unknown, key?: IDBValidKey) => Promise<IDBValidKey>;
  readonly delete: (key: IDBValidKey) => void;
  readonly clear: () => void;
}

export type Tables = (name: StoreName) => Table;

/** The work of one transaction, which awaits nothing but its tables. */
export type TransactionWork<T> = (tables: Tables) => Promise<T> | T;

/** The stores of `transaction` as tables. */
export function tablesOf(transaction: IDBTransaction): Tables {
  return (name) => {
    const store = transaction.objectStore(name);
    return {
      get: (key) => read(store.get(key)),
      all: () => read(store.getAll()),
      keys: () => read(store.getAllKeys()),
      count: () => read(store.count()),
      put: (value, key) => {
        const put = answer<IDBValidKey>(store.put(value, key));
        put.catch(() => undefined);
        return put;
      },
      delete: (key) => {
        store.delete(key);
      },
      clear: () => {
        store.clear();
      },
    };
  };
}

/** A value that can't be read fails alone: others in the transaction can be. */
function read<T>(request: IDBRequest): Promise<T> {
  request.addEventListener('error', (event) => {
    event.preventDefault();
    event.stopPropagation();
  });
  return answer(request);
}

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
