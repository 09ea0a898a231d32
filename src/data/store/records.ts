import type { TypeName } from '#schema/index.ts';
import type { Change, ChangeState } from '../model/change.ts';
import type { Completeness } from './lists.ts';
import type { ServerState } from '../model/server-update.ts';
import { keyOf } from '../model/record.ts';
import type { StoreIdentity } from '../model/record.ts';
import { keysOf } from '../model/change.ts';
import type { RecordStore } from './store.ts';
import type { RecordView, Watched } from '../model/views.ts';

const NOT_HERE: RecordView<TypeName> = { state: 'not-here', record: null, change: null };

/** The part of the outbox that the view of a record needs. */
interface Changes {
  readonly of: (identity: StoreIdentity) => readonly Change[];
  readonly onChange: (listener: (changed: readonly Change[]) => void) => () => void;
}

/** Records by type and id, as screens see them: the same object until something in it changes. */
export class Records {
  readonly #store: RecordStore;
  readonly #serverState: ServerState;
  readonly #outbox: Changes;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #views = new Map<string, RecordView<TypeName>>();
  readonly #batchListeners = new Set<() => void>();
  #batches = 0;
  #emptyState: Completeness['emptyState'] = 'loading';

  /** Counts the batches in which records changed, whichever they were. */
  readonly batches: Watched<number> = {
    subscribe: (listener) => {
      this.#batchListeners.add(listener);
      return () => this.#batchListeners.delete(listener);
    },
    view: () => this.#batches,
  };

  constructor(store: RecordStore, serverState: ServerState, outbox: Changes) {
    this.#store = store;
    this.#serverState = serverState;
    this.#outbox = outbox;
    store.onBatch((touched) => {
      this.#batches += 1;
      for (const listener of this.#batchListeners) listener();
      if (this.#views.size + this.#listeners.size === 0) return;
      for (const touch of touched) this.#notify(keyOf(touch));
    });
    outbox.onChange((changed) => {
      for (const key of new Set(changed.flatMap(keysOf))) this.#notify(key);
    });
  }

  /** With `ready`, a record that is not here does not exist for this viewer. */
  setCompleteness({ emptyState }: Completeness): void {
    if (this.#emptyState === emptyState) return;
    this.#emptyState = emptyState;
    for (const [key, { record }] of [...this.#views]) if (record === null) this.#notify(key);
  }

  #notify(key: string): void {
    this.#views.delete(key);
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }

  subscribe(type: TypeName, id: string | null, listener: () => void): () => void {
    if (id === null) return () => undefined;
    const key = keyOf({ type, id });
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#listeners.delete(key);
      // React unsubscribes what left a page before it subscribes to what came: a record that is in both
      // stays the same object, and its rows are not rendered twice.
      queueMicrotask(() => {
        if (!this.#listeners.has(key)) this.#views.delete(key);
      });
    };
  }

  view<T extends TypeName>(type: T, id: string | null): RecordView<T> {
    if (id === null) return NOT_HERE as unknown as RecordView<T>;
    const key = keyOf({ type, id });
    const view = this.#views.get(key) ?? this.#viewOf({ type, id });
    this.#views.set(key, view);
    return view as unknown as RecordView<T>;
  }

  #viewOf(identity: StoreIdentity): RecordView<TypeName> {
    const record = this.#store.record(identity);
    const change = worstOf(this.#outbox.of(identity));
    if (record !== null) return { state: 'here', record: this.#store.flat(record), change };
    if (this.#emptyState !== 'ready') return { state: this.#emptyState, record: null, change };
    const state = this.#serverState.wasRemoved(identity) ? 'gone' : 'not-here';
    return { state, record: null, change };
  }
}

/** The order in which changes of one record are shown: those that need the person first. */
const WORST_FIRST: readonly ChangeState[] = [
  'refused',
  'conflict',
  'confirm',
  'held',
  'sending',
  'waiting',
];

function worstOf(rows: readonly Change[]): ChangeState | null {
  return WORST_FIRST.find((state) => rows.some((row) => row.state === state)) ?? null;
}
