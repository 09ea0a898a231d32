import { useSyncExternalStore } from 'react';
import { isUuid } from '#base/id.ts';
import { browserEnvironment } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';

/** The choice of the organization in view; the empty choice is all of them. */
export interface OrganizationChoice {
  /** Null for all organizations. */
  readonly current: () => string | null;
  readonly choose: (id: string | null) => void;
  /** Calls `listener` when the choice changes, here or in another tab; returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

const KEY = 'slipway.organization';
const ALL = '';

export function createOrganizationChoice({
  storage,
  onStorage,
}: Pick<SessionEnvironment, 'storage' | 'onStorage'>): OrganizationChoice {
  const listeners = new Set<() => void>();
  return {
    current: () => {
      const id = storage.getItem(KEY);
      return isUuid(id) ? id : null;
    },
    choose: (id) => {
      if (storage.getItem(KEY) === (id ?? ALL)) return;
      storage.setItem(KEY, id ?? ALL);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      const end = onStorage(listener);
      return () => {
        listeners.delete(listener);
        end();
      };
    },
  };
}

let own: OrganizationChoice | null = null;

/** The browser's own. */
function browserOrganization(): OrganizationChoice {
  own ??= createOrganizationChoice(browserEnvironment());
  return own;
}

/** The organization in view, or null for all of them. */
export function useOrganization(): string | null {
  const choice = browserOrganization();
  return useSyncExternalStore(choice.subscribe, choice.current);
}

/**
 * Calls `listener` with the organization in view, now and at every change; returns what ends that.
 */
export function watchOrganization(listener: (id: string | null) => void): () => void {
  const choice = browserOrganization();
  const notify = (): void => {
    listener(choice.current());
  };
  notify();
  return choice.subscribe(notify);
}

/** Puts the organization `id` in view, in every tab; null for all of them. */
export function chooseOrganization(id: string | null): void {
  browserOrganization().choose(id);
}
