import { useSyncExternalStore } from 'react';
import { useData } from './use-data.ts';

/** How this device keeps what the person does. */
export type Keeping =
  /** On the device, across reloads. */
  | 'kept'
  /** In this tab's memory alone: the browser offers no storage (private mode, policy). */
  | 'memory'
  /** Storage failed meanwhile and is tried again: edits are not accepted until it is back. */
  | 'failing'
  /** An older tab keeps the storage from being upgraded: reading only, until it is closed. */
  | 'blocked'
  /** The storage belongs to a newer app: reading only, until this tab is reloaded. */
  | 'newer';

/** How the device's copy and its storage are. */
export interface Health {
  readonly keeping: Keeping;
  /** The browser threw the copy away: how many changes may be missing; null: it did not. */
  readonly evicted: number | null;
  /** Another page removed the copy, and this tab wrote it anew. */
  readonly isRenewed: boolean;
  /** Whether this tab holds waiting changes that closing it would lose. */
  readonly wouldLose: boolean;
}

export interface HealthActions {
  /** The notice of an eviction, or of a copy that was written anew, was read. */
  readonly noted: () => void;
  /** Drops cached records, never changes, to make room; they come again from the server. */
  readonly makeRoom: () => Promise<void>;
}

export function useHealth(): Health & HealthActions {
  const { health } = useData();
  const view = useSyncExternalStore(health.subscribe, health.view);
  return { ...view, noted: health.noted, makeRoom: health.makeRoom };
}
