import type { AuditFact } from '#rules/audit/audit.ts';
import type { Audience } from '#rules/scope.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteCause, DatabaseTransaction } from '../database.ts';
import type { FeedCommit, LastChange, Tombstone } from '../feed-row.ts';
import type { Journal, Touched } from '../journal.ts';

/**
 * The writer records its changes through this, and reads back what was recorded. The feed and the
 * audit log provide it: they know who may see what, and the database must not.
 */
export interface ChangeRecorder {
  /** Writes the audit events of a transaction. */
  auditJournal(
    tx: DatabaseTransaction,
    journal: Journal,
    noted: readonly AuditFact[],
    by: WriteCause,
  ): Promise<void>;
  /**
   * Writes feed rows and tombstones and moves the feed head; returns false when there was nothing
   * to write.
   */
  writeFeed(
    tx: DatabaseTransaction,
    journal: Journal,
    cause: WriteCause,
    commit: FeedCommit,
  ): Promise<boolean>;
  /** Returns who could see a record that the running transaction has removed. */
  audienceOfRemoved(tx: DatabaseTransaction, journal: Journal, touched: Touched): Promise<Audience>;
  tombstoneOf(tx: DatabaseTransaction, type: TypeName, id: string): Promise<Tombstone | null>;
  lastChangeOf(
    tx: DatabaseTransaction,
    type: TypeName,
    id: string,
    fields: readonly string[],
  ): Promise<LastChange | null>;
}
