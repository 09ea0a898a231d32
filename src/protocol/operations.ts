import type { Base, Identifier, Linkage, ResourceObject } from './document.ts';
import type { ErrorObject } from './problem.ts';

/** `/api/operations`, its answers, the change feed and hub messages (wire 8 to 10). */

export interface Ref extends Partial<Identifier> {
  readonly type: string;
  readonly relationship?: string;
}

export interface Operation {
  readonly op: 'add' | 'update' | 'remove' | 'get';
  readonly ref?: Ref;
  readonly data?: Partial<ResourceObject> | Linkage;
  readonly meta?: {
    readonly id?: string;
    readonly base?: Base;
    /** It takes back a creation, by a removal or by archiving; refused where something was built on it. */
    readonly undo?: true;
  };
}

/** The verdict on one operation: `data` when it was accepted, `errors` when it was refused. */
export interface Verdict {
  readonly op: string;
  readonly ref?: Ref;
  readonly data?: ResourceObject | Linkage;
  readonly errors?: readonly ErrorObject[];
  readonly meta: {
    readonly id?: string;
    readonly status: number;
    /**
     * The version in which the operation left the record; `data` with another one shows what was
     * changed since.
     */
    readonly version?: number;
    readonly replayed?: true;
  };
}

export interface VerdictsDocument {
  readonly operations: readonly Verdict[];
}

/**
 * One operation of the feed: a record as the reader may see it now, or that it is gone for them.
 */
export type FeedOperation =
  | { readonly op: 'add' | 'update'; readonly data: ResourceObject }
  | { readonly op: 'remove'; readonly ref: Identifier };

export interface FeedDocument {
  readonly jsonapi: { readonly version: '1.1' };
  readonly operations: readonly FeedOperation[];
  readonly meta: {
    readonly cursor: string;
    readonly more: boolean;
    readonly phase: 'snapshot' | 'feed';
    readonly done?: number;
    readonly total?: number;
  };
}

/** The JSON inside `RemoteDataHasUpdated`. */
export interface HubUpdateMessage {
  readonly operations: readonly FeedOperation[];
  readonly meta: {
    readonly cursor: string;
    readonly previous: string;
    readonly changes: readonly string[];
    readonly more: boolean;
  };
}
