import { one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** What a person says about a product; people are mentioned in it as `@[{id}]`. */
export const productComment = resource(
  'productComment',
  'LGCUD',
  {
    text: text(4_000).required(),
    user: one('user').required().by('server'),
    product: one('product').required().by('create'),
  },
  {
    belongsTo: 'product.project.organization',
    below: ['product'],
    load: 'ask',
    narrowed: true,
    delaysRemoval: true,
    predict: (_, { viewer }) => ({ user: viewer.id }),
  },
);

export type ProductComment = RecordOf<typeof productComment>;
