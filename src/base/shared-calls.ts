/**
 * Returns a function that does `work` once for all who ask for the same `key` while it is under way:
 * they get the same result, or the same error. Whoever asks later has it done anew.
 *
 * @param owner keys of different owners have nothing to do with each other
 */
export function createSharedCalls<T>(): (
  owner: WeakKey,
  key: string,
  work: () => Promise<T>,
) => Promise<T> {
  const callsOf = new WeakMap<WeakKey, Map<string, Promise<T>>>();
  return (owner, key, work) => {
    const calls = callsOf.get(owner) ?? new Map<string, Promise<T>>();
    callsOf.set(owner, calls);
    const known = calls.get(key);
    if (known !== undefined) return known;
    const call = work().finally(() => calls.delete(key));
    calls.set(key, call);
    return call;
  };
}
