import { ACTIVITY, STARTED } from '#rules/record/transitions.ts';
import type { Of } from '#schema/index.ts';

/** The way that a workflow has taken so far. */
export interface Passed {
  readonly states: ReadonlySet<string>;
  readonly went: (step: { readonly from: string; readonly to: string }) => boolean;
}

/**
 * Finds the states and steps that the workflow that began last has passed, by the history of its
 * product.
 */
export function passedIn(rows: readonly Of<'productTransition'>[]): Passed {
  const past = rows
    .filter(({ dateTransition }) => dateTransition !== null)
    .toSorted((a, b) => at(a) - at(b));
  const began = past.findLastIndex(({ transitionType }) => transitionType === STARTED);
  const steps = past
    .slice(began + 1)
    .filter(({ transitionType }) => transitionType === ACTIVITY)
    .map(({ initialState, destinationState }) => [initialState ?? '', destinationState ?? '']);
  const keys = new Set(steps.map((step) => keyOf(step)));
  return {
    states: new Set(steps.flat()),
    went: ({ from, to }) => keys.has(keyOf([from, to])),
  };
}

const at = ({ dateTransition }: Of<'productTransition'>) => Date.parse(dateTransition ?? '');
const keyOf = (step: readonly string[]) => step.join('\0');
