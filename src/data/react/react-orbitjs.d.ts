/** The types of the package do not fit React 18; these are the parts that are used. */
declare module 'react-orbitjs' {
  import type { ComponentType, ReactElement } from 'react';
  import type { RecordQueryBuilder } from '@orbit/records';
  import type { OrbitStoreView } from '../model/data.ts';

  export const DataProvider: ComponentType<{
    readonly dataStore: OrbitStoreView;
    readonly children: ReactElement;
  }>;

  /** Queries by prop name; their results reach the component as props of that name. */
  export function withData<Own extends object>(
    queries: Readonly<Record<string, (q: RecordQueryBuilder) => unknown>>,
  ): (component: ComponentType<never>) => ComponentType<Own>;
}
