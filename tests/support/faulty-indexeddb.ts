import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb';

/** Something that goes wrong in a device's storage. */
export interface StorageFault {
  /** `begin`: the connection is lost when a transaction begins; `put`, `commit`: it is aborted. */
  readonly at: 'throw-at-open' | 'open' | 'begin' | 'put' | 'commit';
  /** The name of the DOMException: QuotaExceededError, AbortError, UnknownError … */
  readonly name: string;
  /** So many of the kind go well before. */
  readonly after?: number;
  /** How often it fails then; always when left out. */
  readonly times?: number;
  readonly onHit?: () => void;
}

/** The members of fake-indexeddb besides the browser's interface. */
interface Innards extends IDBTransaction {
  _start: () => void;
  _abort: (name: string | null) => void;
  _markFinished: () => void;
  readonly _state: string;
  _execRequestAsync: (asked: { source: IDBObjectStore; operation: () => never }) => IDBRequest;
}

interface Planned {
  readonly fault: StorageFault;
  after: number;
  times: number;
}

/** The storage of one device: it keeps what was committed, and fails as planned. */
export class FaultyIndexedDB {
  readonly inner = new IDBFactory();
  readonly #planned = new Set<Planned>();
  readonly #lost = new Map<string, Set<IDBValidKey>>();
  readonly #connections = new Set<IDBDatabase>();
  readonly #first = this.tab();

  /** The IndexedDB of a device with one tab. */
  get factory(): IDBFactory {
    return this.#first.factory;
  }

  /** The IndexedDB of one more tab. */
  tab(): StorageTab {
    return new StorageTab(this);
  }

  /** Lets `fault` happen. Gives what ends it. */
  fail(fault: StorageFault): () => void {
    const planned = { fault, after: fault.after ?? 0, times: fault.times ?? Infinity };
    this.#planned.add(planned);
    return () => {
      this.#planned.delete(planned);
    };
  }

  /** The name of what goes wrong now, if something does. */
  hit(at: StorageFault['at']): string | null {
    for (const planned of this.#planned) {
      if (planned.fault.at !== at) continue;
      if (planned.after > 0) {
        planned.after -= 1;
        continue;
      }
      planned.times -= 1;
      if (planned.times <= 0) this.#planned.delete(planned);
      planned.fault.onHit?.();
      return planned.fault.name;
    }
    return null;
  }

  /** The value is there and can't be read any more, as after damage to the disk. */
  lose(store: string, key: IDBValidKey): void {
    this.#lost.set(store, (this.#lost.get(store) ?? new Set()).add(key));
  }

  isLost(store: string, key: IDBValidKey | null): boolean {
    const keys = this.#lost.get(store);
    return keys !== undefined && (key === null || keys.has(key));
  }

  /** What was written over can be read again. */
  found(store: string, key: IDBValidKey): void {
    this.#lost.get(store)?.delete(key);
    if (this.#lost.get(store)?.size === 0) this.#lost.delete(store);
  }

  opened(db: IDBDatabase): void {
    this.#connections.add(db);
  }

  /** The browser closes every connection, as when the disk goes away. */
  closeAll(): void {
    for (const db of this.#connections) forceCloseDatabase(db as never);
    this.#connections.clear();
  }

  /** The browser evicts everything. */
  async evict(): Promise<void> {
    const reopened = this.fail({ at: 'open', name: 'UnknownError' });
    this.closeAll();
    for (const { name } of await this.inner.databases())
      if (name !== undefined) await answered(this.inner.deleteDatabase(name));
    reopened();
  }
}

/** One tab's way to the storage. Killed, it is silent, and what it had not committed is undone. */
export class StorageTab {
  readonly #device: FaultyIndexedDB;
  readonly #transactions = new Set<Innards>();
  readonly #requests = new Set<IDBRequest>();
  readonly #connections = new Set<IDBDatabase>();
  #left = Infinity;
  #die = (): void => undefined;
  isKilled = false;
  readonly killed = new Promise<void>((resolve) => (this.#die = resolve));

  constructor(device: FaultyIndexedDB) {
    this.#device = device;
  }

  /** Kills the tab once `steps` more requests have been carried out. */
  killAfter(steps: number): void {
    this.#left = steps;
  }

  kill(): void {
    this.isKilled = true;
    this.#die();
    for (const request of this.#requests) silence(request);
    for (const transaction of this.#transactions) {
      silence(transaction);
      if (transaction._state !== 'finished') transaction._abort('AbortError');
    }
    for (const db of this.#connections) {
      silence(db);
      db.close();
    }
  }

  readonly factory = {
    open: (name: string, version?: number): IDBOpenDBRequest => {
      const thrown = this.#device.hit('throw-at-open');
      if (thrown !== null) throw new DOMException('planned', thrown);
      if (this.isKilled) return {} as IDBOpenDBRequest;
      const failed = this.#device.hit('open');
      if (failed !== null) return failing(failed);
      const request = this.#device.inner.open(name, version);
      this.#requests.add(request);
      request.addEventListener('success', () => {
        this.#opened(request.result);
      });
      return request;
    },
    deleteDatabase: (name: string) => this.#device.inner.deleteDatabase(name),
    databases: () => this.#device.inner.databases(),
    cmp: (a: unknown, b: unknown) => this.#device.inner.cmp(a, b),
  };

  #opened(db: IDBDatabase): void {
    if (this.isKilled) {
      db.close();
      return;
    }
    this.#connections.add(db);
    this.#device.opened(db);
    const begin = db.transaction.bind(db);
    db.transaction = (...asked) => {
      const failed = this.#device.hit('begin');
      if (failed !== null) throw new DOMException('planned', failed);
      const transaction = begin(...asked) as Innards;
      this.#begun(transaction);
      return transaction;
    };
  }

  #begun(transaction: Innards): void {
    this.#transactions.add(transaction);
    const start = transaction._start.bind(transaction);
    transaction._start = () => {
      this.#left -= 1;
      if (this.#left < 0 && !this.isKilled) this.kill();
      start();
    };
    this.#letCommitFail(transaction);
    const open = transaction.objectStore.bind(transaction);
    const stores = new Map<string, IDBObjectStore>();
    transaction.objectStore = (name) => {
      const store = stores.get(name) ?? this.#letFail(transaction, open(name));
      stores.set(name, store);
      return store;
    };
  }

  #letCommitFail(transaction: Innards): void {
    let isDecided = transaction.mode !== 'readwrite';
    const abort = transaction._abort.bind(transaction);
    const finish = transaction._markFinished.bind(transaction);
    transaction._abort = (name) => {
      isDecided = true;
      abort(name);
    };
    transaction._markFinished = () => {
      const failed = isDecided ? null : this.#device.hit('commit');
      isDecided = true;
      if (failed === null) finish();
      else transaction._abort(failed);
    };
  }

  #letFail(transaction: Innards, store: IDBObjectStore): IDBObjectStore {
    const failed = (name: string): IDBRequest =>
      transaction._execRequestAsync({
        source: store,
        operation: () => {
          throw new DOMException('planned', name);
        },
      });
    const put = store.put.bind(store);
    const get = store.get.bind(store);
    const getAll = store.getAll.bind(store);
    const remove = store.delete.bind(store);
    store.put = (value: unknown, key?: IDBValidKey) => {
      const name = this.#device.hit('put');
      if (name !== null) return failed(name) as IDBRequest<IDBValidKey>;
      if (key !== undefined) this.#device.found(store.name, key);
      return put(value, key);
    };
    store.get = (key: IDBValidKey) =>
      this.#device.isLost(store.name, key) ? failed('NotReadableError') : get(key);
    store.getAll = () =>
      this.#device.isLost(store.name, null) ? failed('NotReadableError') : getAll();
    store.delete = (key: IDBValidKey) => {
      this.#device.found(store.name, key);
      return remove(key);
    };
    return store;
  }
}

/** A request to open that fails. */
function failing(name: string): IDBOpenDBRequest {
  const request = { error: new DOMException('planned', name) } as unknown as IDBOpenDBRequest;
  void Promise.resolve().then(() => {
    request.onerror?.(new Event('error'));
  });
  return request;
}

function silence(target: EventTarget): void {
  const handlers = ['onsuccess', 'onerror', 'onblocked', 'onupgradeneeded', 'oncomplete'];
  for (const handler of [...handlers, 'onabort', 'onversionchange', 'onclose'])
    if (handler in target) (target as unknown as Record<string, unknown>)[handler] = null;
}

/** Resolves with what `request` gives. */
export function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('No answer'));
    };
  });
}
