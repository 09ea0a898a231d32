import { useSyncExternalStore } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { ChangeState, FieldValues, Says, Target } from '../model/change.ts';
import { useData } from './use-data.ts';

/** What the status element shows: the first that holds (sync 8). */
export type Status = 'sign-in' | 'problem' | 'offline' | 'attention' | 'saving' | 'saved';

/** One field that two people replaced, each without seeing the other's value. */
export interface ConflictField {
  /** A field of the schema. */
  readonly field: string;
  /** What the person saw when they made the change. */
  readonly was: unknown;
  readonly mine: unknown;
  /** What the server has now. */
  readonly theirs: unknown;
}

/** Someone else's part in a conflict, as far as the server said. */
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
  /** Why the server said no; null unless refused, conflict or held by it. */
  readonly problem: ErrorObject | null;
  /** The record it is about. */
  readonly about: Target;
  /** All that it is about: of a call there may be many. */
  readonly touched: readonly Target[];
  /** Fields in conflict; empty unless the state is `conflict`. */
  readonly conflict: readonly ConflictField[];
  readonly other: Other | null;
  /** What the person stated, by field; empty for removals. */
  readonly typed: FieldValues;
  /** Another version of the app wrote it: it can be exported or discarded, and nothing else. */
  readonly isUnreadable: boolean;
  /** A request (task command, rebuild, invitation) and no edit: never undone once sent. */
  readonly isRequest: boolean;
  /** What a request was based on and what of that is otherwise now; for `confirm`. */
  readonly basis: readonly {
    readonly field: string;
    readonly then: unknown;
    readonly now: unknown;
  }[];
  /** The record that it made, and that undoing it would remove or archive. */
  readonly created: Target | null;
  /** Whether `undo` does something for it. */
  readonly canUndo: boolean;
  /** Changes that go with it when it is undone unsent or discarded, itself left out. */
  readonly dependants: readonly string[];
  /** The change that must be settled first; null unless `held`. */
  readonly heldBy: string | null;
  /** The record above it that is gone, by whom: such changes are shown as one group. */
  readonly lostParent: (Target & { readonly by: string | null }) | null;
}

export interface ChangesView {
  readonly status: Status;
  /** Not yet answered, and on their way; not 0 while one is being written on this device. */
  readonly waiting: number;
  /** In need of the person. */
  readonly attention: number;
  /** Newest first; the last 50 done ones at the end. Made when they are read: there may be thousands. */
  readonly rows: readonly ChangeRow[];
}

export interface ChangeActions {
  /** Makes it again, as a new change with a new id, over what is there now. */
  readonly tryAgain: (id: string) => Promise<void>;
  /** In a conflict: the person's values over what the server has now. */
  readonly keepMine: (id: string) => Promise<void>;
  /** In a conflict: gives the person's values up; the server's show. */
  readonly takeTheirs: (id: string) => Promise<void>;
  /** Sends a request that waited for more than 24 hours. */
  readonly confirm: (id: string) => Promise<void>;
  /**
   * Takes it back: unsent it is taken out with what depends on it; in flight it waits for the
   * verdict; done it is a new change with the stored inverse, which may conflict like any edit.
   */
  readonly undo: (id: string) => Promise<void>;
  /**
   * Gives it up, with what depends on it; the server's value shows.
   *
   * @returns what puts them back as they were
   */
  readonly discard: (id: string) => Promise<() => Promise<void>>;
  /** Sends what waits without waiting for the next attempt. */
  readonly sendNow: () => void;
  /** What was typed, as JSON text to keep elsewhere; null when there is no such change. */
  readonly exportText: (id: string) => string | null;
}

export interface Changes extends ChangesView, ChangeActions {}

/** The person's changes on this device, and how they stand with the server. */
export function useChanges(): Changes {
  const { changes } = useData();
  const view = useSyncExternalStore(changes.subscribe, changes.view);
  const { status, waiting, attention } = view;
  return {
    ...{ ...changes, status, waiting, attention },
    get rows() {
      return view.rows;
    },
  };
}
