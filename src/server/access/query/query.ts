import type { Kind } from '#schema/define.ts';
import type { BuildStatusWord, ProductStatusWord } from '#rules/product-status.ts';
import type { TypeName } from '#schema/index.ts';

/** The query for a list or a single record (wire 5), parsed and checked. */
export interface Query {
  readonly filters: readonly QueryFilter[];
  readonly sort: readonly Sort[];
  readonly include: IncludeTree;
  /** Fields to be shown by type, in the schema's names; a type that is not named shows all. */
  readonly fields: ReadonlyMap<TypeName, ReadonlySet<string>>;
  readonly page: PageRange;
}

export type Operator =
  'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'like' | 'in' | 'nin' | 'isnull' | 'isnotnull';

/** A field of the listed type, or of what one of its to-ones points to. */
export interface Path {
  readonly via: string | null;
  /** The type that has the field. */
  readonly type: TypeName;
  readonly field: string;
  /** A to-one is compared as an id. */
  readonly kind: Kind | 'one';
  readonly choices: readonly (string | number)[] | null;
}

export type Value = string | number | boolean;

export type QueryFilter =
  | {
      readonly is: 'field';
      readonly path: Path;
      readonly operator: Operator;
      readonly values: readonly Value[];
    }
  | { readonly is: 'search-term'; readonly words: string }
  | { readonly is: 'any-product-definition-id'; readonly ids: readonly string[] }
  | { readonly is: 'any-product-name'; readonly words: string }
  | { readonly is: 'status'; readonly words: ReadonlySet<ProductStatusWord> }
  | { readonly is: 'build-status'; readonly words: ReadonlySet<BuildStatusWord> }
  | { readonly is: 'builds-of-project'; readonly project: string }
  | { readonly is: 'project-updated-date'; readonly operator: 'ge' | 'le'; readonly at: string }
  | { readonly is: 'scope-to-current-user' }
  | { readonly is: 'with-public-projects' }
  | { readonly is: 'members-of'; readonly organization: string };

export interface Sort {
  readonly path: Path;
  readonly descends: boolean;
}

/** Relationships to follow, by field. */
export type IncludeTree = ReadonlyMap<string, IncludeTree>;

export interface PageRange {
  /** The number counts from 1. */
  readonly number: number;
  readonly size: number;
  /** The size 500 was applied, because more was requested or nothing. */
  readonly isClamped: boolean;
}
