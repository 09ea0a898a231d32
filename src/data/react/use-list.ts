import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Of, TypeName } from '#schema/index.ts';
import { useData } from './use-data.ts';

type Wanted<V> = V | { readonly isNull: true } | { readonly notNull: true };

/** Fields by value, or whether they are set; `'product.project.organization'` follows to-ones. */
export type Filter<T extends TypeName> = {
  readonly [F in keyof Of<T>]?: Wanted<Of<T>[F]>;
} & Readonly<Record<`${string}.${string}`, Wanted<unknown>>>;

export interface ListOptions {
  /** A field, `-` in front descends, `owner.name` follows a to-one. Left out: by id. */
  readonly sort?: string;
  /** Words that must be in it, by the fold of wire 5.3. */
  readonly search?: string;
  /** As on the wire: `offset` is the page's number from 1, `limit` its size. */
  readonly page?: { readonly offset: number; readonly limit: number };
  /** The server is asked too, as of builds only the newest are kept here. */
  readonly beyond?: true;
}

export interface ListView<T extends TypeName> {
  readonly state: 'loading' | 'ready' | 'not-here' | 'error';
  /** The page asked for; the same array until something in it changes. */
  readonly rows: readonly Of<T>[];
  /** How many match on all pages. */
  readonly total: number;
  /** When the server last confirmed it (ISO); null while it never did. */
  readonly asOf: string | null;
}

/** A list, computed on the device and kept true; asks the server for types that are not kept here. */
export function useList<T extends TypeName>(
  type: T,
  filter: Filter<T>,
  options: ListOptions = {},
): ListView<T> {
  const { lists } = useData();
  const key = JSON.stringify([type, filter, options]);
  // The key says everything about the list; filter and options are new objects at every render.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const list = useMemo(() => lists.open(type, filter, options), [lists, key]);
  const subscribe = useCallback((listener: () => void) => list.subscribe(listener), [list]);
  return useSyncExternalStore(subscribe, () => list.view());
}
