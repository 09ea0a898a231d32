import type { MachineShape } from '#protocol/workflow.ts';

/** The place of a state in the diagram, counted from the top left. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
}

type Places = ReadonlyMap<string, GridCell>;
type Shape = Pick<MachineShape, 'starts' | 'states' | 'steps'>;

/**
 * Places the states: the longest way forward from the start down the first column; beside each of
 * them, to the right, what is left the way for, and below that what follows there.
 */
export function placesOf(shape: Shape): Places {
  const places = new Map<string, GridCell>();
  const taken = new Set<string>();
  const put = (state: string, place: GridCell): void => {
    let { row } = place;
    while (taken.has(`${String(row)} ${String(place.column)}`)) row += 1;
    taken.add(`${String(row)} ${String(place.column)}`);
    places.set(state, { row, column: place.column });
  };

  wayOf(shape).forEach((state, row) => {
    put(state, { row, column: 0 });
  });
  // A map that grows while it is gone through is gone through to its end.
  for (const [state, { row, column }] of places)
    for (const { from, to, direction } of shape.steps) {
      if (from !== state || places.has(to)) continue;
      const follows = direction === 'forward' && column > 0;
      put(to, follows ? { row: row + 1, column } : { row, column: column + 1 });
    }
  // States to which no step leads are not lost.
  const rest = shape.states.filter(({ name }) => !places.has(name));
  for (const { name } of rest) put(name, { row: 0, column: columnsOf(places) });
  return places;
}

function columnsOf(places: Places): number {
  return Math.max(0, ...[...places.values()].map(({ column }) => column + 1));
}

/** The longest way forward from where the machine can begin. */
function wayOf({ starts, steps }: Shape): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const from = (state: string, before: ReadonlySet<string>): readonly string[] => {
    const found = known.get(state);
    if (found !== undefined) return found;
    const passed = new Set([...before, state]);
    const ways = steps
      .filter((step) => step.from === state && step.direction === 'forward')
      .filter(({ to }) => !passed.has(to))
      .map(({ to }) => from(to, passed));
    const way = [state, ...longest(ways)];
    known.set(state, way);
    return way;
  };
  return longest(starts.map((state) => from(state, new Set())));
}

const longest = (ways: readonly (readonly string[])[]): readonly string[] =>
  ways.reduce((best, way) => (way.length > best.length ? way : best), []);
