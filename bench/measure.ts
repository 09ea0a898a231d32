/** Measures how long `work` took; returns that and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> {
  const begin = performance.now();
  const result = await work();
  return [performance.now() - begin, result];
}

export const perSecond = (count: number, ms: number) => (count * 1_000) / ms;

/** In ms, ascending; the first tries only warm up. */
export async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = -3; n < times; n += 1) {
    const [ms] = await timed(work);
    if (n >= 0) took.push(ms);
  }
  return took.sort((a, b) => a - b);
}

export const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;
