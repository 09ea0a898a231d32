import type { OrbitStoreView } from '../model/data.ts';
import { toOnesOf } from '#schema/index.ts';
import type { StoreIdentity } from '../model/record.ts';
import type { RecordStore, Touch } from './store.ts';

/**
 * The store as react-orbitjs sees it. Its `transform` fires once per applied batch, which the
 * store's own does not (there only a person's change is a transform); writes go through the outbox.
 */
export function createOrbitStoreView(store: RecordStore): OrbitStoreView {
  const listeners = new Set<(transform: object) => void>();
  store.onBatch((touched) => {
    if (listeners.size === 0) return;
    const transform = { operations: operationsOf(touched) };
    for (const listener of [...listeners]) listener(transform);
  });
  return {
    cache: store.cache,
    schema: store.schema,
    queryBuilder: store.queryBuilder,
    query: store.query.bind(store),
    update: store.update.bind(store),
    on: (event, listener) => {
      if (event === 'transform') listeners.add(listener);
    },
    off: (_, listener) => {
      listeners.delete(listener);
    },
  };
}

/** One operation per type is enough: react-orbitjs only checks which types are touched. */
function operationsOf(touched: readonly Touch[]): object[] {
  const types = new Map<string, StoreIdentity>();
  for (const { type, id } of touched) types.set(type, { type, id });
  return [...types.values()].map(({ type, id }) => ({
    op: 'replaceAttribute',
    record: { type, id },
    attribute: toOnesOf(type)[0]?.[0] ?? 'name',
    value: null,
  }));
}
