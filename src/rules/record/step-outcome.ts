import type { Product } from '#schema/product.ts';
import type { ProductTransition } from '#schema/product-transition.ts';
import { ACTIVITY } from './transitions.ts';

/** What a step came to, where it was more than that the work went on. */
export type StepOutcome =
  | { readonly is: 'built' | 'published' }
  | { readonly is: 'failed'; readonly what: NonNullable<Product['failure']> };

const BUILD_STATES: readonly (string | null)[] = [
  'Product Build',
  'Product Rebuild',
  'Product Republish',
];
/** Where a build or a publication leads that failed (W19, W36). */
const AFTER_FAILURE = 'Synchronize Data';

type Step = Pick<
  ProductTransition,
  'transitionType' | 'initialState' | 'destinationState' | 'command' | 'dateTransition'
>;

/** Returns what the step of a product's history came to; null for one that is still to come. */
export function outcomeOf(step: Step): StepOutcome | null {
  const { transitionType, initialState, destinationState, command, dateTransition } = step;
  if (transitionType !== ACTIVITY || dateTransition === null) return null;
  if (command === 'Reject') return { is: 'failed', what: 'rejected' };
  const hasFailed = destinationState === AFTER_FAILURE;
  if (BUILD_STATES.includes(initialState))
    return hasFailed ? { is: 'failed', what: 'build' } : { is: 'built' };
  if (initialState === 'Product Publish' && hasFailed) return { is: 'failed', what: 'release' };
  return destinationState === 'Published' ? { is: 'published' } : null;
}
