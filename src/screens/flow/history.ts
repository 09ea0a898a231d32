import {
  ACTIVITY,
  datedNewestFirst,
  isDated,
  PROJECT_ACCESS,
  STARTED,
} from '#rules/record/transitions.ts';
import type { DatedRow } from '#rules/record/transitions.ts';
import { TAKE_BACK } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';

type Row = Of<'productTransition'>;

const steps = (rows: readonly Row[]) =>
  datedNewestFirst(rows).filter(({ transitionType }) => transitionType === ACTIVITY);

/** The step that is waited for in `state`. */
export function stepAhead(rows: readonly Row[], state: string | null): Row | null {
  const ahead = rows.filter((row) => row.transitionType === ACTIVITY && !isDated(row));
  return ahead.find(({ initialState }) => initialState === state) ?? null;
}

/** A state of the workflow that runs. */
interface WayStep {
  readonly state: string;
  readonly is: 'done' | 'now' | 'next';
}

/**
 * Lists the states that the workflow has behind it, the one it is in, and those to come; each stands
 * there once, so one that it returns to is still to come. Empty where nothing runs, and where the
 * way is not known here.
 */
export function wayOf(rows: readonly Row[], state: string | null): readonly WayStep[] {
  const ahead = statesAhead(rows, state);
  const [current, ...next] = ahead;
  if (current === undefined) return [];
  const done = statesPassed(rows).filter((passed) => !ahead.includes(passed));
  return [
    ...done.map((name) => ({ state: name, is: 'done' }) as const),
    { state: current, is: 'now' },
    ...next.map((name) => ({ state: name, is: 'next' }) as const),
  ];
}

/** Follows the steps to come from `state`, which is the first. */
function statesAhead(rows: readonly Row[], state: string | null): readonly string[] {
  const states: string[] = [];
  let at = stepAhead(rows, state);
  while (typeof at?.initialState === 'string' && !states.includes(at.initialState)) {
    states.push(at.initialState);
    at = stepAhead(rows, at.destinationState);
  }
  return states;
}

/**
 * Lists the states that the newest workflow was in, in the order in which it last left them. What
 * was handed over and taken back was not done by that.
 */
function statesPassed(rows: readonly Row[]): readonly string[] {
  const past = datedNewestFirst(rows);
  const began = past.findIndex(({ transitionType }) => transitionType === STARTED);
  const left = (began < 0 ? past : past.slice(0, began))
    .filter(({ transitionType, command }) => transitionType === ACTIVITY && command !== TAKE_BACK)
    .flatMap(({ initialState }) => initialState ?? []);
  return [...new Set(left)].reverse();
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
