import { compareFolded, fold } from '#base/fold.ts';
import type {
  OnlineResult,
  DiagnosticsSnapshot,
  ChangesView,
  Health,
} from '../../src/data/model/views.ts';
import type { Call } from '#data/model/change.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Find } from '#rules/find.ts';
import { toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Shelf } from './shelf.ts';

/** An action that a screen called. */
interface RecordedAction {
  readonly did: 'add' | 'edit' | 'remove' | 'call';
  readonly type: TypeName;
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Server = (address: string, body: unknown) => Promise<OnlineResult<unknown>>;

export interface Still {
  readonly data: Data;
  readonly deeds: RecordedAction[];
  /** The calls to `changes` and `health`, in order: `discard c1`, `makeRoom`. */
  readonly asked: string[];
  /** Shows other changes from now on. */
  readonly setChanges: (view: Partial<ChangesView>) => void;
  /** Someone else changes the record. */
  readonly setRecord: (
    type: TypeName,
    id: string,
    fields: Readonly<Record<string, unknown>>,
  ) => void;
  /** Someone else adds the record, or replaces the one with its id. */
  readonly putRecord: (type: TypeName, record: AnyRecord) => void;
  /** Someone else removes the record. */
  readonly dropRecord: (type: TypeName, id: string) => void;
  /** Sets whether the first load is still in progress. */
  readonly setLoading: (isLoading: boolean) => void;
  /** Changes the health of the device's storage. */
  readonly setHealth: (health: Partial<Health>) => void;
  /** Changes the diagnostics of the device. */
  readonly setInsight: (snapshot: Partial<DiagnosticsSnapshot>) => void;
  /** Sets the answer to all online requests; null: there is none. */
  readonly setAnswer: (answer: Readonly<Record<string, unknown>> | null) => void;
  /** Sets the function that answers online requests. */
  readonly setServer: (server: Server) => void;
  /** From now on every edit fails with `error`; null: none does. */
  readonly failWith: (error: Error | null) => void;
}

const NOW = Date.parse('2026-03-02T12:00:00.000Z');

const NOTHING_SPECIAL: DiagnosticsSnapshot = {
  version: '1.0.0',
  localSchema: 1,
  cursor: '00000000000000000042',
  scope: null,
  asOf: '2026-03-02T11:59:00.000Z',
  isLeading: true,
  connection: 'connected',
  transport: 'WebSockets',
  records: { project: 8, user: 2 },
  changes: { waiting: 1 },
  storage: { usedBytes: 2_500_000, grantedBytes: 1_000_000_000, isPersistent: true },
  errors: [],
};

/**
 * A device whose copy stands still: screens read `shelf` from it, and their actions are recorded.
 * The server and the store are tested elsewhere; this is about what a screen shows and calls.
 */
export function stillData(viewer: string, shelf: Shelf, view: Partial<ChangesView> = {}): Still {
  const held = new Map<TypeName, readonly AnyRecord[]>();
  const all = (type: TypeName): readonly AnyRecord[] => held.get(type) ?? shelf[type] ?? [];
  /** Grows when the records change: lists are computed again then. */
  let edition = 0;
  let isLoading = false;
  const hold = (type: TypeName, records: readonly AnyRecord[]) => {
    held.set(type, records);
    edition += 1;
    notify();
  };
  const one = (type: TypeName, id: string) => all(type).find((record) => record.id === id) ?? null;
  const find = {
    one,
    all: (type: TypeName, where: object) =>
      all(type).filter((record) =>
        Object.entries(where).every(([field, value]) => record[field] === value),
      ),
  } as unknown as Find;
  const deeds: RecordedAction[] = [];
  const asked: string[] = [];
  const recordCall = (what: string) => (id?: string) => {
    asked.push(id === undefined ? what : `${what} ${id}`);
    return Promise.resolve();
  };
  let failure: Error | null = null;
  let server: Server = () => Promise.resolve({ is: 'no-answer' });
  const done = <T,>(value: T): Promise<T> =>
    failure === null ? Promise.resolve(value) : Promise.reject(failure);
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let changes: ChangesView = { status: 'saved', waiting: 0, attention: 0, rows: [], ...view };
  let health: Health = { storageState: 'kept', evicted: null, isRenewed: false, wouldLose: false };
  let snapshot: DiagnosticsSnapshot = NOTHING_SPECIAL;
  const watch = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const reach = (type: TypeName, record: AnyRecord, path: string): unknown => {
    const [field = '', ...rest] = path.split('.');
    const value = record[field];
    if (rest.length === 0) return value;
    const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
    const target = to === undefined || typeof value !== 'string' ? null : one(to, value);
    return target === null || to === undefined ? null : reach(to, target, rest.join('.'));
  };

  const data = {
    clock: () => NOW,
    records: {
      subscribe: (_type: TypeName, _id: string | null, listener: () => void) => watch(listener),
      view: stored((type, id) => {
        const record = id === null ? null : one(type, id);
        const row = changes.rows.find(({ about, state }) => about.id === id && state !== 'done');
        return {
          state: record === null ? 'not-here' : 'here',
          record,
          change: row?.state ?? null,
        };
      }, watch) as Data['records']['view'],
    },
    lists: {
      open: ((type: TypeName, filter: object, options: ListOptions = {}) => {
        const computeView = () => {
          const rows = all(type).filter(
            (record) =>
              Object.entries(filter).every(([path, wanted]) =>
                fits(reach(type, record, path), wanted),
              ) && fold(textOf(record.name)).includes(fold(options.search ?? '')),
          );
          const sort = options.sort ?? 'id';
          const key = (record: AnyRecord) =>
            fold(sortable(reach(type, record, sort.replace(/^-/, ''))));
          rows.sort((a, b) => compareFolded(key(a), key(b)) * (sort.startsWith('-') ? -1 : 1));
          const { offset, limit } = options.page ?? { offset: 1, limit: rows.length };
          return {
            state: isLoading ? 'loading' : 'ready',
            rows: rows.slice((offset - 1) * limit, offset * limit),
            total: rows.length,
            asOf: new Date(NOW - 3_600_000).toISOString(),
          };
        };
        let seen = { edition, view: computeView() };
        return {
          subscribe: watch,
          view: () => {
            if (seen.edition !== edition)
              seen = { edition, view: unlessSame(seen.view, computeView()) };
            return seen.view;
          },
        };
      }) as unknown as Data['lists']['open'],
    },
    changes: {
      subscribe: watch,
      view: () => changes,
      tryAgain: recordCall('tryAgain'),
      keepMine: recordCall('keepMine'),
      takeTheirs: recordCall('takeTheirs'),
      confirm: recordCall('confirm'),
      undo: recordCall('undo'),
      discard: async (id: string) => {
        await recordCall('discard')(id);
        return () => recordCall('putBack')(id);
      },
      sendNow: recordCall('sendNow'),
      exportText: (id: string) => JSON.stringify({ id }),
    },
    health: {
      subscribe: watch,
      view: () => health,
      acknowledge: recordCall('noted'),
      freeSpace: recordCall('makeRoom'),
    },
    diagnostics: {
      snapshot: () => Promise.resolve(snapshot),
      resync: recordCall('resync'),
      supportFile: () => Promise.resolve('{}'),
    },
    viewerStatus: { subscribe: () => () => undefined, view: () => 'ready' },
    find,
    viewerId: () => viewer,
    nameOf: (type: TypeName, id: string) => textOf(one(type, id)?.name),
    add: (type: TypeName, fields: RecordedAction['fields']) => {
      deeds.push({ did: 'add', type, id: 'made', fields });
      return done('made');
    },
    edit: (type: TypeName, id: string, fields: RecordedAction['fields']) => {
      deeds.push({ did: 'edit', type, id, fields });
      return done(undefined);
    },
    remove: (type: TypeName, id: string) => {
      deeds.push({ did: 'remove', type, id, fields: {} });
      return done(undefined);
    },
    call: ({ body, about: [first] }: Call) => {
      const { type = 'product', id = '' } = first ?? {};
      deeds.push({ did: 'call', type, id, fields: body as RecordedAction['fields'] });
      return done('called');
    },
    online: {
      query: (address: string, body?: unknown) => server(address, body),
      command: (address: string, body: unknown) => () => server(address, body),
    },
    selectOrganization: (organization: string | null) => {
      asked.push(`look at ${organization ?? 'all'}`);
    },
    close: () => Promise.resolve(),
    clear: () => Promise.resolve(),
  } as unknown as Data;
  return {
    data,
    deeds,
    asked,
    setChanges: (next) => {
      changes = { ...changes, ...next };
      notify();
    },
    setRecord: (type, id, fields) => {
      hold(
        type,
        all(type).map((record) => (record.id === id ? { ...record, ...fields } : record)),
      );
    },
    putRecord: (type, record) => {
      hold(type, [...all(type).filter(({ id }) => id !== record.id), record]);
    },
    dropRecord: (type, id) => {
      hold(
        type,
        all(type).filter((record) => record.id !== id),
      );
    },
    setLoading: (next) => {
      isLoading = next;
      edition += 1;
      notify();
    },
    setHealth: (next) => {
      health = { ...health, ...next };
      notify();
    },
    setInsight: (next) => {
      snapshot = { ...snapshot, ...next };
    },
    setAnswer: (value) => {
      server = () => Promise.resolve(value === null ? { is: 'no-answer' } : { is: 'told', value });
    },
    setServer: (next) => {
      server = next;
    },
    failWith: (error) => {
      failure = error;
    },
  };
}

interface ListOptions {
  readonly sort?: string;
  readonly search?: string;
  readonly page?: { readonly offset: number; readonly limit: number };
}

/** Numbers sort by their size. */
function sortable(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(16, '0') : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  return 'isNull' in wanted ? (value ?? null) === null : (value ?? null) !== null;
}

/**
 * Caches views: the same object for the same arguments until something changes, as React wants it.
 */
function stored(
  compute: (type: TypeName, id: string | null) => object,
  watch: (listener: () => void) => void,
): (type: TypeName, id: string | null) => object {
  const known = new Map<string, object>();
  const fresh = new Set<string>();
  watch(() => {
    fresh.clear();
  });
  return (type, id) => {
    const key = `${type} ${String(id)}`;
    const there = known.get(key);
    if (there !== undefined && fresh.has(key)) return there;
    const value = unlessSame(there, compute(type, id));
    known.set(key, value);
    fresh.add(key);
    return value;
  };
}

/** `before`, when `after` says the same: a screen must not render again for nothing. */
function unlessSame<V extends object>(before: V | undefined, after: V): V {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}
