import { createContext, useContext, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Data } from '../model/data.ts';
import type {
  ListFilter,
  ListOptions,
  ListView,
  RecordView,
  ServerListQuery,
  ServerListView,
  Watched,
  ChangesView,
  ChangeActions,
  ViewerStatus,
  Health,
  HealthActions,
} from '../model/views.ts';
import type { ServerError } from '#protocol/server-error.ts';
import type { TypeName, Of } from '#schema/index.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';

export const DataContext = createContext<Data | null>(null);

/** The local copy of everything; actions take it as their first argument. */
export function useData(): Data {
  const data = useContext(DataContext);
  if (data === null) throw new Error('useData needs a DataProvider above it');
  return data;
}

/** The value, read again at every change of it. */
function useWatched<T>({ subscribe, view }: Watched<T>): T {
  return useSyncExternalStore(subscribe, view);
}

/** A list, computed on the device and kept up to date; types that are not kept here are fetched. */
export function useList<T extends TypeName>(
  type: T,
  filter: ListFilter<T>,
  options: ListOptions = {},
): ListView<T> {
  const { lists } = useData();
  const key = JSON.stringify([type, filter, options]);
  // The key says everything about the list; filter and options are new objects at every render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useWatched(useMemo(() => lists.open(type, filter, options), [lists, key]));
}

/**
 * The record, kept up to date; the same object until something in it changes. Null id: `not-here`.
 */
export function useRecord<T extends TypeName>(type: T, id: string | null): RecordView<T> {
  const { records } = useData();
  const subscribe = useCallback(
    (listener: () => void) => records.subscribe(type, id, listener),
    [records, type, id],
  );
  return useSyncExternalStore(subscribe, () => records.view(type, id));
}

export interface UseRecordAnywhereResult<T extends TypeName> extends RecordView<T> {
  /** True if the server was asked for what is not here, and is away. */
  readonly isUnanswered: boolean;
  /** What it said instead, where it is broken. */
  readonly serverError: ServerError | undefined;
}

/**
 * The record wherever it is: with `mayAsk`, one that the feed does not report (another
 * organization's public project, anything for a super admin) is asked of the server, and kept true
 * while a page shows it.
 */
export function useRecordAnywhere<T extends TypeName>(
  type: T,
  id: string,
  mayAsk: boolean,
): UseRecordAnywhereResult<T> {
  const { server } = useData();
  const view = useRecord(type, id);
  const asked = useMemo(() => server.record(type, id), [server, type, id]);
  const isAsked = mayAsk && view.state !== 'loading';
  const subscribe = useCallback(
    (listener: () => void) => (isAsked ? asked.subscribe(listener) : () => undefined),
    [asked, isAsked],
  );
  const answer = useSyncExternalStore(subscribe, () => (isAsked ? asked.view() : 'not-asked'));
  const isComing = view.record === null && answer === 'loading';
  const serverError = typeof answer === 'object' ? answer : undefined;
  const isAway = answer === 'no-answer' || serverError !== undefined;
  const isUnanswered = view.record === null && isAway;
  return { ...view, ...(isComing ? { state: 'loading' } : {}), isUnanswered, serverError };
}

const NOT_ASKED: Watched<ServerListView<TypeName>> = {
  subscribe: () => () => undefined,
  view: () => NO_ANSWER,
};
const NO_ANSWER = { state: 'no-answer', rows: [], total: 0 } as const;

/**
 * A page of a list that the server sorts and searches; null: it is not asked. With `no-answer`, a
 * list of what is here has to stand for it.
 */
export function useServerList<T extends TypeName>(
  type: T,
  query: ServerListQuery<T> | null,
): ServerListView<T> {
  const { server } = useData();
  const key = JSON.stringify([type, query]);
  const asked = useMemo(
    () => (query === null ? (NOT_ASKED as Watched<ServerListView<T>>) : server.list(type, query)),
    // The key says everything about the query, which is a new object at every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [server, key],
  );
  return useWatched(asked);
}

/** The page that the server told; while it is away, `here`: what of the list is on the device. */
export function toldOr<T extends TypeName>(
  told: ServerListView<T>,
  here: ListView<T>,
): ListView<T> & { readonly isTold: boolean } {
  const { state } = told;
  if (state === 'no-answer') {
    const { serverError = here.serverError } = told;
    // That nothing is here does not say that there is nothing.
    const isUnknown = serverError !== undefined && here.rows.length === 0;
    return { ...here, ...(isUnknown && { state: 'not-here' }), serverError, isTold: false };
  }
  return { ...told, state, asOf: here.asOf, isTold: true };
}

/** Reads the local copy, for rules that look across records; renders again after each change of it. */
export function useFind(): Find {
  const { find, records } = useData();
  useWatched(records.batches);
  return find;
}

export interface UseChangesResult extends ChangesView, ChangeActions {}

/** The person's changes on this device, with their states. */
export function useChanges(): UseChangesResult {
  const { changes } = useData();
  const view = useWatched(changes);
  const { status, serverError, waiting, attention } = view;
  return {
    ...{ ...changes, status, serverError, waiting, attention },
    get rows() {
      return view.rows;
    },
  };
}

/** The viewer and their organizations, which every page needs. */
export interface ViewerContextValue {
  readonly viewer: Viewer & { readonly user: Of<'user'> };
  /** The viewer's organizations, by name; all of them for a super admin. */
  readonly organizations: readonly Of<'organization'>[];
}

export const ViewerContext = createContext<ViewerContextValue | null>(null);

function useViewerContext(): ViewerContextValue {
  const context = useContext(ViewerContext);
  if (context === null) throw new Error('useViewer needs a DataProvider above it');
  return context;
}

/** The person who is signed in, with their permissions and their own record. */
export function useViewer(): Viewer & { readonly user: Of<'user'> } {
  return useViewerContext().viewer;
}

export function useOrganizations(): readonly Of<'organization'>[] {
  return useViewerContext().organizations;
}

/** Says whether a super admin, who has all organizations, has not got them yet, or not all of them. */
export function useAreOrganizationsComing(): boolean {
  const { isSuperAdmin } = useViewer();
  const { status } = useChanges();
  const { state, asOf } = useList('organization', {});
  // Some of them may be here before the first load ends.
  const isPart = state === 'ready' && asOf === null && status !== 'offline';
  return isSuperAdmin && (state === 'loading' || isPart);
}

export function useViewerStatus(): ViewerStatus {
  return useWatched(useData().viewerStatus);
}

/** Says whether what is shown is being refreshed and that takes long. */
export function useIsRefreshing(): boolean {
  return useWatched(useData().refreshing);
}

export function useHealth(): Health & HealthActions {
  const { health } = useData();
  const view = useWatched(health);
  return { ...view, acknowledge: health.acknowledge, freeSpace: health.freeSpace };
}
