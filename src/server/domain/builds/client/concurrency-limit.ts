/** Lets at most `most` pieces of work be under way at a time; the others wait their turn. */
export function createConcurrencyLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most;
  const waiting: (() => void)[] = [];
  const start = () =>
    new Promise<void>((go) => {
      waiting.push(go);
    });

  return async (work) => {
    if (free === 0) await start();
    else free -= 1;
    try {
      return await work();
    } finally {
      // The free place goes straight to the next in line, so that a newcomer cannot take it.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
