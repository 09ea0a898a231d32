import type { ErrorObject } from '#protocol/problem.ts';
import type { Change, ChangeState } from './change.ts';
import type { StoreIdentity, StoreRecord } from './record.ts';

/** What the device knows about its copy, besides the records. */
export interface CopyMetadata {
  /** The id of the viewer's own record. */
  readonly viewer: string | null;
  /** The cursor in the change feed; null until the first load is complete. */
  readonly cursor: string | null;
  /** Commits that answers showed and that the feed has not confirmed. */
  readonly answered: readonly string[];
  /** The scope of the feed: null, or the organization that a super admin looks at. */
  readonly scope: string | null;
  /** When the copy was last in sync with the server (ISO). */
  readonly asOf: string | null;
  /**
   * Counts how often the lead changed hands; only the tab that took it last writes server updates.
   */
  readonly lead: number;
  /** The shape of records when the cursor was written. */
  readonly shape: number;
  /** How many chunks the last compaction made. */
  readonly folded: number;
}

/** One thing that the server says: a record as this viewer may see it now, or that it is gone. */
export type ServerUpdateItem =
  | { readonly is: 'update'; readonly record: StoreRecord }
  | { readonly is: 'remove'; readonly record: StoreIdentity };

/** The server's verdict on one change. */
export interface ChangeVerdict {
  readonly id: string;
  readonly state: ChangeState;
  readonly problem: ErrorObject | null;
  /** The keys of the records that came with it as it left them, unchanged by others since. */
  readonly unchangedSince?: readonly string[];
}

/** One answer, hub message or page of the feed; it is shown and written as a whole. */
export interface ServerUpdate {
  readonly items: readonly ServerUpdateItem[];
  /** Ids of the changes that caused these items: the items acknowledge them. */
  readonly changes?: readonly string[];
  readonly verdicts?: readonly ChangeVerdict[];
  readonly facts?: Partial<CopyMetadata>;
  /** It came from the leader, which writes it to the backup itself. */
  readonly isRelayed?: boolean;
  /** Everything that was here before counts as older. */
  readonly isAfresh?: boolean;
  /** The id of the answer that a follower sent to the leader to be saved. */
  readonly answer?: string;
}

/** The server state, read-only but for `rebase`, as far as this device knows it. */
export interface ServerState {
  /** The record as the server has it. */
  readonly serverRecord: (identity: StoreIdentity) => StoreRecord | null;
  /** The record as the device shows it: the server's with the pending changes on top. */
  readonly visibleRecord: (identity: StoreIdentity) => StoreRecord | null;
  /** Tells whether the record was here and was removed, in this session. */
  readonly wasRemoved: (identity: StoreIdentity) => boolean;
  /** Shows the records that `rows` touch or touched again. */
  readonly rebase: (rows: readonly Change[]) => void;
}
