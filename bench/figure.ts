/** One thing that was measured: of ours, of what the computer does at best, and of others. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  /** The figures that it is held against, by name: floors first, then peers. */
  readonly against: Readonly<Record<string, number>>;
  readonly targets: readonly Target[];
}

export interface Target {
  readonly says: string;
  readonly isMet: boolean;
}

/** `ours` is at most `most`. */
export function atMost(ours: number, most: number, unit: string): Target {
  return { says: `≤ ${most} ${unit}`, isMet: ours <= most };
}

/** `ours` is at most `most` times `floor`. */
export function within(ours: number, floor: number, most: number): Target {
  return { says: `≤ ${most} × (${round(ours / floor)} ×)`, isMet: ours <= most * floor };
}

/** `ours` is at most `more` milliseconds above `floor`. */
export function beyond(ours: number, floor: number, more: number): Target {
  return { says: `≤ + ${more} ms (${round(ours - floor)} ms)`, isMet: ours <= floor + more };
}

/** `ours` takes less than each of `peers`; than a `part` of it, if stated. */
export function faster(
  ours: number,
  peers: Readonly<Record<string, number | undefined>>,
  part = 1,
): Target[] {
  return Object.entries(peers).flatMap(([name, theirs]) => {
    if (theirs === undefined) return [];
    const says = part === 1 ? `faster than ${name}` : `${1 / part} × faster than ${name}`;
    return [{ says, isMet: ours < part * theirs }];
  });
}

export const round = (value: number): number => Number(value.toPrecision(3));
