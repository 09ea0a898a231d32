import { line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A language in which stores of a type take a listing; seeded. */
export const storeLanguage = resource(
  'storeLanguage',
  'LG',
  {
    name: line().by('server'),
    description: text().by('server'),
    storeType: one('storeType').by('server'),
    products: many('product', 'storeLanguage', { materialised: false }),
  },
  { below: ['storeType'], load: 'first' },
);

export type StoreLanguage = RecordOf<typeof storeLanguage>;
