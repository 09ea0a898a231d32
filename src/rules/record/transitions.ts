import type { ProductTransition } from '#schema/product-transition.ts';

/** The kinds of rows of a product's history (domain 5.1). */
export const ACTIVITY = 1;
export const STARTED = 2;
export const COMPLETED = 3;
export const CANCELLED = 4;
/** Somebody looked at the repository: no step, and nobody waited for it. */
export const PROJECT_ACCESS = 5;

/** A row of what happened; a row without a date is of what is to come. */
export type DatedRow<R extends Pick<ProductTransition, 'dateTransition'>> = R & {
  readonly dateTransition: string;
};

/** Says whether `row` is of what happened. */
export function isDated<R extends Pick<ProductTransition, 'dateTransition'>>(
  row: R,
): row is DatedRow<R> {
  return row.dateTransition !== null;
}

/** Lists what happened, the newest first. */
export function datedNewestFirst<R extends Pick<ProductTransition, 'dateTransition'>>(
  rows: readonly R[],
): readonly DatedRow<R>[] {
  return rows
    .filter(isDated)
    .sort((a, b) => Date.parse(b.dateTransition) - Date.parse(a.dateTransition));
}

type Said = Pick<ProductTransition, 'transitionType' | 'dateTransition' | 'command' | 'comment'>;

/**
 * Finds the last step that someone gave a command or a comment with, in a product's newest workflow
 * (domain U3): what was said in an earlier one is about another build. Null: there is none.
 */
export function lastWordOf<R extends Said>(rows: readonly R[]): DatedRow<R> | null {
  for (const row of datedNewestFirst(rows)) {
    const { transitionType, command, comment } = row;
    if (transitionType === STARTED || transitionType === CANCELLED) return null;
    if (transitionType === ACTIVITY && (command !== null || comment !== null)) return row;
  }
  return null;
}
