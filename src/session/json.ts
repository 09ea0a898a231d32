import type { KeyValueStore } from './key-value-store.ts';

export type JsonFields = Readonly<Record<string, unknown>>;

/** The object stored under `key`; null when there is none, or something else. */
export function readStored(storage: KeyValueStore, key: string): JsonFields | null {
  return objectIn(storage.getItem(key));
}

/** Parses `text` as a JSON object; null when it is not one. */
export function objectIn(text: string | null): JsonFields | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
