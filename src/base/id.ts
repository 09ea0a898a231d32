/** Milliseconds since 1970 in UTC; passed in wherever time matters, so that tests own it. */
export type Clock = () => number;

/** Fills `bytes` with random values; passed in wherever chance matters. */
export type Random = (bytes: Uint8Array) => Uint8Array;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `value` has the 8-4-4-4-12 form of a UUID, of any version and case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
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
