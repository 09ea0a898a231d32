import type { ErrorObject } from '#protocol/problem.ts';
import type { Change, ChangeState } from './change.ts';
import type { StoreIdentity, StoreRecord } from './record.ts';

/** What is known besides records. */
export interface CopyMetadata {
  /** The id of the viewer's own record. */
  readonly viewer: string | null;
  /** Where the feed goes on; null until the first load is complete. */
  readonly cursor: string | null;
  /** Commits that answers showed and the feed has not told. */
  readonly answered: readonly string[];
  /** Whose feed it is: null, or the organization that a super admin looks at. */
  readonly scope: string | null;
  /** When the copy was last level with the server (ISO). */
  readonly asOf: string | null;
  /** How often the lead changed hands: who took it last writes the server's news, nobody else. */
  readonly lead: number;
  /** What records looked like when the cursor was written. */
  readonly shape: number;
  /** How many chunks the last fold made. */
  readonly folded: number;
}

/** One thing that the server says: a record as this viewer may see it now, or that it is gone. */
export type ServerUpdateItem =
  | { readonly is: 'update'; readonly record: StoreRecord }
  | { readonly is: 'remove'; readonly record: StoreIdentity };

/** What became of one change. */
export interface ChangeVerdict {
  readonly id: string;
  readonly state: ChangeState;
  readonly problem: ErrorObject | null;
  /** The records that came along are as this change left them, and not as others made them since. */
  readonly isFirstHand?: boolean;
}

/** One answer, hub message or page of the feed: shown and written as a whole. */
export interface ServerUpdate {
  readonly items: readonly ServerUpdateItem[];
  /** Ids of changes that these items are the effect of: acknowledged by them. */
  readonly changes?: readonly string[];
  readonly verdicts?: readonly ChangeVerdict[];
  readonly facts?: Partial<CopyMetadata>;
  /** Told by the leading tab, which writes it to the backup itself. */
  readonly isRelayed?: boolean;
  /** All that was here before counts as older. */
  readonly isAfresh?: boolean;
  /** The name of the answer that a tab which follows gave to be kept. */
  readonly answer?: string;
}

/** What may be asked of the server's state, as far as it is known here. */
export interface ServerState {
  /** What the server has. */
  readonly serverRecord: (identity: StoreIdentity) => StoreRecord | null;
  /** What the device shows: the server's record with the changes under way on top. */
  readonly visibleRecord: (identity: StoreIdentity) => StoreRecord | null;
  /** Whether the record was here and is gone, in this session. */
  readonly wasRemoved: (identity: StoreIdentity) => boolean;
  /** Shows anew what `rows` touch or touched. */
  readonly rebase: (rows: readonly Change[]) => void;
}
