import {
  ACTIVITY,
  datedNewestFirst,
  isDated,
  PROJECT_ACCESS,
  STARTED,
} from '#rules/record/transitions.ts';
import type { DatedRow } from '#rules/record/transitions.ts';
import type { Of } from '#schema/index.ts';

type Row = Of<'productTransition'>;

const steps = (rows: readonly Row[]) =>
  datedNewestFirst(rows).filter(({ transitionType }) => transitionType === ACTIVITY);

/** The step that is waited for in `state`. */
export function stepAhead(rows: readonly Row[], state: string | null): Row | null {
  const ahead = rows.filter((row) => row.transitionType === ACTIVITY && !isDated(row));
  return ahead.find(({ initialState }) => initialState === state) ?? null;
}

/** Says when the newest workflow began; null when that is not known here. */
export function beganAt(rows: readonly Row[]): string | null {
  return (
    datedNewestFirst(rows).find(({ transitionType }) => transitionType === STARTED)
      ?.dateTransition ?? null
  );
}

/** Says since when the product waits where it is; null when that is not known here. */
export function waitsSince(rows: readonly Row[]): string | null {
  const [last] = datedNewestFirst(rows).filter(
    ({ transitionType }) => transitionType !== PROJECT_ACCESS,
  );
  return last?.dateTransition ?? null;
}

/** Says whether the last step ended the work for good. */
export function wasTerminated(rows: readonly Row[]): boolean {
  return steps(rows)[0]?.destinationState === 'Terminated';
}

/** The newest step out of `state`. */
export function stepOutOf(rows: readonly Row[], state: string): DatedRow<Row> | null {
  return steps(rows).find(({ initialState }) => initialState === state) ?? null;
}
