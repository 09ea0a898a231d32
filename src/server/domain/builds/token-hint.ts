const SHOWN = 4;
const LONG_ENOUGH = 12;

/** Returns the part of a build engine's token that people may see (wire 14.1); null without one. */
export function hintOf(token: string | null): string | null {
  if (token === null) return null;
  return token.length >= LONG_ENOUGH ? token.slice(-SHOWN) : '••••';
}
