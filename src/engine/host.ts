import type { RawBuilder } from 'kysely';

/** The engine runs its statements in an open transaction that the host gives it. */
export interface EngineTx {
  /** It runs kysely's sql`…`; bigint comes as number, timestamptz as ISO text with ms and Z. */
  query<R>(statement: RawBuilder<R>): Promise<R[]>;
}

/** The engine needs no more of the host's database than this. */
export interface EngineDatabase {
  /** No other process can use an embedded database at the same time. */
  readonly kind: 'embedded' | 'postgres';
  /** Everything that `work` reads is of one moment (repeatable read). */
  read<T>(work: (tx: EngineTx) => Promise<T>): Promise<T>;
  /** One transaction (read committed): what `work` throws undoes everything and is thrown on. */
  transact<T>(work: (tx: EngineTx) => Promise<T>): Promise<T>;
}
