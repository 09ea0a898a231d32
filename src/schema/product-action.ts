import { list, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/**
 * The actions that the caller may start on a product now; its id is the product's. Answered by a
 * call.
 */
export const productAction = resource(
  'productAction',
  '',
  {
    actions: list().by('server'),
    types: list().by('server'),
    product: one('product').by('server'),
  },
  { isStored: false },
);

export type ProductAction = RecordOf<typeof productAction>;
