import type { KeyValueStore } from './key-value-store.ts';
import type { Clock, Random } from '#base/id.ts';
import type { ServerError } from '#protocol/server-error.ts';
import { createDurableLocalStorage } from './durable-local-storage.ts';
import type { DurableLocalStorage } from './durable-local-storage.ts';

/** The part of `navigator.locks` that is used. */
export interface SessionLocks {
  readonly request: <T>(
    name: string,
    options: { readonly signal: AbortSignal },
    whileHeld: () => Promise<T>,
  ) => Promise<T>;
}

/** The part of the page that signing in needs. */
interface SignInPage {
  /** Such as `http://localhost:3000`. */
  readonly origin: string;
  /** The language of the interface: `fr-FR`. */
  readonly language: () => string;
  /** Leaves the app for `address`. */
  readonly leaveFor: (address: string) => void;
}

/** Everything that `src/session` touches outside itself: a browser's, or a test's. */
export interface SessionEnvironment {
  readonly storage: KeyValueStore;
  /** Resolves once what was written to `storage` would survive the browser being killed. */
  readonly storageFlushed: () => Promise<void>;
  /** Null where the browser offers none: tabs then rely on the server's grace for refreshes. */
  readonly locks: SessionLocks | null;
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts after `ms`. */
  readonly abortAfter: (ms: number) => AbortSignal;
  /** Calls `listener` when another tab changes the storage; returns what ends that. */
  readonly onStorage: (listener: () => void) => () => void;
  readonly page: SignInPage;
}

/** The request had no valid answer: nothing is decided, and it may be tried again. */
export class NoAnswerError extends Error {
  /** What was said instead, where the server is broken. */
  readonly serverError: ServerError | undefined;

  constructor(what: string, cause?: unknown, serverError?: ServerError) {
    super(`${what} gave no answer`, { cause });
    this.name = 'NoAnswerError';
    this.serverError = serverError;
  }
}

let own: SessionEnvironment | null = null;
let durableStorage: DurableLocalStorage | null = null;

function browserStorage(): DurableLocalStorage {
  durableStorage ??= createDurableLocalStorage(
    localStorage,
    'indexedDB' in globalThis ? indexedDB : null,
  );
  return durableStorage;
}

/** Restores what a killed browser had not yet written; called before anything reads the session. */
export function restoreSession(): Promise<void> {
  return browserStorage().restore();
}

/** The browser's own. */
export function browserEnvironment(): SessionEnvironment {
  own ??= {
    storage: browserStorage(),
    storageFlushed: () => browserStorage().flushed(),
    locks: 'locks' in navigator ? navigator.locks : null,
    fetch: (address, request) => fetch(address, request),
    clock: () => Date.now(),
    random: (bytes) => {
      crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
      return bytes;
    },
    abortAfter: (ms) => AbortSignal.timeout(ms),
    onStorage: (listener) => {
      addEventListener('storage', listener);
      return () => {
        removeEventListener('storage', listener);
      };
    },
    page: {
      origin: location.origin,
      language: () => document.documentElement.lang,
      leaveFor: (address) => {
        location.assign(address);
      },
    },
  };
  return own;
}
