import type { TypeName } from '#schema/index.ts';

/** A to-one or, in the store alone, a to-many, as Orbit keeps it. */
export interface StoreRelationship {
  readonly data: StoreIdentity | null | readonly StoreIdentity[];
}

export interface StoreIdentity {
  readonly type: TypeName;
  readonly id: string;
}

/** A record as Orbit keeps it: names of `schema`, `meta.version` of the wire. */
export interface StoreRecord extends StoreIdentity {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, StoreRelationship>>;
  readonly meta: { readonly version: number };
}

/** What an outbox row holds: Orbit's record operations, of which three are enough. */
export type StoreOperation =
  | { readonly op: 'addRecord'; readonly record: StoreRecord }
  | { readonly op: 'updateRecord'; readonly record: StorePatch }
  | { readonly op: 'removeRecord'; readonly record: StoreIdentity };

/** The fields of one record that an update replaces. */
export interface StorePatch extends StoreIdentity {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, StoreRelationship>>;
}
