import type { Audience } from '#rules/scope.ts';
import type { TypeName } from '#schema/index.ts';

/**
 * What decides who had a record in their feed. It is stored with every feed row, as it was before
 * the commit and as it is after, because a removed record cannot be read any more.
 */
export interface ScopeFacts {
  /** The organizations it belongs to (`belongsTo` of the schema); empty for global records. */
  readonly organizations: readonly string[];
  /** The person in whose feed it is, whatever its organization; null: nobody. */
  readonly user: string | null;
  /** Who saw it of those who could have it in their feed. */
  readonly audience: Audience;
}

/**
 * `record`: the commit wrote it. `sight`: the record is as it was, `version` included, but others
 * than before may see it, or more of it. `viewer`: the rights of the user `id` changed, so their
 * readers compare working sets, fields included; also when the user was locked or unlocked.
 */
type FeedKind = 'record' | 'sight' | 'viewer';

/** A commit of the feed: its number, and eight random characters that no other lineage gives it. */
export interface FeedCommit {
  readonly n: number;
  readonly mark: string;
}

/**
 * One line of the change feed: the `k`th (from 1) of commit `n`. Parents come before children,
 * and what is removed after what is below it. A record has at most one `record` or `sight` row in a commit.
 */
export interface FeedRow {
  readonly n: number;
  /** The mark of its commit. */
  readonly mark: string;
  readonly k: number;
  readonly kind: FeedKind;
  /** `user` in a `viewer` row. */
  readonly type: TypeName;
  readonly id: string;
  /** `update` in rows of kind `sight` and `viewer`. */
  readonly op: 'add' | 'update' | 'remove';
  /**
   * In an `update` of kind `record`: the fields that the commit changed. Of kind `sight`: those that
   * others than before may see. Else empty.
   */
  readonly fields: readonly string[];
  /** Null when it did not exist before; of a `viewer` row the table has `Rights` here. */
  readonly before: ScopeFacts | null;
  /** Null when it was removed; in a `viewer` row. */
  readonly after: ScopeFacts | null;
  /** The ids of the changes that caused it; empty for what the server does by itself. */
  readonly changes: readonly string[];
  /** The user who did it; null for the server itself. */
  readonly by: string | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** The rights of a user before the commit of a `viewer` row; as in `rules/viewer.ts`. */
export interface Rights {
  readonly isSuperAdmin: boolean;
  readonly memberOf: readonly string[];
  readonly adminOf: readonly string[];
  readonly builderIn: readonly string[];
  readonly authorIn: readonly string[];
  readonly groups: readonly string[];
}

/** What is left of a removed record, for at least 90 days. */
export interface Tombstone {
  /** The commit that removed it. */
  readonly n: number;
  /** Who could see it when it was removed. */
  readonly audience: Audience;
  readonly by: string | null;
  readonly at: string;
}

/** The last change of a field: who made it, and when. */
export interface LastChange {
  readonly n: number;
  readonly by: string | null;
  readonly at: string;
}
