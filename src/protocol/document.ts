import type { ErrorObject } from './problem.ts';

/** JSON:API 1.1 as wire 3 narrows it. Everything here is what travels, spelt as it travels. */

export const JSON_API = 'application/vnd.api+json';

/** Names the newest commit that an answer may show, as `{n}-{mark}` (decision 33). */
export const COMMIT_HEADER = 'Slipway-Commit';

export interface Identifier {
  readonly type: string;
  readonly id: string;
}

export type Linkage = Identifier | null | readonly Identifier[];

export interface RelationshipObject {
  readonly data: Linkage;
}

export interface ResourceObject {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
  readonly meta?: { readonly version?: number };
}

/** Fields and what a person saw in them before they changed them (wire 7.4). */
export interface Base {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
}

export interface PageMeta {
  readonly 'total-records': number;
  readonly page: {
    readonly offset: number;
    readonly limit: number;
    readonly pages: number;
    readonly clamped?: true;
  };
}

export interface DataDocument {
  readonly jsonapi: { readonly version: '1.1' };
  readonly data: ResourceObject | null | readonly ResourceObject[] | Linkage;
  readonly included?: readonly ResourceObject[];
  readonly links?: Readonly<Record<string, string | null>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ErrorDocument {
  readonly jsonapi: { readonly version: '1.1' };
  readonly errors: readonly ErrorObject[];
}
