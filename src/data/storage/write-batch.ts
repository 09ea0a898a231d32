import type { CopyMetadata } from '../model/server-update.ts';
import type { TypeName } from '#schema/index.ts';
import type { Change } from '../model/change.ts';
import type { Unreadable } from './migrate.ts';
import { RECORD_SHAPE } from './stored-record.ts';
import type { StoreRecord } from '../model/record.ts';

const NO_METADATA: CopyMetadata = {
  ...{ viewer: null, cursor: null, scope: null, asOf: null },
  ...{ lead: 0, shape: 0, folded: 0, answered: [] },
};

/** `raw` as metadata: a value that is missing, or of another type, is not known. */
export function metadataFrom(raw: unknown): CopyMetadata {
  const known = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const kept = Object.entries(NO_METADATA).filter(
    ([name, unknown]) => typeof known[name] === (unknown === null ? 'string' : 'number'),
  );
  const answered = [known.answered ?? []].flat().filter((commit) => typeof commit === 'string');
  const named = Object.fromEntries(kept.map(([name]) => [name, known[name]]));
  const facts = { ...NO_METADATA, ...named, answered };
  // Records of another shape are shown while they are fetched again.
  return facts.shape === RECORD_SHAPE ? facts : { ...facts, cursor: null };
}

/** The writes of one transaction: all of them or nothing. */
export interface CopyWrite {
  /** By key; null: the record is gone. */
  readonly records?: ReadonlyMap<string, StoreRecord | null>;
  readonly changes?: readonly Change[];
  /** `seq` of changes to be removed. */
  readonly drop?: readonly number[];
  readonly facts?: Partial<CopyMetadata>;
}

export interface RestoredCopy {
  readonly facts: CopyMetadata;
  readonly changes: readonly Change[];
  /** Changes that this app can't read, to be shown and kept. */
  readonly unreadable: readonly Unreadable[];
  readonly rows: ReadonlyMap<string, StoreRecord | null>;
  /** The keys of the chunks, by type. */
  readonly chunks: ReadonlyMap<TypeName, readonly string[]>;
  /** The id of this copy: one that is created again has another id. */
  readonly born: string | null;
}

/** The whole server state as it is known here, with its metadata. */
export interface CompactionInput {
  readonly records: readonly StoreRecord[];
  readonly facts: Partial<CopyMetadata>;
}

/** Collects what is to be written: the last state of each record and each change. */
export class WriteBatch {
  /** By key; null: the record is gone. */
  readonly records = new Map<string, StoreRecord | null>();
  /** By `seq`; null: the change is removed. */
  readonly changes = new Map<number, Change | null>();
  facts: Partial<CopyMetadata> | null = null;

  add({ records = new Map(), changes = [], drop = [], facts }: CopyWrite): void {
    for (const [key, record] of records) this.records.set(key, record);
    for (const change of changes) this.changes.set(change.seq, change);
    for (const seq of drop) this.changes.set(seq, null);
    if (facts !== undefined) this.facts = { ...this.facts, ...facts };
  }

  /** Adds the batch that came after it. */
  join(later: WriteBatch): void {
    for (const [key, record] of later.records) this.records.set(key, record);
    for (const [seq, change] of later.changes) this.changes.set(seq, change);
    if (later.facts !== null) this.facts = { ...this.facts, ...later.facts };
  }

  get isEmpty(): boolean {
    return this.records.size === 0 && this.changes.size === 0 && this.facts === null;
  }

  /** True if there is more in it than changes. */
  get hasServerData(): boolean {
    return this.records.size > 0 || this.facts !== null;
  }
}
