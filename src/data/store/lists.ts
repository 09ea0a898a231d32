import { wordsOf } from '#base/unicode.ts';
import type { LanguageNames } from '#rules/record/display.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Watched, ListFilter, ListOptions, ListView } from '../model/views.ts';
import type { Environment } from '../model/environment.ts';
import { isIn, MaintainedList } from './maintained-list.ts';
import type { ListSources } from './maintained-list.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoResponseError } from '../model/answer.ts';
import type { RecordStore, Touch } from './store.ts';

/** How complete the local copy is, for lists. */
export interface Completeness {
  /** The state of an empty list: the working set is complete, on its way, or cannot be fetched. */
  readonly emptyState: 'ready' | 'loading' | 'not-here';
  readonly asOf: string | null;
}

/** Fetches from the server what the device does not keep. */
export interface ListFetcher {
  readonly fetch: (type: TypeName, filter: Readonly<Record<string, unknown>>) => Promise<void>;
}

interface SharedList {
  readonly list: MaintainedList;
  readonly views: Set<PageView>;
  /** The version of the list for which listeners were called last. */
  notifiedVersion: number;
}

interface PageView {
  readonly invalidate: () => void;
  /** The next read computes it again; no listener is called. */
  readonly markStale: () => void;
}

/** The key of a list, in JSON. */
type Key = readonly [
  type: TypeName,
  filter: Readonly<Record<string, unknown>>,
  sort: string | null,
  beyond: true | null,
  anywhere: true | null,
];

/** So many lists that nobody looks at are kept up to date: a page that is opened again is ready. */
const IDLE_KEPT = 4;
/** After a larger batch it is cheaper to make such a list again when it is opened. */
const IDLE_BATCH = 100;
/** So many texts are made at once, unless somebody searches: some 5 ms on a slow phone. */
const TEXTS_AT_ONCE = 100;

/**
 * Every list that a screen has open; those that differ by their page or search share one. A view is
 * up to date whenever it is read; its listeners are called at most once per frame.
 */
export class Lists {
  readonly #store: RecordStore;
  readonly #fetcher: ListFetcher;
  readonly #frame: Environment['frame'];
  readonly #idle: Environment['idle'];
  readonly #loadNames: Environment['languageNames'];
  #names: LanguageNames = new Map();
  #namesLoading: Promise<void> | null = null;
  /** Whether the names are wanted. */
  #isSearched = false;
  /** Whether a step waits for an idle moment. */
  #isMaking = false;
  #isForgetting = false;
  readonly #shared = new Map<string, SharedList>();
  #completeness: Completeness = { emptyState: 'loading', asOf: null };
  readonly #fetches = new Map<string, Pick<ListView<TypeName>, 'state' | 'serverError'>>();
  readonly #changed = new Set<SharedList>();
  #isNotified = false;

  readonly #sources: ListSources;

  constructor(
    store: RecordStore,
    fetcher: ListFetcher,
    viewer: ListSources['viewer'],
    { frame, idle, languageNames }: Pick<Environment, 'frame' | 'idle' | 'languageNames'>,
  ) {
    this.#sources = { viewer, names: () => this.#names };
    this.#store = store;
    this.#fetcher = fetcher;
    this.#frame = frame;
    this.#idle = idle;
    this.#loadNames = languageNames;
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

  /** Calls the listeners of lists that changed: at once, and then not before the next frame. */
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

  /** Called when the copy became complete, or in sync with the server. */
  setCompleteness(completeness: Completeness): void {
    const isNews = completeness.emptyState !== this.#completeness.emptyState;
    this.#completeness = completeness;
    if (isNews) this.#invalidateAll();
    // No list shows the time until the server is away: a later one is no reason to render again.
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
    const key = JSON.stringify([type, filter, options.sort, options.beyond, options.anywhere]);
    const words = wordsOf(options.search ?? '');
    const isFirst = this.#namesLoading === null;
    if (type === 'project' && words.length > 0 && isFirst) this.prepareSearch();
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
        // It may have changed since the first read.
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

  /**
   * Loads the names of languages, once, and then makes what is searched while there is nothing better
   * to do; where all of it is made, looks for what is `typed`, so that it is there once it is asked
   * for. Until they are here a search finds nothing by them; where they do not come, the next one
   * tries again, or the next answer of the server.
   */
  prepareSearch(typed = ''): void {
    this.#isSearched = true;
    const words = wordsOf(typed);
    this.#namesLoading ??= this.#loadNames().then(
      (names) => {
        this.#names = names;
        for (const { list } of this.#shared.values()) list.forgetTexts();
        this.#invalidateAll();
      },
      () => {
        this.#namesLoading = null;
      },
    );
    void this.#namesLoading.then(() => {
      const searched = this.#searched();
      if (searched.every(({ isReady }) => isReady)) for (const list of searched) list.found(words);
      else this.#makeTexts();
    });
  }

  /** The lists of projects that are looked at. */
  #searched(): readonly MaintainedList[] {
    return [...this.#shared.values()]
      .filter(({ list, views }) => views.size > 0 && list.type === 'project')
      .map(({ list }) => list);
  }

  /** Makes texts of projects that are looked at, until there are all or nobody looks any more. */
  #makeTexts(): void {
    if (this.#isMaking) return;
    this.#isMaking = true;
    this.#idle(() => {
      this.#isMaking = false;
      let left = TEXTS_AT_ONCE;
      for (const list of this.#searched()) left -= list.makeTexts(left);
      if (left === 0) this.#makeTexts();
    });
  }

  #share(key: string, type: TypeName, filter: object, options: ListOptions): SharedList {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const list = new MaintainedList(this.#store, type, filter, options, this.#sources);
    const shared: SharedList = { list, views: new Set(), notifiedVersion: list.version };
    this.#shared.set(key, shared);
    this.#forgetSoon();
    return shared;
  }

  #unshare(key: string, page: PageView): void {
    const shared = this.#shared.get(key);
    if (shared === undefined) return;
    shared.views.delete(page);
    if (shared.views.size > 0) return;
    this.#shared.delete(key);
    this.#shared.set(key, shared);
    this.#forgetSoon();
  }

  /**
   * Drops the lists that nobody looked at for longest, with the next frame: until then, those that rows
   * just read have nobody who looks at them either.
   */
  #forgetSoon(): void {
    if (this.#isForgetting) return;
    this.#isForgetting = true;
    this.#frame(() => {
      this.#isForgetting = false;
      const idle = [...this.#shared].filter(([, { views }]) => views.size === 0);
      for (const [key] of idle.slice(0, -IDLE_KEPT)) this.#shared.delete(key);
    });
  }

  /** Fetches types that are not in the working set, again when there was no answer before. */
  #fetchIfNeeded(key: string): void {
    const [type, filter, , beyond] = JSON.parse(key) as Key;
    const before = this.#fetches.get(key);
    if (resourceOf(type).load === 'first' && !beyond) return;
    if (before?.state === 'loading' || before?.state === 'ready') return;
    // What a broken server said stands there until it says something else.
    this.#fetches.set(key, { ...before, state: 'loading' });
    this.#fetcher.fetch(type, filter).then(
      () => {
        this.#fetches.set(key, { state: 'ready' });
        this.#invalidateAll();
      },
      (error: unknown) => {
        this.#fetches.set(
          key,
          error instanceof NoResponseError
            ? { state: 'not-here', serverError: error.failure.serverError }
            : { state: 'error' },
        );
        this.#invalidateAll();
      },
    );
  }

  /**
   * Tells whether `record` belongs to a list that was fetched, here or in another tab (then its
   * siblings are here): from then on the feed keeps it up to date.
   */
  wasFetched(record: StoreRecord): boolean {
    if (this.#store.hasSiblings(record)) return true;
    return [...this.#fetches.keys()].some((key) => {
      const [type, filter] = JSON.parse(key) as Key;
      return type === record.type && isIn(record, filter);
    });
  }

  /** Fetched lists may be stale: open ones are fetched again, others when they are opened. */
  refetch(): void {
    for (const [key, { state }] of this.#fetches)
      if (state !== 'loading') this.#fetches.delete(key);
    this.refetchMissing();
  }

  /** The server answers again: open lists without an answer are fetched, and missing names. */
  refetchMissing(): void {
    if (this.#isSearched) this.prepareSearch();
    for (const key of this.#shared.keys()) this.#fetchIfNeeded(key);
  }

  #viewOf<T extends TypeName>(
    key: string,
    type: TypeName,
    all: readonly { readonly record: StoreRecord }[],
    { page, beyond }: ListOptions,
  ): ListView<T> {
    const from = page === undefined ? 0 : (page.offset - 1) * page.limit;
    const rows = page === undefined ? all : all.slice(from, from + page.limit);
    return {
      state: all.length > 0 ? 'ready' : this.#stateOfEmpty(key, type, beyond),
      serverError: this.#fetches.get(key)?.serverError,
      rows: rows.map(({ record }) => this.#store.flat<T>(record)),
      total: all.length,
      asOf: this.#completeness.asOf,
    };
  }

  #stateOfEmpty(key: string, type: TypeName, beyond?: true): ListView<TypeName>['state'] {
    if (resourceOf(type).load === 'first' && !beyond) return this.#completeness.emptyState;
    return this.#fetches.get(key)?.state ?? 'loading';
  }
}

/** `before`, when `after` says the same: a screen must not render again for nothing. */
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
    before.state === after.state &&
    before.total === after.total &&
    before.asOf === after.asOf &&
    before.serverError === after.serverError;
  return isSame ? before : { ...after, rows: before.rows };
}
