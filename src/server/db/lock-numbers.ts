/** The number of the first; any will do that is the same in every process of a database. */
const FIRST = 7_305_518;

/** The purposes of advisory locks. A new one is added at the end, so that no number changes. */
const PURPOSES = [
  'migrations',
  'secrets',
  // The engine takes it itself, by its number (engine/queue/fair-build-order.ts); no later purpose may get it.
  'build-turns',
] as const;

/** Returns the number of the advisory lock for `purpose`, which no other purpose has. */
export function lockNumberOf(purpose: (typeof PURPOSES)[number]): number {
  return FIRST + PURPOSES.indexOf(purpose);
}
