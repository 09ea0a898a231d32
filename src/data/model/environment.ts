import type { Clock, Random } from '#base/id.ts';
import type { JSONAPISource } from '@orbit/jsonapi';
import type { RecordSchema } from '@orbit/records';
import type { LanguageNames } from '#rules/record/display.ts';
import type { ApiResponse } from './answer.ts';

/** Time-outs, passed in so that tests own time. */
export interface TimerFunctions {
  readonly set: (run: () => void, afterMs: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

/** The part of `navigator.locks` that is used. */
export interface Locks {
  readonly request: (
    name: string,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    whileHeld: () => Promise<void>,
  ) => Promise<unknown>;
}

/** The part of `BroadcastChannel` that is used. */
export interface BroadcastChannelLike {
  readonly postMessage: (message: unknown) => void;
  readonly close: () => void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}

/** The transport by which the hub is reached. */
export type HubTransport = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** The part of SignalR's `HubConnection` that is used. */
export interface SignalRConnection {
  /** Null while it is not connected; left out where nobody can tell. */
  readonly transport?: () => HubTransport | null;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly on: (method: string, handler: (text: string) => void) => void;
  readonly onclose: (callback: (error?: Error) => void) => void;
  readonly invoke: (method: string, ...values: unknown[]) => Promise<unknown>;
}

/** The tab, as far as sending needs to know. */
export interface PageState {
  readonly isOnline: () => boolean;
  readonly isVisible: () => boolean;
  /** Calls `listener` when the browser comes online or the tab becomes visible, or changes either. */
  readonly onChange: (listener: () => void) => () => void;
}

/** The part of `navigator.storage` that is used. */
export interface StorageGrant {
  /** Asks that the browser not evict this origin's storage. */
  readonly persist: () => Promise<boolean>;
  readonly persisted: () => Promise<boolean>;
  /** Bytes. */
  readonly estimate: () => Promise<{ readonly usage?: number; readonly quota?: number }>;
}

/** Stores a short text per account where an eviction of IndexedDB does not reach it. */
export interface CopyMarkerStore {
  readonly read: (account: string) => string | null;
  /** Null removes the text. */
  readonly write: (account: string, words: string | null) => void;
}

/** Orbit's source of the records that the server answers with. */
export interface AnswerSource extends JSONAPISource {
  /** How many records did not fit so far. */
  readonly leftOut: number;
}

type AnswerSourceClass = new (
  schema: RecordSchema,
  remote: { readonly request: (address: string) => Promise<ApiResponse> },
  report: Environment['report'],
) => AnswerSource;

/** Everything that `src/data` touches outside itself: a browser's, or a test's. */
export interface Environment {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: TimerFunctions;
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
  /** Null where the browser offers none: everything then is in memory, and gone with the tab. */
  readonly indexedDB: IDBFactory | null;
  /** Null where the browser offers none: every tab then leads. */
  readonly locks: Locks | null;
  readonly channel: ((name: string) => BroadcastChannelLike) | null;
  readonly hub: (
    accessToken: () => Promise<string>,
  ) => SignalRConnection | Promise<SignalRConnection>;
  /** Loads the JSON:API source at the first query: most pages never need it. */
  readonly jsonApi: () => Promise<{ readonly JsonApi: AnswerSourceClass }>;
  /** Loads the names of languages for the first search. */
  readonly languageNames: () => Promise<LanguageNames>;
  /**
   * A token of this user that is good now, refreshed if need be, or because the server `refused`
   * that one; null when there is none without signing in. Rejects when the provider gave no answer.
   */
  readonly accessToken: (options?: { readonly refused?: string }) => Promise<string | null>;
  /**
   * Calls `listener` when it is worth asking again: someone signed in, here or in another tab, was
   * unlocked, or verified their address.
   */
  readonly onToken: (listener: () => void) => () => void;
  /**
   * Called when the server answers this user nothing; pages show it. `onToken` calls its listener
   * once that has ended.
   */
  readonly keptOut?: (why: 'user-locked' | 'email-not-verified') => void;
  readonly page: PageState;
  /** Null where the browser offers none. */
  readonly storage: StorageGrant | null;
  readonly copyMarkers: CopyMarkerStore | null;
  /** Runs `run` when there is nothing better to do. */
  readonly idle: (run: () => void) => void;
  /** Runs `run` before the tab is painted again. */
  readonly frame: (run: () => void) => void;
  /** Logs an error from which the app recovered. */
  readonly report: (what: string, cause: unknown) => void;
}
