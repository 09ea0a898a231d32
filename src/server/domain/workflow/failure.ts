import { product } from '#schema/product.ts';
import type { Product } from '#schema/product.ts';

/** What the last step of a product was, if it was a failure. */
type Failure = Pick<Product, 'failure' | 'failureReason'>;

export const NO_FAILURE: Failure = { failure: null, failureReason: null };

/** Returns the failure with the first line of `reason` that says something, cut to fit its field. */
export function productFailure(
  failure: NonNullable<Failure['failure']>,
  reason: string | null | undefined,
): Failure {
  const line = /\S[^\r\n]*/.exec(reason ?? '')?.[0].trimEnd() ?? null;
  const letters = Array.from(line ?? '');
  const longest = product.fields.failureReason.limit ?? Infinity;
  const isLong = letters.length > longest;
  return { failure, failureReason: isLong ? `${letters.slice(0, longest - 1).join('')}…` : line };
}
