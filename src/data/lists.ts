import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Watched } from './data.ts';
import { MaintainedList } from './maintained-list.ts';
import type { StoreRecord } from './record.ts';
import { NoAnswer } from './remote.ts';
import type { Store } from './store.ts';
import type { Filter, ListOptions, ListView } from './use-list.ts';

/** How far the device's copy is to be trusted for lists. */
export interface Completeness {
  /** Whether the working set is here whole. */
  readonly isComplete: boolean;
  readonly asOf: string | null;
}

/** Asking the server for what the device does not keep. */
export interface Asker {
  readonly ask: (type: TypeName, filter: Readonly<Record<string, unknown>>) => Promise<void>;
}

interface Shared {
  readonly list: MaintainedList;
  readonly views: Set<PageView>;
}

interface PageView {
  readonly invalidate: () => void;
  /** Whoever looks next looks anew; nobody is told. */
  readonly age: () => void;
}

/** Every list that a screen has open; two that differ by their page share one. */
export class Lists {
  readonly #store: Store;
  readonly #asker: Asker;
  readonly #shared = new Map<string, Shared>();
  #complete: Completeness = { isComplete: false, asOf: null };
  readonly #asked = new Map<string, ListView<TypeName>['state']>();

  constructor(store: Store, asker: Asker) {
    this.#store = store;
    this.#asker = asker;
    store.onBatch((touched) => {
      for (const { list, views } of this.#shared.values())
        if (list.take(touched)) for (const view of views) view.invalidate();
    });
  }

  /** Called when the copy became whole, or level with the server. */
  complete(complete: Completeness): void {
    const isNews = complete.isComplete !== this.#complete.isComplete;
    this.#complete = complete;
    if (isNews) this.#invalidateAll();
    // No list shows it until the server is away: that it got later is nothing to draw again for.
    else for (const { views } of this.#shared.values()) for (const view of views) view.age();
  }

  #invalidateAll(): void {
    for (const { views } of this.#shared.values()) for (const view of views) view.invalidate();
  }

  open<T extends TypeName>(
    type: T,
    filter: Filter<T>,
    options: ListOptions = {},
  ): Watched<ListView<T>> {
    const key = JSON.stringify([type, filter, options.sort, options.search?.trim()]);
    const listeners = new Set<() => void>();
    let view: ListView<T> | null = null;
    let isFresh = false;
    const page: PageView = {
      invalidate: () => {
        isFresh = false;
        for (const listener of listeners) listener();
      },
      age: () => {
        isFresh = false;
      },
    };
    return {
      subscribe: (listener) => {
        listeners.add(listener);
        this.#share(key, type, filter, options).views.add(page);
        this.#askFor(key, type, filter);
        // Between the first look and this it may have changed.
        isFresh = false;
        return () => {
          listeners.delete(listener);
          if (listeners.size === 0) this.#unshare(key, page);
        };
      },
      view: () => {
        if (view !== null && isFresh) return view;
        const shared = this.#shared.get(key);
        const list = shared?.list ?? new MaintainedList(this.#store, type, filter, options);
        view = unlessSame(view, this.#viewOf<T>(key, type, list.rows, options));
        isFresh = shared?.views.has(page) ?? false;
        return view;
      },
    };
  }

  #share(key: string, type: TypeName, filter: object, options: ListOptions): Shared {
    const shared = this.#shared.get(key) ?? {
      list: new MaintainedList(this.#store, type, filter, options),
      views: new Set(),
    };
    this.#shared.set(key, shared);
    return shared;
  }

  #unshare(key: string, page: PageView): void {
    const shared = this.#shared.get(key);
    shared?.views.delete(page);
    if (shared?.views.size === 0) this.#shared.delete(key);
  }

  /** Types that the working set has not are asked for, anew when there was no answer before. */
  #askFor(key: string, type: TypeName, filter: object): void {
    const asked = this.#asked.get(key);
    if (resourceOf(type).load === 'first' || asked === 'loading' || asked === 'ready') return;
    this.#asked.set(key, 'loading');
    this.#asker.ask(type, filter as Readonly<Record<string, unknown>>).then(
      () => {
        this.#asked.set(key, 'ready');
        this.#invalidateAll();
      },
      (error: unknown) => {
        this.#asked.set(key, error instanceof NoAnswer ? 'not-here' : 'error');
        this.#invalidateAll();
      },
    );
  }

  #viewOf<T extends TypeName>(
    key: string,
    type: TypeName,
    all: readonly StoreRecord[],
    { page }: ListOptions,
  ): ListView<T> {
    const from = page === undefined ? 0 : (page.offset - 1) * page.limit;
    const rows = page === undefined ? all : all.slice(from, from + page.limit);
    return {
      state: all.length > 0 ? 'ready' : this.#stateOfEmpty(key, type),
      rows: rows.map((record) => this.#store.flat<T>(record)),
      total: all.length,
      asOf: this.#complete.asOf,
    };
  }

  #stateOfEmpty(key: string, type: TypeName): ListView<TypeName>['state'] {
    if (resourceOf(type).load === 'first') return this.#complete.isComplete ? 'ready' : 'loading';
    return this.#asked.get(key) ?? 'loading';
  }
}

/** `before`, when `after` says the same: a screen must not draw again for nothing. */
function unlessSame<T extends TypeName>(
  before: ListView<T> | null,
  after: ListView<T>,
): ListView<T> {
  if (before === null) return after;
  const isSameRows =
    before.rows.length === after.rows.length &&
    before.rows.every((row, i) => row === after.rows[i]);
  if (!isSameRows) return after;
  const isSame =
    before.state === after.state && before.total === after.total && before.asOf === after.asOf;
  return isSame ? before : { ...after, rows: before.rows };
}
