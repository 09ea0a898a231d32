import { datedNewestFirst } from '#rules/record/transitions.ts';
import type { Of } from '#schema/index.ts';

type Build = Of<'productBuild'>;

/** Sorts the newest first; one that the engine does not know yet is the newest of all. */
export function newestFirst(builds: readonly Build[]): readonly Build[] {
  const made = ({ dateCreated }: Build) => (dateCreated === null ? 0 : Date.parse(dateCreated));
  const number = ({ buildId }: Build) => buildId ?? Number.MAX_SAFE_INTEGER;
  return [...builds].sort((a, b) => number(b) - number(a) || made(b) - made(a));
}

/** The newest one that came to something. */
export function latestOf(builds: readonly Build[]): Build | null {
  return builds.find(({ success }) => success === true) ?? null;
}

/** Lists what happened, the newest first, and what is still to come, in the order it will. */
export function historyOf(rows: readonly Of<'productTransition'>[]): {
  readonly past: readonly Of<'productTransition'>[];
  readonly ahead: readonly Of<'productTransition'>[];
} {
  const open = rows.filter(({ dateTransition }) => dateTransition === null);
  return { past: datedNewestFirst(rows), ahead: inOrder(open) };
}

/** Each step begins where the one before it ends. */
function inOrder(rows: readonly Of<'productTransition'>[]): Of<'productTransition'>[] {
  const ends = new Set(rows.map(({ destinationState }) => destinationState));
  const ordered: Of<'productTransition'>[] = [];
  let next = rows.find(({ initialState }) => !ends.has(initialState));
  while (next !== undefined && !ordered.includes(next)) {
    ordered.push(next);
    const { destinationState } = next;
    next = rows.find(({ initialState }) => initialState === destinationState);
  }
  return [...ordered, ...rows.filter((row) => !ordered.includes(row))];
}
