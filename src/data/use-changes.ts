import { useSyncExternalStore } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { ChangeState, Says, Target } from './change.ts';
import { useData } from './use-data.ts';

/** What the status element shows: the first that holds (sync 8). */
export type Status = 'sign-in' | 'problem' | 'offline' | 'attention' | 'saving' | 'saved';

/** One change as the changes panel lists it. */
export interface ChangeRow {
  readonly id: string;
  /** A text key and its values: "Rename A to B". */
  readonly says: Says;
  /** Device clock, ISO. */
  readonly madeAt: string;
  readonly state: ChangeState;
  /** Why the server said no; null unless refused, conflict or held by it. */
  readonly problem: ErrorObject | null;
  /** The record it is about. */
  readonly about: Target;
}

export interface ChangesView {
  readonly status: Status;
  /** Not yet answered, and on their way. */
  readonly waiting: number;
  /** In need of the person. */
  readonly attention: number;
  /** Newest first; the last 50 done ones at the end. */
  readonly rows: readonly ChangeRow[];
}

export interface Changes extends ChangesView {
  /** Makes it again, as a new change with a new id, over what is there now. */
  readonly tryAgain: (id: string) => Promise<void>;
  /** Gives it up, with what depends on it; the server's value shows. */
  readonly discard: (id: string) => Promise<void>;
  /** Sends what waits without waiting for the next attempt. */
  readonly sendNow: () => void;
  /** What was typed, as JSON text to keep elsewhere; null when there is no such change. */
  readonly exportText: (id: string) => string | null;
}

/** The person's changes on this device, and how they stand with the server. */
export function useChanges(): Changes {
  const { changes } = useData();
  const view = useSyncExternalStore(changes.subscribe, changes.view);
  const { tryAgain, discard, sendNow, exportText } = changes;
  return { ...view, tryAgain, discard, sendNow, exportText };
}
