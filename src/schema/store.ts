import { line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A place where products are published. */
export const store = resource(
  'store',
  'LGCUD',
  {
    name: line(250).required(),
    description: text(10_000),
    storeType: one('storeType'),
    products: many('product', 'store', { materialised: false }),
    organizationStores: many('organizationStore', 'store', { materialised: false }),
  },
  { load: 'first' },
);

export type Store = RecordOf<typeof store>;
