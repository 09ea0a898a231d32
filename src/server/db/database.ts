import type { RawBuilder } from 'kysely';
import type { AuditFact } from '#rules/audit/audit.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { LastChange, Tombstone } from './feed-row.ts';
import type { Touched } from './journal.ts';
import type { Secrets } from './secret-places.ts';

/** An open transaction. While it is open, await nothing but SQL, and only through it. */
export interface DatabaseTransaction {
  /** Runs kysely's sql`…`; bigint comes as number, timestamptz as ISO text with ms and Z. */
  query<R>(statement: RawBuilder<R>): Promise<R[]>;
  one<T extends TypeName>(type: T, id: string): Promise<Of<T> | null>;
  /** Those of the records that there are, in one query; what is no UUID names none. */
  many<T extends TypeName>(type: T, ids: readonly string[]): Promise<Of<T>[]>;
  /** Every record whose fields equal those given, null too; ordered by id. */
  all<T extends TypeName>(type: T, where: Partial<Of<T>>): Promise<Of<T>[]>;
}

/** The cause of a write. */
export interface WriteCause {
  /** The time in ms, from the clock. */
  readonly at: number;
  /** The user who does it; null for the server itself. */
  readonly by: string | null;
  /** The ids of the changes that the write performs. */
  readonly changes: readonly string[];
  /** The address that it came from; null for what the server does by itself. */
  readonly address?: string | null;
}

type ServerSet = 'version' | 'dateCreated' | 'dateUpdated';
/** The fields of a new record; those left out get their fallback, else null. */
export type NewRecord<T extends TypeName> = { readonly id: string } & Partial<
  Omit<Of<T>, ServerSet>
>;
export type FieldChanges<T extends TypeName> = Partial<Omit<Of<T>, ServerSet | 'id'>>;

export interface ChangeOptions {
  /** Leaves `dateUpdated` as it is; `version` grows all the same. */
  readonly keepsDate?: boolean;
}

/**
 * A writing transaction. There is one at a time in the whole installation (the first statement
 * locks the feed head), so what it has read stays true until it commits, and nothing in it can
 * collide with another. Readers never wait for it.
 */
export interface WriteTransaction extends DatabaseTransaction {
  /** The number of this commit: `version` of every record it writes. */
  readonly n: number;
  readonly cause: WriteCause;
  /** Returns every record that was touched so far and is not as if it had never been. */
  touched(): readonly Touched[];
  /**
   * Returns the result of `load`; it is called once, and again after a record of one of `types` was
   * written.
   */
  cached<T>(
    key: string,
    types: readonly TypeName[],
    load: (tx: DatabaseTransaction) => Promise<T>,
  ): Promise<T>;
  /** Returns the tombstone of a removed record, also of one that this transaction has removed. */
  tombstone(type: TypeName, id: string): Promise<Tombstone | null>;
  /**
   * Returns who set one of `fields` last, also in this transaction, as far back as the feed is
   * kept.
   */
  lastChange(type: TypeName, id: string, fields: readonly string[]): Promise<LastChange | null>;
  /** Sets `dateCreated`, `dateUpdated` and `version`. */
  insert<T extends TypeName>(type: T, record: NewRecord<T>): Promise<void>;
  /** Sets `dateUpdated` and `version`, also without a field. Throws when there is no such record. */
  change<T extends TypeName>(
    type: T,
    id: string,
    fields: FieldChanges<T>,
    options?: ChangeOptions,
  ): Promise<void>;
  /**
   * Removes a record with everything below (wire 16.1) and what domain 2.7 says goes too. Removing
   * what is gone does nothing. Throws the Problem `in-use` when a record that stays names one that
   * goes.
   */
  remove(type: TypeName, id: string): Promise<void>;
  /**
   * Declares that the rights of `user` have to be read anew, although no record of them was
   * touched.
   */
  changeViewer(user: string): void;
  /** Does all of `work` or nothing: what it throws undoes what it wrote, and is thrown on. */
  savepoint<T>(work: (write: WriteTransaction) => Promise<T>): Promise<T>;
  /** What `work` writes is recorded as caused by `change` too, beside the changes of the cause. */
  causedBy<T>(change: string | null, work: () => Promise<T>): Promise<T>;
  /** Writes an audit event that no change of a record is; undone with the savepoint around it. */
  audit(fact: AuditFact): void;
  /**
   * Registers a function to call once the commit is durable; it is dropped when the commit, or the
   * savepoint around it, is undone.
   */
  afterCommit(act: () => void): void;
}

export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** The database's own name, a part of every cursor; new in every new database. */
  readonly identity: string;
  /** Every secret is stored through it. */
  readonly secrets: Secrets;
  /** Everything that `work` reads is as of one moment (repeatable read). */
  read<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs one transaction, serial with every other write. If it touched a record, feed rows and
   * tombstones are written, and the last statement moves the feed head on; after the commit the bus
   * is notified. An error from `work` undoes everything and is thrown on.
   */
  write<T>(cause: WriteCause, work: (write: WriteTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs one transaction (read committed) for tables that are no resources: sign-in, jobs, keys. It
   * waits for no writer and must not touch resource tables.
   */
  transact<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
