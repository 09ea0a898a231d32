import { fold } from '#base/fold.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Watched, ListFilter, ListOptions, ListView } from '../model/views.ts';
import type { Environment } from '../model/environment.ts';
import { isIn, MaintainedList } from './maintained-list.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoResponseError } from '../model/answer.ts';
import type { RecordStore, Touch } from './store.ts';

/** How far the device's copy is to be trusted for lists. */
export interface Completeness {
  /** What to say where nothing is found: the working set is here whole, on its way, or cannot be had. */
  readonly emptyState: 'ready' | 'loading' | 'not-here';
  readonly asOf: string | null;
}

/** Asking the server for what the device does not keep. */
export interface ListFetcher {
  readonly fetch: (type: TypeName, filter: Readonly<Record<string, unknown>>) => Promise<void>;
}

interface SharedList {
  readonly list: MaintainedList;
  readonly views: Set<PageView>;
  /** The version of the list that was told last. */
  notifiedVersion: number;
}

interface PageView {
  readonly invalidate: () => void;
  /** Whoever looks next looks anew; nobody is told. */
  readonly markStale: () => void;
}

/** What a list is known by, in JSON. */
type Key = readonly [
  type: TypeName,
  filter: Readonly<Record<string, unknown>>,
  sort: string | null,
  beyond: true | null,
];

/** Lists that nobody looks at are kept true a while: who comes back to a page finds it ready. */
const IDLE_KEPT = 4;
/** A batch of more is cheaper taken in when one of them is opened again. */
const IDLE_BATCH = 100;

/**
 * Every list that a screen has open; those that differ by their page or search share one. Views are
 * true whenever someone looks; that one changed is told at most once a frame.
 */
export class Lists {
  readonly #store: RecordStore;
  readonly #fetcher: ListFetcher;
  readonly #frame: Environment['frame'];
  readonly #shared = new Map<string, SharedList>();
  #completeness: Completeness = { emptyState: 'loading', asOf: null };
  readonly #fetchStates = new Map<string, ListView<TypeName>['state']>();
  readonly #changed = new Set<SharedList>();
  #isNotified = false;

  constructor(store: RecordStore, asker: ListFetcher, frame: Environment['frame']) {
    this.#store = store;
    this.#fetcher = asker;
    this.#frame = frame;
    store.onBatch((touched) => {
      this.#applyBatch(touched);
      if (!this.#isNotified) this.#notify();
    });
  }

  #applyBatch(touched: readonly Touch[]): void {
    for (const [key, shared] of this.#shared) {
      if (shared.views.size === 0 && touched.length > IDLE_BATCH) this.#shared.delete(key);
      else if (shared.list.note(touched)) {
        this.#changed.add(shared);
        for (const view of shared.views) view.markStale();
      }
    }
  }

  /** Tells which lists changed: at once, and then not before the next frame. */
  #notify(): void {
    this.#isNotified = false;
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    this.#isNotified = true;
    this.#frame(() => {
      this.#notify();
    });
    for (const shared of changed) {
      if (shared.views.size === 0 || shared.list.version === shared.notifiedVersion) continue;
      shared.notifiedVersion = shared.list.version;
      for (const view of shared.views) view.invalidate();
    }
  }

  /** Called when the copy became whole, or level with the server. */
  setCompleteness(complete: Completeness): void {
    const isNews = complete.emptyState !== this.#completeness.emptyState;
    this.#completeness = complete;
    if (isNews) this.#invalidateAll();
    // No list shows it until the server is away: that it got later is nothing to draw again for.
    else for (const { views } of this.#shared.values()) for (const view of views) view.markStale();
  }

  #invalidateAll(): void {
    for (const { views } of this.#shared.values()) for (const view of views) view.invalidate();
  }

  open<T extends TypeName>(
    type: T,
    filter: ListFilter<T>,
    options: ListOptions = {},
  ): Watched<ListView<T>> {
    const key = JSON.stringify([type, filter, options.sort, options.beyond]);
    const words = fold(options.search?.trim() ?? '');
    const listeners = new Set<() => void>();
    let view: ListView<T> | null = null;
    let isFresh = false;
    const page: PageView = {
      invalidate: () => {
        isFresh = false;
        for (const listener of listeners) listener();
      },
      markStale: () => {
        isFresh = false;
      },
    };
    return {
      subscribe: (listener) => {
        listeners.add(listener);
        this.#share(key, type, filter, options).views.add(page);
        this.#fetchIfNeeded(key);
        // Between the first look and this it may have changed.
        isFresh = false;
        return () => {
          listeners.delete(listener);
          if (listeners.size === 0) this.#unshare(key, page);
        };
      },
      view: () => {
        if (view !== null && isFresh) return view;
        const { list, views } = this.#share(key, type, filter, options);
        view = unlessSame(view, this.#viewOf<T>(key, type, list.found(words), options));
        isFresh = views.has(page);
        return view;
      },
    };
  }

  #share(key: string, type: TypeName, filter: object, { sort }: ListOptions): SharedList {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const list = new MaintainedList(this.#store, type, filter, sort);
    const shared: SharedList = { list, views: new Set(), notifiedVersion: list.version };
    this.#shared.set(key, shared);
    this.#forgetIdle();
    return shared;
  }

  #unshare(key: string, page: PageView): void {
    const shared = this.#shared.get(key);
    if (shared === undefined) return;
    shared.views.delete(page);
    if (shared.views.size > 0) return;
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    this.#forgetIdle();
  }

  /** Lets go of those that nobody looked at for longest. */
  #forgetIdle(): void {
    const idle = [...this.#shared].filter(([, { views }]) => views.size === 0);
    for (const [key] of idle.slice(0, -IDLE_KEPT)) this.#shared.delete(key);
  }

  /** Types that the working set has not are asked for, anew when there was no answer before. */
  #fetchIfNeeded(key: string): void {
    const [type, filter, , beyond] = JSON.parse(key) as Key;
    const asked = this.#fetchStates.get(key);
    if (resourceOf(type).load === 'first' && !beyond) return;
    if (asked === 'loading' || asked === 'ready') return;
    this.#fetchStates.set(key, 'loading');
    this.#fetcher.fetch(type, filter).then(
      () => {
        this.#fetchStates.set(key, 'ready');
        this.#invalidateAll();
      },
      (error: unknown) => {
        this.#fetchStates.set(key, error instanceof NoResponseError ? 'not-here' : 'error');
        this.#invalidateAll();
      },
    );
  }

  /**
   * Whether `record` is of what was asked for, here or in another tab, of which the others tell: from
   * then on the feed keeps that true.
   */
  wasFetched(record: StoreRecord): boolean {
    if (this.#store.hasSiblings(record)) return true;
    return [...this.#fetchStates.keys()].some((key) => {
      const [type, filter] = JSON.parse(key) as Key;
      return type === record.type && isIn(record, filter);
    });
  }

  /** What was fetched may be stale: open lists ask again, others when they are opened. */
  refetch(): void {
    for (const [key, state] of this.#fetchStates)
      if (state !== 'loading') this.#fetchStates.delete(key);
    this.refetchMissing();
  }

  /** The server answers again: open lists ask for what there was no answer for. */
  refetchMissing(): void {
    for (const key of this.#shared.keys()) this.#fetchIfNeeded(key);
  }

  #viewOf<T extends TypeName>(
    key: string,
    type: TypeName,
    all: readonly { readonly record: StoreRecord }[],
    { page }: ListOptions,
  ): ListView<T> {
    const from = page === undefined ? 0 : (page.offset - 1) * page.limit;
    const rows = page === undefined ? all : all.slice(from, from + page.limit);
    return {
      state: all.length > 0 ? 'ready' : this.#stateOfEmpty(key, type),
      rows: rows.map(({ record }) => this.#store.flat<T>(record)),
      total: all.length,
      asOf: this.#completeness.asOf,
    };
  }

  #stateOfEmpty(key: string, type: TypeName): ListView<TypeName>['state'] {
    if (resourceOf(type).load === 'first') return this.#completeness.emptyState;
    return this.#fetchStates.get(key) ?? 'loading';
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
