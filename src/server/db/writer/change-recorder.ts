import type { AuditFact } from '#rules/audit/audit.ts';
import type { TypeName } from '#schema/index.ts';
import type { Cause, Tx } from '../database.ts';
import type { Commit, LastChange, Scope, Tombstone } from '../feed-row.ts';
import type { Journal, Touched } from '../journal.ts';

/**
 * The writer records its changes through this, and reads back what was recorded. The feed and the
 * audit log provide it: they know who may see what, and the database must not.
 */
export interface ChangeRecorder {
  /** Writes the audit events of a transaction. */
  tellAudit(tx: Tx, journal: Journal, noted: readonly AuditFact[], by: Cause): Promise<void>;
  /** Writes feed rows and tombstones and moves the feed head; false when there was nothing to write. */
  tellFeed(tx: Tx, journal: Journal, cause: Cause, commit: Commit): Promise<boolean>;
  /** Gives the scope of a record that the running transaction has removed. */
  goneScopeOf(tx: Tx, journal: Journal, touched: Touched): Promise<Scope>;
  tombstoneOf(tx: Tx, type: TypeName, id: string): Promise<Tombstone | null>;
  lastChangeOf(
    tx: Tx,
    type: TypeName,
    id: string,
    fields: readonly string[],
  ): Promise<LastChange | null>;
}
