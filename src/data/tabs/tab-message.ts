import type { ServerUpdate } from '../model/server-update.ts';
import type { LeaderStatus } from './leader-status.ts';

/** A request of a follower to the leader. */
export type LeaderRequest = 'send-now' | 'resync';

/** The position of the leader's copy when it was asked, sent once the backup has all of it. */
export interface BackupPosition {
  readonly cursor: string | null;
  /** True if the backup lacked something then. */
  readonly wasWriting: boolean;
}

/**
 * The messages between the tabs of one user; `lead` is the number of the lead, the later one
 * counts.
 */
export type TabMessage =
  /** The leader applied this update; the messages are counted, so that a gap shows. */
  | {
      readonly is: 'merged';
      readonly lead: number;
      readonly n: number;
      readonly news: ServerUpdate;
    }
  /** The status of the leader, and how many updates it has sent. */
  | {
      readonly is: 'outlook';
      readonly lead: number;
      readonly n: number;
      readonly outlook: LeaderStatus;
    }
  | { readonly is: 'level'; readonly lead: number; readonly level: BackupPosition }
  /** Asks whether the leader is there; it answers with its status. */
  | { readonly is: 'ask' }
  /** A tab was opened, or missed something: the leader answers once the backup has it. */
  | { readonly is: 'lost' }
  | { readonly is: 'wish'; readonly wish: LeaderRequest }
  /** An answer to a query of a follower, to be saved. */
  | { readonly is: 'heard'; readonly news: ServerUpdate }
  /** Rows of the outbox were written to the disk. */
  | { readonly is: 'wrote'; readonly seqs: readonly number[] }
  /** The leader is closed. */
  | { readonly is: 'gone' }
  /** The copy is about to be removed. */
  | { readonly is: 'cleared' };

/** The messages of the given kinds. */
export type TabMessageOf<Is extends TabMessage['is']> = Extract<TabMessage, { readonly is: Is }>;

export interface TabEvents {
  /**
   * This tab is to lead: takes over the backup, and returns the number of the lead, later than
   * `lead`; null: the storage fails.
   */
  readonly claim: (isMissing: boolean, lead: number) => Promise<number | null>;
  /** This tab leads: it sends, listens, reads the feed and writes server updates. */
  readonly lead: () => void;
  /** Another tab leads by now. */
  readonly leadLost: () => void;
  readonly updateApplied: (update: ServerUpdate) => void;
  readonly answerReceived: (update: ServerUpdate) => void;
  readonly requested: (request: LeaderRequest) => void;
  readonly leaderStatusReceived: (status: LeaderStatus) => void;
  /** Another tab leads now: answers that are not saved yet are to be sent again. */
  readonly leaderChanged: () => void;
  /** The backup has what this tab may have missed; `isMissing` when it knows that it did. */
  readonly backupWritten: (position: BackupPosition, isMissing: boolean) => void;
  readonly outboxWritten: (seqs: readonly number[]) => void;
  readonly cleared: () => void;
  /** Tells whether something waits to be sent. */
  readonly hasToSend: () => boolean;
  readonly leaderStatus: () => LeaderStatus;
  /** Resolves once the backup has all that was applied; null: it has it already. */
  readonly whenBackupWritten: () => Promise<void> | null;
}
