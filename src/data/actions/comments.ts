import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import type { ProductNames } from './products.ts';
import { removeForNow } from './removing.ts';

type Comment = Of<'productComment'>;

/**
 * Says something about a product: on this device at once.
 *
 * @param text mentions people as `@[{id}]`
 * @returns its id once the change is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if the text is not valid: `invalid` with its rule, as from the server
 */
export async function addComment(
  data: Data,
  product: string,
  text: string,
  names: ProductNames,
): Promise<string> {
  return data.add('productComment', { product, text }, ['changes.comment.add', { ...names }]);
}

/** Throws as `addComment`. */
export async function editComment(
  data: Data,
  { id }: Comment,
  text: string,
  names: ProductNames,
): Promise<void> {
  await data.edit('productComment', id, { text }, ['changes.comment.edit', { ...names }]);
}

/** Returns and throws as `removeForNow`. */
export async function removeComment(data: Data, comment: Comment, names: ProductNames) {
  const { id, product, text } = comment;
  return removeForNow(
    data,
    { type: 'productComment', id },
    ['changes.comment.remove', { ...names }],
    () => addComment(data, product, text, names),
  );
}
