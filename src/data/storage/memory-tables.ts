import { SerialQueue } from '#base/serial-queue.ts';
import { STORES } from './tables.ts';
import type { StoreName, Table, Tables, TransactionWork } from './tables.ts';

/**
 * Replaces IndexedDB where the browser offers none: the same transactions, one after the other, all
 * or nothing, and gone with the tab.
 */
export class MemoryTables {
  readonly #stores = new Map<StoreName, Map<IDBValidKey, unknown>>(
    STORES.map((name) => [name, new Map<IDBValidKey, unknown>()]),
  );
  #seq = 0;
  readonly #queue = new SerialQueue();

  transact<T>(work: TransactionWork<T>): Promise<T> {
    return this.#queue.run(() => this.#run(work));
  }

  async #run<T>(work: TransactionWork<T>): Promise<T> {
    const undo: (() => void)[] = [];
    const tables: Tables = (name) => this.#table(name, undo);
    try {
      return await work(tables);
    } catch (error) {
      for (const back of undo.reverse()) back();
      throw error;
    }
  }

  #table(name: StoreName, undo: (() => void)[]): Table {
    const store = this.#stores.get(name) ?? new Map<IDBValidKey, unknown>();
    const keep = (key: IDBValidKey): void => {
      const had = store.has(key);
      const value = store.get(key);
      undo.push(() => (had ? store.set(key, value) : store.delete(key)));
    };
    return {
      get: <T>(key: IDBValidKey) => Promise.resolve(store.get(key) as T | undefined),
      all: <T>() => Promise.resolve([...store.values()] as T[]),
      keys: <K extends IDBValidKey>() => Promise.resolve([...store.keys()] as K[]),
      count: () => Promise.resolve(store.size),
      put: (value, key = this.#seqOf(value)) => {
        keep(key);
        store.set(key, name === 'outbox' ? { ...(value as object), seq: key } : value);
        return Promise.resolve(key);
      },
      delete: (key) => {
        keep(key);
        store.delete(key);
      },
      clear: () => {
        for (const key of store.keys()) keep(key);
        store.clear();
      },
    };
  }

  #seqOf(row: unknown): number {
    const { seq = this.#seq + 1 } = row as { readonly seq?: number };
    this.#seq = Math.max(this.#seq, seq);
    return seq;
  }
}
