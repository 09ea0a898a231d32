import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { serverErrorOf } from '#protocol/server-error.ts';
import type { ServerError } from '#protocol/server-error.ts';
import { PRODUCT_STATUS_WORDS } from '#rules/product-status.ts';
import { resourceOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { ApiResponse } from '../model/answer.ts';
import type { Environment } from '../model/environment.ts';
import { isInWorkingSet, isSame, keyOf } from '../model/record.ts';
import type { StoreIdentity, StoreRecord } from '../model/record.ts';
import type {
  ServerListQuery,
  ServerListView,
  ServerRecordState,
  ServerViews,
  Watched,
} from '../model/views.ts';
import type { RecordStore, Touch } from '../store/store.ts';
import { recordsIn } from './json-api.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import { addressOf } from './online-requests.ts';
import type { OnlineRequests } from './online-requests.ts';
import type { Refreshes } from './refreshes.ts';
import { narrowedTo } from './remote.ts';
import type { Retry } from './retry.ts';
import type { SyncControl } from './sync-control.ts';
import { isUndecided } from './verdicts.ts';

export interface ServerViewSources {
  readonly environment: Pick<Environment, 'clock' | 'timers' | 'page' | 'report'>;
  readonly store: RecordStore;
  readonly serverState: MutableServerState;
  readonly onlineRequests: OnlineRequests;
  readonly syncControl: SyncControl;
  readonly retry: Retry;
  readonly refreshes: Refreshes;
  /** The number of records outside the working set that are kept. */
  readonly recordsMost: number;
}

/** What the rows of a list show beside their own fields (wire 17). */
const WITH_ROWS: Partial<Record<TypeName, readonly string[]>> = {
  project: ['organization', 'group', 'owner', 'products'],
  user: ['organizationMemberships.organization', 'groupMemberships.group', 'userRoles'],
};

/** What the page of a record shows, and what the rules ask that decide what is offered there. */
const OF_ORGANIZATION = [
  'organization.owner',
  'organization.groups',
  'organization.organizationProductDefinitions',
  'organization.organizationStores',
];
const OF_PROJECT = [...OF_ORGANIZATION, 'group', 'owner', 'reviewers', 'authors.user'];
const OF_PRODUCT = ['productBuilds.productArtifacts', 'productPublications', 'userTasks.user'];
const WITH_RECORD: Partial<Record<TypeName, readonly string[]>> = {
  project: [...OF_PROJECT, 'products', ...OF_PRODUCT.map((path) => `products.${path}`)],
  product: ['project', ...OF_PROJECT.map((path) => `project.${path}`), ...OF_PRODUCT],
  user: ['organizationMemberships.organization.groups', 'groupMemberships.group', 'userRoles'],
};

/** A copy that says the same is not written again before it is so old. */
const KEPT_AS_OF_MS = 300_000;

/** What a list is of, and which of its pages is meant. */
interface Listed {
  /** The same for the pages, orders and choices of one list. */
  readonly key: string;
  /** The number of the page, from 1, and its size. */
  readonly offset: number;
  readonly limit: number;
}

/** What is asked of the server. */
interface Asked {
  readonly type: TypeName;
  readonly address: string;
  /** The organization that the answer is narrowed to; null: none. */
  readonly organization: string | null;
  /** Null: it is about one record. */
  readonly listed: Listed | null;
}

/** One question to the server that is open on a page. */
interface Question extends Asked {
  /** The types that come along with its records. */
  readonly included: ReadonlySet<TypeName>;
  readonly listeners: Set<() => void>;
  state: 'loading' | 'told' | 'not-found' | 'no-answer' | 'error';
  serverError: ServerError | undefined;
  /** Ids of the primary records of the last answer, in its order. */
  ids: readonly string[];
  total: number;
  /** Keys of all records that came with it: they stay while the page is open. */
  keys: ReadonlySet<string>;
  isAsking: boolean;
  timer: unknown;
  /** The page that was open before: its rows show until the first answer. */
  readonly previous: Question | null;
  /** The list as it was last read; null: something of it changed. */
  view: ServerListView<TypeName> | null;
}

export interface AskedServerViews extends Pick<ServerViews, 'list' | 'record'> {
  /** Asks at once for what open pages show. */
  readonly askAll: () => void;
}

/** What the server answers about records outside the working set. */
export function createServerViews(sources: ServerViewSources): AskedServerViews {
  return new AskedViews(sources);
}

/**
 * Asks the server for lists and records that the feed does not report, again and again while a page
 * shows them: every 5 s, and at once when the server is back or the tab is looked at. What comes
 * enters the store marked (`fetchedAt`); the oldest beyond a number are forgotten.
 */
class AskedViews implements AskedServerViews {
  readonly #sources: ServerViewSources;
  readonly #questions = new Map<string, Question>();
  /** The records that were told here, the one that was told longest ago first. */
  readonly #told = new Map<string, StoreIdentity>();

  constructor(sources: ServerViewSources) {
    this.#sources = sources;
    const { store, serverState, retry, environment } = sources;
    const known = serverState.allServerRecords().filter((record) => !isInWorkingSet(record));
    const since = ({ meta }: StoreRecord): string => meta.fetchedAt ?? '';
    known.sort((a, b) => Number(since(a) > since(b)) - Number(since(a) < since(b)));
    for (const { type, id } of known) this.#told.set(keyOf({ type, id }), { type, id });
    store.onBatch((touched) => {
      this.#noteBatch(touched);
    });
    retry.onChange(() => {
      if (retry.last === null) this.askAll();
    });
    environment.page.onChange(() => {
      if (environment.page.isVisible() && environment.page.isOnline()) this.askAll();
    });
  }

  list<T extends TypeName>(type: T, query: ServerListQuery<T>): Watched<ServerListView<T>> {
    const { include = WITH_ROWS[type] ?? [], organization = null } = query;
    const address = listAddress(type, { ...query, include });
    if (address === null) return NOTHING as Watched<ServerListView<T>>;
    const listed = { key: keyOfList(type, query), ...query.page };
    const question = this.#questionOf({ type, address, organization, listed }, include);
    return {
      subscribe: (listener) => this.#subscribe(question, listener),
      view: () => (question.view ??= this.#viewOf(question)) as unknown as ServerListView<T>,
    };
  }

  record(type: TypeName, id: string): Watched<ServerRecordState> {
    const include = WITH_RECORD[type] ?? [];
    const address = `${paths.record(type, id)}${includeOf(type, include, '?')}`;
    const asked = { type, address, organization: null, listed: null };
    const question = this.#questionOf(asked, include);
    return {
      subscribe: (listener) => this.#subscribe(question, listener),
      view: () => {
        const { state, serverError } = question;
        return state === 'error' || state === 'no-answer' ? (serverError ?? 'no-answer') : state;
      },
    };
  }

  #questionOf(asked: Asked, include: readonly string[]): Question {
    const known = this.#questions.get(keyOfQuestion(asked));
    if (known !== undefined) return known;
    const { type, listed } = asked;
    const previous = [...this.#questions.values()].find(
      (open) => open.state === 'told' && listed !== null && isPageOf(open, listed),
    );
    return {
      ...asked,
      ...{ listeners: new Set(), state: 'loading', view: null },
      ...{ serverError: undefined },
      ...{ included: typesAlong(type, include) },
      ...{ ids: [], total: 0, keys: new Set(), isAsking: false, timer: null },
      previous: previous === undefined ? null : { ...previous, previous: null },
    };
  }

  #subscribe(question: Question, listener: () => void): () => void {
    question.listeners.add(listener);
    this.#questions.set(keyOfQuestion(question), question);
    void this.#ask(question);
    return () => {
      question.listeners.delete(listener);
      if (question.listeners.size > 0) return;
      this.#questions.delete(keyOfQuestion(question));
      this.#sources.environment.timers.clear(question.timer);
    };
  }

  #notify(question: Question): void {
    question.view = null;
    for (const listener of question.listeners) listener();
  }

  #noteBatch(touched: readonly Touch[]): void {
    for (const question of this.#questions.values()) {
      const isConcerned = touched.some(
        ({ type, id }) => type === question.type && question.ids.includes(id),
      );
      if (isConcerned) this.#notify(question);
    }
  }

  readonly askAll = (): void => {
    for (const question of this.#questions.values()) void this.#ask(question);
  };

  async #ask(question: Question): Promise<void> {
    const { environment, onlineRequests, refreshes } = this.#sources;
    const { timers, page } = environment;
    if (question.isAsking) return;
    question.isAsking = true;
    timers.clear(question.timer);
    const read = () =>
      onlineRequests.read(
        question.address,
        (answer) => {
          question.serverError = serverErrorOf(answer);
          this.#receive(question, answer);
        },
        (serverError) => {
          question.serverError = serverError;
          this.#fail(question, 'no-answer');
        },
        narrowedTo(question.organization),
      );
    // That a page asks again and again while it is open is no news to anybody.
    await (question.state === 'loading' ? refreshes.run(read) : read());
    question.isAsking = false;
    if (question.listeners.size === 0) return;
    question.timer = timers.set(() => {
      if (page.isVisible()) void this.#ask(question);
    }, limits.serverViewsEveryMs);
    this.#notify(question);
  }

  /** What was told before still shows. */
  #fail(question: Question, state: 'no-answer' | 'error'): void {
    if (question.state !== 'told') question.state = state;
  }

  #receive(question: Question, answer: ApiResponse): void {
    const { syncControl, environment, onlineRequests } = this.#sources;
    if (syncControl.pauseIfRefused(answer) || isUndecided(answer.status)) {
      this.#fail(question, 'no-answer');
      return;
    }
    if (answer.status === 404) {
      question.state = 'not-found';
      onlineRequests.onAnswer([], [identityIn(question)]);
      return;
    }
    if (answer.status >= 300) {
      this.#fail(question, 'error');
      return;
    }
    const { data, included } = recordsIn(answer.document, (why) => {
      environment.report('A record that came in does not fit', why);
    });
    const all = [...data, ...included].map((record) => this.#marked(record));
    const keys = new Set(all.map(keyOf));
    const gone = data.flatMap((above) => this.#goneBelow(above, question.included, keys));
    const before = question.ids;
    question.ids = data.map(({ id }) => id);
    question.total = totalIn(answer.document) ?? data.length;
    question.keys = keys;
    question.state = 'told';
    const fresh = all.filter((record) => !this.#isKnown(record));
    if (fresh.length + gone.length > 0) onlineRequests.onAnswer(fresh, gone);
    for (const { type, id } of all) this.#noteTold({ type, id });
    this.#forgetOldest();
    this.#checkMissing(question, before);
  }

  /**
   * What is here below a record, outside the working set and of the types that come with it, but
   * not in the answer, which has all of it: others removed it.
   */
  #goneBelow(
    above: StoreIdentity,
    included: ReadonlySet<TypeName>,
    keys: ReadonlySet<string>,
  ): StoreIdentity[] {
    const { store, serverState } = this.#sources;
    return store.below(above).filter((identity) => {
      if (!included.has(identity.type) || keys.has(keyOf(identity))) return false;
      const known = serverState.serverRecord(identity);
      return known !== null && !isInWorkingSet(known);
    });
  }

  /** Tells whether the copy here says the same, so that nothing has to be written or sent on. */
  #isKnown(record: StoreRecord): boolean {
    const known = this.#sources.serverState.serverRecord(record);
    if (known?.meta.version !== record.meta.version) return false;
    return isInWorkingSet(known) || isSame(known, record);
  }

  /** The record as told just now; the same age as before where a copy that says it is young. */
  #marked(record: StoreRecord): StoreRecord {
    const now = this.#sources.environment.clock();
    const known = this.#sources.serverState.serverRecord(record)?.meta;
    const before = known?.version === record.meta.version ? known.fetchedAt : undefined;
    const isYoung = before !== undefined && now - Date.parse(before) < KEPT_AS_OF_MS;
    const fetchedAt = isYoung ? before : new Date(now).toISOString();
    return { ...record, meta: { ...record.meta, fetchedAt } };
  }

  #noteTold(identity: StoreIdentity): void {
    const key = keyOf(identity);
    this.#told.delete(key);
    const known = this.#sources.serverState.serverRecord(identity);
    if (known !== null && !isInWorkingSet(known)) this.#told.set(key, identity);
  }

  #forgetOldest(): void {
    const { serverState, recordsMost } = this.#sources;
    const forgotten: StoreIdentity[] = [];
    let left = this.#told.size;
    for (const [key, identity] of this.#told) {
      if (left <= recordsMost) break;
      if ([...this.#questions.values()].some(({ keys }) => keys.has(key))) continue;
      this.#told.delete(key);
      forgotten.push(identity);
      left -= 1;
    }
    if (forgotten.length > 0) serverState.forget(forgotten);
  }

  /** Rows that left the page may have left its filter, or may not be seen any more: one asks. */
  #checkMissing({ type, ids }: Question, before: readonly string[]): void {
    const { serverState, onlineRequests } = this.#sources;
    for (const id of before) {
      const record = ids.includes(id) ? null : serverState.serverRecord({ type, id });
      if (record === null || isInWorkingSet(record)) continue;
      void onlineRequests.read(paths.record(type, id), ({ status }) => {
        if (status === 404) onlineRequests.onAnswer([], [{ type, id }]);
      });
    }
  }

  #viewOf(question: Question): ServerListView<TypeName> {
    const { type, state, ids, total, previous } = question;
    if (state === 'loading' && previous !== null) return this.#viewOf(previous);
    const { store } = this.#sources;
    const rows = ids.flatMap((id): Of<TypeName>[] => {
      const record = store.record({ type, id });
      return record === null ? [] : [store.flat(record)];
    });
    const view = { rows, total, serverError: question.serverError };
    if (state === 'told') return { ...view, state: 'ready' };
    return { ...view, state: state === 'not-found' ? 'error' : state };
  }
}

const keyOfQuestion = ({ address, organization }: Asked): string => `${address} ${organization}`;

function keyOfList<T extends TypeName>(
  type: T,
  { filter, special = [], organization = null }: ServerListQuery<T>,
): string {
  // An id says which list it is; a word, what is looked for in it.
  const named = special.map(([name, value]) => (isUuid(value) ? [name, value] : name));
  return JSON.stringify([type, filter, named, organization]);
}

/** Tells whether the rows of `open` may stand for a page of the same list until it is told. */
function isPageOf({ listed, total }: Question, { key, offset, limit }: Listed): boolean {
  return listed?.key === key && (offset - 1) * limit < Math.max(total, 1);
}

/** The types of the records that paths of relationships lead to. */
function typesAlong(type: TypeName, include: readonly string[]): ReadonlySet<TypeName> {
  const types = new Set<TypeName>();
  for (const path of include) {
    let at = type;
    for (const field of path.split('.')) {
      const found = resourceOf(at).fields[field];
      if (found === undefined || !('to' in found || 'of' in found)) break;
      at = ('to' in found ? found.to : found.of) as TypeName;
      types.add(at);
    }
  }
  return types;
}

function identityIn({ type, address }: Question): StoreIdentity {
  const [path = ''] = address.split('?');
  return { type, id: path.slice(path.lastIndexOf('/') + 1) };
}

function totalIn({ meta }: ApiResponse['document']): number | null {
  const total = (meta as Readonly<Record<string, unknown>> | undefined)?.['total-records'];
  return typeof total === 'number' ? total : null;
}

/** Nothing can match: the server need not be asked for it. */
const NOTHING: Watched<ServerListView<TypeName>> = {
  subscribe: () => () => undefined,
  view: () => EMPTY,
};
const EMPTY = { state: 'ready', rows: [], total: 0 } as const;

/** What is asked of the products of projects, by its name on the wire (wire 5.2). */
const OF_PRODUCTS: Readonly<Record<string, string>> = {
  'products.status': 'status',
  'products.productDefinition': 'any-product-definition-id',
};
const STATUS_WORDS: readonly string[] = PRODUCT_STATUS_WORDS;

/** Says whether the server would take `value` for `path`: such as no record has are not sent. */
function canBe(type: TypeName, path: string, value: string): boolean {
  if (path === 'products.status') return STATUS_WORDS.includes(value);
  const isLink = path in OF_PRODUCTS || toOnesOf(type).some(([name]) => name === path);
  return isLink ? isUuid(value) : !value.includes('\0');
}

/**
 * The address of a page of a list, with what its rows show; null where no record can match any of the
 * values that are wanted of a field.
 */
function listAddress<T extends TypeName>(
  type: T,
  { filter, special = [], sort, page, include = WITH_ROWS[type] ?? [] }: ServerListQuery<T>,
): string | null {
  const fields: [string, unknown][] = [];
  const ofProducts: [string, string][] = [];
  for (const [path, wanted] of Object.entries<unknown>(filter)) {
    const isChosen = typeof wanted === 'object' && wanted !== null && 'anyOf' in wanted;
    const values = isChosen
      ? (wanted.anyOf as readonly string[]).filter((value) => canBe(type, path, value))
      : null;
    if (values?.length === 0) return null;
    const name = OF_PRODUCTS[path];
    if (values !== null && name !== undefined) ofProducts.push([name, `in:${values.join()}`]);
    else fields.push([path, values === null ? wanted : { anyOf: values }]);
  }
  const own = addressOf(type, Object.fromEntries(fields));
  const way = sort.startsWith('-') ? '-' : '';
  const rest = [
    ...[...ofProducts, ...special].map(([name, value]) => [`filter[${name}]`, value] as const),
    ['sort', way + wirePath(type, sort.replace(/^-/, ''))] as const,
    ['page[offset]', String(page.offset)] as const,
    ['page[limit]', String(page.limit)] as const,
  ].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const start = own.includes('?') ? `${own}&` : `${own}?`;
  return `${start}${rest.join('&')}${includeOf(type, include, '&')}`;
}

function includeOf(type: TypeName, all: readonly string[], before: '?' | '&'): string {
  if (all.length === 0) return '';
  return `${before}include=${all.map((path) => wirePath(type, path)).join()}`;
}

const wirePath = (type: TypeName, path: string): string =>
  path
    .split('.')
    .map((field) => wireFieldOf(type, field))
    .join('.');
