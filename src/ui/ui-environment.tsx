import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Clock } from '#base/id.ts';

/** The part of `Storage` that is used. */
export interface KeyValueStorage {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
}

/** Everything that components touch outside themselves: the page's own, or a test's. */
export interface UiEnvironment {
  readonly clock: Clock;
  /** The IANA name of the zone that this device is in. */
  readonly timeZone: string;
  /** Keeps what stays on this device: choices of columns, order, appearance. */
  readonly storage: KeyValueStorage;
  /** Keeps what stays in this tab: forms that were not saved. */
  readonly drafts: KeyValueStorage;
  /** Calls `run` once, after `afterMs`; returns what calls it off. */
  readonly later: (run: () => void, afterMs: number) => () => void;
  /** Calls `run` once, after what is drawn now is on the screen; returns what calls it off. */
  readonly painted: (run: () => void) => () => void;
  /** A static file of ours, as JSON. Rejects where it is neither kept here nor to be had. */
  readonly load: (path: string) => Promise<unknown>;
  /**
   * Says whether the app itself is stored for offline use; left out where nobody waits for that.
   */
  readonly offline?: {
    readonly subscribe: (listener: () => void) => () => void;
    readonly isReady: () => boolean;
  };
}

export const UiEnvironmentContext = createContext<UiEnvironment | null>(null);

export function useUiEnvironment(): UiEnvironment {
  const environment = useContext(UiEnvironmentContext);
  if (environment === null) throw new Error('Components need their environment above them');
  return environment;
}

const never = (): (() => void) => () => undefined;
const yes = (): boolean => true;

/** Says whether every part of the app is on this device, so that it opens offline. */
export function useOfflineReady(): boolean {
  const { subscribe = never, isReady = yes } = useUiEnvironment().offline ?? {};
  return useSyncExternalStore(subscribe, isReady);
}

/** Reads what was kept; null where there is nothing, or nothing that can be read. */
export function readSetting(storage: KeyValueStorage, key: string): unknown {
  return parsed(textOf(storage, key));
}

function textOf(storage: KeyValueStorage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    // Storage may be switched off.
    return null;
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    // A value may be another version's.
    return null;
  }
}

/** Keeps `value`, or forgets it when null. Where storage is full or off, it lasts as long as the page. */
export function writeSetting(storage: KeyValueStorage, key: string, value: unknown): void {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing that a person typed is kept here alone.
  }
}

/** A choice that stays on this device, read once. `fits` says whether what was kept can still be used. */
export function useSetting<T>(
  key: string,
  fallback: T,
  fits: (value: unknown) => value is T,
): [T, (value: T | null) => void] {
  const { storage } = useUiEnvironment();
  const [held, hold] = useState<{ key: string; value: T } | null>(null);
  const text = textOf(storage, key);
  const there = useMemo(() => parsed(text), [text]);
  const stored = held?.key === key ? held.value : there;
  const set = useCallback(
    (value: T | null) => {
      writeSetting(storage, key, value);
      hold({ key, value: value ?? fallback });
    },
    [storage, key, fallback],
  );
  return [fits(stored) ? stored : fallback, set];
}

/** Below this width the style sheets put two columns into one. */
const NARROW = '(max-width: 767.98px)';

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

/** Says whether the window is too narrow for two columns. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => matchMedia(NARROW).matches);
}
