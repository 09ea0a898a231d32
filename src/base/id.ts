/** Milliseconds since 1970 in UTC; passed in wherever time matters, so that tests own it. */
export type Clock = () => number;

/** Fills `bytes` with random values; passed in wherever chance matters. */
export type Random = (bytes: Uint8Array) => Uint8Array;

/** Says whether `value` has the 8-4-4-4-12 form of a UUID, of any version and case. */
export function isUuid(value: unknown): value is string {
  // It goes by hand: a first load asks this of every record, and a regular expression took a tenth
  // of it.
  if (typeof value !== 'string' || value.length !== 36) return false;
  for (let i = 0; i < 36; i += 1) {
    const isHyphenPlace = i === 8 || i === 13 || i === 18 || i === 23;
    if (isHyphenPlace ? value[i] !== '-' : !isHex(value.charCodeAt(i))) return false;
  }
  return true;
}

/** Says whether `code` is that of 0 to 9, a to f or A to F. */
function isHex(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 102);
}

/** A new UUIDv7 (RFC 9562): 48 bits of `clock` in ms, then 74 bits of `random`; lower case. */
export function newId(clock: Clock, random: Random): string {
  const bytes = random(new Uint8Array(16));
  const ms = clock();
  for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(ms / 2 ** (8 * (5 - i))) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);

  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [8, 12, 16, 20].reduceRight((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, hex);
}
