import { IDBFactory } from 'fake-indexeddb';
import type { Owner, Schedule } from './schedule.ts';

// Orbit looks once whether there is an IndexedDB at all; each device brings its own.
(globalThis as { indexedDB?: unknown }).indexedDB ??= new IDBFactory();

/** Decides, whenever storage could fail, whether it does. */
export type StorageFault = 'quota' | 'abort' | 'close' | 'refuse-open';
export type AskStorageFault = (
  at: 'open' | 'write' | 'read',
  stores: readonly string[],
) => StorageFault | null;

/** The parts of fake-indexeddb's own objects that a browser would have inside. */
interface Connection extends EventTarget {
  close: () => void;
  transaction: (...values: unknown[]) => LiveTransaction;
  readonly _rawDatabase: { readonly transactions: LiveTransaction[]; connections: Connection[] };
}

interface LiveTransaction {
  readonly db: Connection;
  readonly _state: string;
  readonly mode: string;
  readonly objectStoreNames: Iterable<string>;
  readonly _abort: (name: string | null) => void;
  _started: boolean;
}

/** IndexedDB as one tab has it; what it stores is shared with the other tabs of the device. */
export class TabStorage {
  readonly #schedule: Schedule;
  readonly #owner: Owner;
  readonly #factory: IDBFactory;
  readonly #fault: AskStorageFault;
  readonly #connections = new Set<Connection>();

  constructor(schedule: Schedule, owner: Owner, factory: IDBFactory, fault: AskStorageFault) {
    this.#schedule = schedule;
    this.#owner = owner;
    this.#factory = factory;
    this.#fault = fault;
  }

  /** The IndexedDB of the tab. */
  get indexedDB(): IDBFactory {
    return {
      open: (name: string, version?: number) => this.#open(name, version),
      deleteDatabase: (name: string) => this.#factory.deleteDatabase(name),
      databases: () => this.#factory.databases(),
      cmp: (a: unknown, b: unknown) => this.#factory.cmp(a, b),
    };
  }

  #open(name: string, version?: number): IDBOpenDBRequest {
    if (this.#owner.isDead) return {} as IDBOpenDBRequest;
    if (this.#fault('open', []) === 'refuse-open') return this.#refused();
    const request = this.#factory.open(name, version);
    const take = (): void => {
      const connection = request.result as unknown as Connection;
      if (this.#owner.isDead) connection.close();
      else if (!this.#connections.has(connection)) this.#watch(connection);
    };
    request.addEventListener('upgradeneeded', take);
    request.addEventListener('success', take);
    return request;
  }

  #refused(): IDBOpenDBRequest {
    const request = {
      error: new DOMException('The disk does not answer', 'UnknownError'),
      onerror: null as (() => void) | null,
      addEventListener: () => undefined,
    };
    this.#schedule.plan(this.#owner, 'storage does not open', () => request.onerror?.());
    return request as unknown as IDBOpenDBRequest;
  }

  #watch(connection: Connection): void {
    this.#connections.add(connection);
    const begin = connection.transaction.bind(connection);
    connection.transaction = (...values) => {
      const transaction = begin(...values);
      const isWrite = transaction.mode === 'readwrite';
      const fault = this.#fault(isWrite ? 'write' : 'read', [...transaction.objectStoreNames]);
      if (fault !== null) this.#fail(connection, transaction, fault);
      return transaction;
    };
  }

  #fail(connection: Connection, transaction: LiveTransaction, fault: StorageFault): void {
    this.#owner.soon?.(() => {
      if (transaction._state === 'finished') return;
      if (fault === 'close') this.#lose(connection);
      else transaction._abort(fault === 'quota' ? 'QuotaExceededError' : 'AbortError');
    });
  }

  /** The browser closes the connection by itself, as when its storage breaks. */
  #lose(connection: Connection): void {
    this.#end(connection);
    connection.dispatchEvent(new SimulatedEvent('close') as unknown as Event);
  }

  #end(connection: Connection): void {
    this.#connections.delete(connection);
    for (const transaction of [...connection._rawDatabase.transactions])
      if (transaction.db === connection && transaction._state !== 'finished')
        transaction._abort('AbortError');
    connection.close();
  }

  get isBusy(): boolean {
    return this.#openOnes().length > 0;
  }

  isWriting(store: string): boolean {
    return this.#openOnes().some(
      ({ mode, objectStoreNames }) => mode === 'readwrite' && [...objectStoreNames].includes(store),
    );
  }

  /** Transactions of this tab that are not over yet. */
  #openOnes(): LiveTransaction[] {
    return [...this.#connections].flatMap((connection) =>
      connection._rawDatabase.transactions.filter(
        (transaction) => transaction.db === connection && transaction._state !== 'finished',
      ),
    );
  }

  /** The tab is gone: what it had not committed is undone. */
  kill(): void {
    for (const connection of [...this.#connections]) this.#end(connection);
  }
}

/** What fake-indexeddb dispatches is of its own kind. */
class SimulatedEvent {
  readonly eventPath: unknown[] = [];
  readonly bubbles = false;
  readonly cancelable = false;
  initialized = true;
  dispatched = false;
  propagationStopped = false;
  immediatePropagationStopped = false;
  canceled = false;
  target: unknown = null;
  currentTarget: unknown = null;
  eventPhase = 0;
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }
}
