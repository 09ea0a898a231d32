import type { Of } from '#schema/index.ts';

type Row = Of<'productTransition'>;

/** A step that was taken: with the time when it was. */
type Taken = Row & { readonly dateTransition: string };

const ACTIVITY = 1;
/** Someone looked at the repository: no step, and nobody waited for it. */
const PROJECT_ACCESS = 5;

function isTaken(row: Row): row is Taken {
  return row.dateTransition !== null;
}

/** Lists what happened, the newest first. */
function taken(rows: readonly Row[]): readonly Taken[] {
  return rows
    .filter(isTaken)
    .sort((a, b) => Date.parse(b.dateTransition) - Date.parse(a.dateTransition));
}

const steps = (rows: readonly Row[]) =>
  taken(rows).filter(({ transitionType }) => transitionType === ACTIVITY);

/** The last step that someone gave a command or a comment with (domain U3). */
export function lastWordOf(rows: readonly Row[]): Taken | null {
  return steps(rows).find(({ command, comment }) => command !== null || comment !== null) ?? null;
}

/** The step that is waited for in `state`. */
export function stepAhead(rows: readonly Row[], state: string | null): Row | null {
  const ahead = rows.filter((row) => row.transitionType === ACTIVITY && !isTaken(row));
  return ahead.find(({ initialState }) => initialState === state) ?? null;
}

/** Says since when the product waits where it is; null when that is not known here. */
export function waitsSince(rows: readonly Row[]): string | null {
  const [last] = taken(rows).filter(({ transitionType }) => transitionType !== PROJECT_ACCESS);
  return last?.dateTransition ?? null;
}

/** Says whether the last step ended the work for good. */
export function wasTerminated(rows: readonly Row[]): boolean {
  return steps(rows)[0]?.destinationState === 'Terminated';
}

/** The newest step out of `state`. */
export function stepOutOf(rows: readonly Row[], state: string): Taken | null {
  return steps(rows).find(({ initialState }) => initialState === state) ?? null;
}
