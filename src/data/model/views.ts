import type { HubTransport } from './environment.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { ServerError } from '#protocol/server-error.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Change, ChangeState, FieldValues, Says, ChangeTarget } from './change.ts';

/** A value that calls listeners when it changes. */
export interface Watched<T> {
  readonly subscribe: (listener: () => void) => () => void;
  /** The same object until it changes. */
  readonly view: () => T;
}

type Wanted<V> =
  | V
  | { readonly isNull: true }
  | { readonly notNull: true }
  /** One of these; texts compare by their fold. */
  | { readonly anyOf: readonly V[] };

/**
 * Fields by value, or by being set or not; `'product.project.organization'` follows to-ones.
 * Projects are also filtered by `'products.productDefinition'` and `'products.status'`: one
 * of their products has it (domain 5.4).
 */
export type ListFilter<T extends TypeName> = {
  readonly [F in keyof Of<T>]?: Wanted<Of<T>[F]>;
} & Readonly<Record<`${string}.${string}`, Wanted<unknown>>>;

export interface ListOptions {
  /** A field, `-` in front descends, `owner.name` follows a to-one. Left out: by id. */
  readonly sort?: string;
  /** Words that must all be in it (wire 5.2). */
  readonly search?: string;
  /** As on the wire: `offset` is the page's number from 1, `limit` its size. */
  readonly page?: { readonly offset: number; readonly limit: number };
  /** The server is asked too, as of builds only the newest are kept here. */
  readonly beyond?: true;
  /** Records outside the working set count too, which are here because somebody looked at them. */
  readonly anywhere?: true;
}

/** A list that the server sorts, searches and pages, of what is outside the working set. */
export interface ServerListQuery<T extends TypeName> {
  readonly filter: ListFilter<T>;
  /** Filters that are no fields (wire 5.2), by their names on the wire. */
  readonly special?: readonly (readonly [name: string, value: string])[];
  /** The organization that it is narrowed to (wire 4); null or left out: all of the viewer's. */
  readonly organization?: string | null;
  readonly sort: string;
  readonly page: { readonly offset: number; readonly limit: number };
  /** Paths of what comes along; left out: what the rows of the type show (wire 17). */
  readonly include?: readonly string[];
}

export interface ServerListView<T extends TypeName> {
  /** `no-answer`: the server is away, and only the device can tell what it has. */
  readonly state: 'loading' | 'ready' | 'no-answer' | 'error';
  /** The last answer, where it was that the server is broken: the rows are of one before. */
  readonly serverError?: ServerError | undefined;
  readonly rows: readonly Of<T>[];
  /** How many match on all pages. */
  readonly total: number;
}

/**
 * What the server says of one record, or that it is broken; `not-asked`: the feed tells what becomes
 * of it.
 */
export type ServerRecordState =
  'not-asked' | 'loading' | 'told' | 'not-found' | 'no-answer' | ServerError;

/** What the server answers about records outside the working set, kept true while it is open. */
export interface ServerViews {
  readonly list: <T extends TypeName>(
    type: T,
    query: ServerListQuery<T>,
  ) => Watched<ServerListView<T>>;
  readonly record: (type: TypeName, id: string) => Watched<ServerRecordState>;
  /** When the server last told of a record outside the working set (ISO); null for all others. */
  readonly fetchedAt: (type: TypeName, id: string) => string | null;
}

export interface ListView<T extends TypeName> {
  readonly state: 'loading' | 'ready' | 'not-here' | 'error';
  /** The answer to the request for what is not kept here, where it was that the server is broken. */
  readonly serverError?: ServerError | undefined;
  /** The page asked for; the same array until something in it changes. */
  readonly rows: readonly Of<T>[];
  /** How many match on all pages. */
  readonly total: number;
  /** When the server last confirmed it (ISO); null while it never did. */
  readonly asOf: string | null;
}

/** One record as a screen sees it. `loading` ends as soon as the device or the server knows. */
export interface RecordView<T extends TypeName> {
  /** `gone`: it was here and was removed or lost to sight; `not-here`: nobody here knows it. */
  readonly state: 'loading' | 'here' | 'not-here' | 'gone';
  readonly record: Of<T> | null;
  /** The state of the change that needs the person most; null when all are done. */
  readonly change: ChangeState | null;
}

/** How this device stores what the person does. */
export type StorageState =
  /** On the device, across reloads. */
  | 'kept'
  /** In this tab's memory alone: the browser offers no storage (private mode, policy). */
  | 'memory'
  /** Storage failed and is tried again: edits are not accepted until it is back. */
  | 'failing'
  /** An older tab keeps the storage from being upgraded: reading only, until it is closed. */
  | 'blocked'
  /** The storage belongs to a newer app: reading only, until this tab is reloaded. */
  | 'newer';

/** How the device's copy and its storage are. */
export interface Health {
  readonly storageState: StorageState;
  /** The browser threw the copy away: how many changes may be missing; null: it did not. */
  readonly evicted: number | null;
  /** Another page removed the copy, and this tab wrote it again. */
  readonly isRenewed: boolean;
  /** True if this tab holds pending changes that would be lost with it. */
  readonly wouldLose: boolean;
}

export interface HealthActions {
  /** The person has read the notice of an eviction, or of a copy that was written again. */
  readonly acknowledge: () => void;
  /** Drops cached records, never changes, to free space; they come again from the server. */
  readonly freeSpace: () => Promise<void>;
}

/**
 * Says whether there is something to show: `starting` until the local copy is read, then `loading`
 * while not even the viewer's own record came in, or `sign-in` where it cannot come before the person
 * has signed in again; the last three name the page or banner to show.
 */
export type ViewerStatus =
  | 'starting'
  | 'loading'
  | 'sign-in'
  | 'ready'
  | 'email-not-verified'
  | 'user-locked'
  | 'client-too-old';

/** The status element shows the first of these that holds (sync 8). */
export type Status = 'sign-in' | 'problem' | 'offline' | 'attention' | 'saving' | 'saved';

/** One field that two people replaced, each without seeing the other's value. */
export interface ConflictField {
  /** A field of the schema. */
  readonly field: string;
  /** The value that the person saw when they made the change. */
  readonly was: unknown;
  readonly mine: unknown;
  /** The value that the server has now. */
  readonly theirs: unknown;
}

/** The other person in a conflict, as far as the server said. */
export interface Other {
  /** Display name; null when not known here. */
  readonly by: string | null;
  /** ISO; null when not known. */
  readonly at: string | null;
}

/** One change as the changes panel lists it. */
export interface ChangeRow {
  readonly id: string;
  /** A text key and its values: "Rename A to B". */
  readonly says: Says;
  /** Device clock, ISO. */
  readonly madeAt: string;
  readonly state: ChangeState;
  /** The problem of the refusal; null unless refused, in conflict or held by it. */
  readonly problem: ErrorObject | null;
  /** The record it is about. */
  readonly about: ChangeTarget;
  /** All records that it is about: a call may have many. */
  readonly touched: readonly ChangeTarget[];
  /** Fields in conflict; empty unless the state is `conflict`. */
  readonly conflict: readonly ConflictField[];
  readonly other: Other | null;
  /** The values that the person stated, by field; empty for removals. */
  readonly typed: FieldValues;
  /** Another version of the app wrote it: it can be exported or discarded, and nothing else. */
  readonly isUnreadable: boolean;
  /** The change as it is kept, for what is read of few rows alone; null for an unreadable one. */
  readonly kept: Change | null;
  /** A request (task command, rebuild, invitation) and no edit: never undone once sent. */
  readonly isRequest: boolean;
  /** The values that a request was based on, and the present ones; for `confirm`. */
  readonly basis: readonly {
    readonly field: string;
    readonly then: unknown;
    readonly now: unknown;
  }[];
  /** The record that it made, and that undoing it would remove or archive. */
  readonly created: ChangeTarget | null;
  /** True if `undo` does something for it. */
  readonly canUndo: boolean;
  /** True if `discard` does something for it: what was sent may have arrived, and is undone instead. */
  readonly canDiscard: boolean;
  /** Changes that go with it when it is undone unsent or discarded, itself left out. */
  readonly dependants: readonly string[];
  /** The change that must be decided first; null unless `held`. */
  readonly heldBy: string | null;
  /** The removed record above it, and who removed it: such changes are shown as one group. */
  readonly lostParent: (ChangeTarget & { readonly by: string | null }) | null;
}

export interface ChangesView {
  readonly status: Status;
  /** What the server, or what stands before it, said last where it is broken. */
  readonly serverError?: ServerError | undefined;
  /** The number of pending changes; not 0 while one is being written on this device. */
  readonly waiting: number;
  /** The number of changes that need the person. */
  readonly attention: number;
  /** Newest first; the last 50 done ones at the end. Computed when read: there may be thousands. */
  readonly rows: readonly ChangeRow[];
}

export interface ChangeActions {
  /** Makes it again, as a new change with a new id, based on the present values. */
  readonly tryAgain: (id: string) => Promise<void>;
  /** In a conflict: puts the person's values over those that the server has now. */
  readonly keepMine: (id: string) => Promise<void>;
  /** In a conflict: gives the person's values up; the server's show. */
  readonly takeTheirs: (id: string) => Promise<void>;
  /**
   * In a conflict: puts `values` over those that the server has now, by field, in one change with the
   * rest of what was changed. Fields that are not in conflict are left out.
   *
   * @param values are valid by the rules of the record
   */
  readonly keepMerged: (id: string, values: FieldValues) => Promise<void>;
  /** Sends a request that waited for more than 24 hours. */
  readonly confirm: (id: string) => Promise<void>;
  /**
   * Undoes it: an unsent change is removed with what depends on it; for one in flight the undo
   * waits for the verdict; for a done one it is a new change with the stored inverse, which may
   * conflict.
   */
  readonly undo: (id: string) => Promise<void>;
  /**
   * Discards it, with what depends on it; the server's value shows.
   *
   * @returns a function that restores them as they were; null when it could not be discarded
   */
  readonly discard: (id: string) => Promise<(() => Promise<void>) | null>;
  /** Sends pending changes without waiting for the next attempt. */
  readonly sendNow: () => void;
  /** The typed values, as JSON text to keep elsewhere; null when there is no such change. */
  readonly exportText: (id: string) => string | null;
}

/** The reason why nothing is sent to the server until a person did something. */
export type PauseReason = Extract<
  ViewerStatus,
  'sign-in' | 'email-not-verified' | 'user-locked' | 'client-too-old'
>;

export type HubStatus = 'connected' | 'connecting' | 'closed';

/** One error from which the app recovered. */
export interface ReportedError {
  /** ISO. */
  readonly at: string;
  readonly what: string;
  readonly why: string;
}

/**
 * The state of a device for developers and support: nothing secret, no text that a person typed.
 */
export interface DiagnosticsSnapshot {
  readonly version: string;
  readonly localSchema: number;
  readonly cursor: string | null;
  readonly scope: string | null;
  readonly asOf: string | null;
  readonly isLeading: boolean;
  readonly connection: HubStatus;
  /** Null while there is no connection, or it is another tab's. */
  readonly transport: HubTransport | null;
  /** Records on this device, by type; only types that have some. */
  readonly records: Readonly<Record<string, number>>;
  /** Changes on this device, by state. */
  readonly changes: Readonly<Record<string, number>>;
  /** Bytes; null where the browser does not tell. */
  readonly storage: {
    readonly usedBytes: number | null;
    readonly grantedBytes: number | null;
    readonly isPersistent: boolean | null;
  };
  /** The last 50, newest first. */
  readonly errors: readonly ReportedError[];
}

export interface Diagnostics {
  /** The state now. */
  readonly snapshot: () => Promise<DiagnosticsSnapshot>;
  /** Fetches everything again in the background; changes stay. */
  readonly resync: () => void;
  /** The snapshot, and the changes without what was typed, as JSON text to send to someone. */
  readonly supportFile: () => Promise<string>;
}

/** The result of a request that needs a connection. */
export type OnlineResult<T> =
  | { readonly is: 'told'; readonly value: T }
  | { readonly is: 'refused'; readonly problem: ErrorObject }
  /** Nothing is known of it, not even whether a command was done. */
  | { readonly is: 'no-answer'; readonly serverError?: ServerError | undefined };

/** Requests that are answered now or not at all: nothing of them is kept, and nothing waits. */
export interface Online {
  /** @param body for queries that are too long for an address */
  readonly query: (address: string, body?: unknown) => Promise<OnlineResult<unknown>>;
  /**
   * Returns the function that sends it: however often it is called, the command is done once. Its
   * record is applied like all answers.
   *
   * @param body left out where the address says all of it
   */
  readonly command: (
    address: string,
    body?: unknown,
    method?: 'POST' | 'PATCH' | 'PUT',
  ) => () => Promise<OnlineResult<unknown>>;
}
