import type { ServerUpdate } from '../model/server-update.ts';
import type { LeaderStatus } from './leader-status.ts';

/** What a tab that follows asks of the one that leads. */
export type LeaderRequest = 'send-now' | 'resync';

/** Where the leading tab's copy stood when it was asked, now that the backup has all of that. */
export interface BackupPosition {
  readonly cursor: string | null;
  /** Whether the backup lacked something then. */
  readonly wasWriting: boolean;
}

/** What tabs of one user tell each other; `lead` says in which lead, the later one counts. */
export type TabMessage =
  /** The leading tab merged this; counted, so that a gap shows. */
  | {
      readonly is: 'merged';
      readonly lead: number;
      readonly n: number;
      readonly news: ServerUpdate;
    }
  /** How the leading tab finds the server, and how much it has told. */
  | {
      readonly is: 'outlook';
      readonly lead: number;
      readonly n: number;
      readonly outlook: LeaderStatus;
    }
  | { readonly is: 'level'; readonly lead: number; readonly level: BackupPosition }
  /** Is the leading tab there? It answers with its outlook. */
  | { readonly is: 'ask' }
  /** A tab was opened, or missed something: the leading one answers once the backup has it. */
  | { readonly is: 'lost' }
  | { readonly is: 'wish'; readonly wish: LeaderRequest }
  /** An answer to a query of a tab that follows, to be kept. */
  | { readonly is: 'heard'; readonly news: ServerUpdate }
  /** Rows were written: the disk has them. */
  | { readonly is: 'wrote'; readonly seqs: readonly number[] }
  /** The leading tab is closed. */
  | { readonly is: 'gone' }
  /** The copy is about to be removed. */
  | { readonly is: 'cleared' };

/** The messages of some kinds. */
export type TabMessageOf<Is extends TabMessage['is']> = Extract<TabMessage, { readonly is: Is }>;

export interface TabEvents {
  /**
   * This tab is to lead: takes over the backup, and gives which lead it is, later than `lead`; null:
   * the storage fails.
   */
  readonly claim: (isMissing: boolean, lead: number) => Promise<number | null>;
  /** It leads: it sends, hears, reads the feed and writes the server's news. */
  readonly lead: () => void;
  /** Another tab leads by now. */
  readonly leadLost: () => void;
  readonly updateApplied: (news: ServerUpdate) => void;
  readonly answerReceived: (news: ServerUpdate) => void;
  readonly requested: (wish: LeaderRequest) => void;
  readonly leaderStatusReceived: (outlook: LeaderStatus) => void;
  /** Another tab leads now: what has not been kept is to be told again. */
  readonly leaderChanged: () => void;
  /** The backup has what this tab may have missed; `isMissing` when it knows that it did. */
  readonly backupWritten: (level: BackupPosition, isMissing: boolean) => void;
  readonly outboxWritten: (seqs: readonly number[]) => void;
  readonly cleared: () => void;
  /** Whether something waits to be sent. */
  readonly hasToSend: () => boolean;
  readonly leaderStatus: () => LeaderStatus;
  /** Resolves once the backup has all that was merged; null: it has it already. */
  readonly whenBackupWritten: () => Promise<void> | null;
}
