/** Longer ones are no addresses, and a bound keeps the search linear. A full stop ends a sentence. */
const ADDRESS = /[^\s@<>()[\]",;:]{1,254}@[^\s@<>()[\]",;:]{0,253}[^\s@<>()[\]",;:.]/g;

/** Stands where somebody else's email address stood. */
export const LEFT_OUT = '[address left out]';

/** Returns `value` with every email address in its texts replaced, but those of `own`. */
export function leaveOutAddresses(value: unknown, own: readonly string[]): unknown {
  const known = new Set(own.map((address) => address.toLowerCase()));
  const clean = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return inner.replace(ADDRESS, (found) => (known.has(found.toLowerCase()) ? found : LEFT_OUT));
    if (Array.isArray(inner)) return inner.map(clean);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, clean(one)]));
  };
  return clean(value);
}
